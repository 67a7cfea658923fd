// Verbs for browser journeys: signing in through the sandbox, faking single answers, and the
// control calls.

import { createHash, createHmac, randomBytes } from 'node:crypto'
import {
  type Browser,
  type BrowserContext,
  expect,
  type Locator,
  type Page,
  type Route,
} from '@playwright/test'

export interface FakeUser {
  readonly id: number
  readonly username: string
  readonly displayName: string
  readonly email: string | null
  readonly avatar: string | null
  readonly role: 'user' | 'admin' | 'super_user'
  readonly redCoinBalance: number
  readonly createdAt: string
  readonly solanaWallet: string | null
  readonly discordId: string | null
  readonly discordUsername: string | null
  readonly discordAvatar: string | null
}

export const somebody: FakeUser = {
  id: 7,
  username: 'ana',
  displayName: 'Ana',
  email: null,
  avatar: null,
  role: 'user',
  redCoinBalance: 1_234_567,
  createdAt: '2026-01-02T03:04:05.000Z',
  solanaWallet: null,
  discordId: null,
  discordUsername: null,
  discordAvatar: null,
}

/** What the fake answers for a path: JSON, or a function that handles the request itself. */
export type Fake = unknown | ((route: Route) => unknown)

const emptyAnswers: Readonly<Record<string, unknown>> = {
  '/api/user/stats': { totalPacks: 0, packsOpened: 0 },
  '/api/user/openings': [],
  '/api/user/packs': [],
  '/api/packs/types': [],
  '/api/store/listings': [],
  '/api/redcoin/leaderboard': [],
  '/api/twitch/active-streams': [],
  '/api/twitch/watch-sessions': [],
  '/api/twitch/watch-completions': [],
  '/api/user/notifications': { isEmailSetUp: false },
  '/api/user/notices': { notices: [], unreadCount: 0 },
  '/api/user/wallet': { walletAddress: null, verifiedAt: null },
  '/api/fairness': { chainId: 1, index: 0, commitment: 'a1'.repeat(32), ended: [] },
}

/**
 * Signs a made-up user in without a server session: the page's calls are answered from here. Paths
 * that are not named go to the real server.
 */
export async function withUser(
  page: Page,
  user: Partial<FakeUser> = {},
  fakes: Readonly<Record<string, Fake>> = {},
): Promise<void> {
  const answers: Record<string, Fake> = {
    ...emptyAnswers,
    '/api/auth/me': { ...somebody, ...user },
    '/api/user/profile': {
      ...somebody,
      ...user,
      bio: null,
      country: null,
      timezone: null,
      notifications: { email: true, prizes: true, rewards: true },
    },
    '/api/user/prize-claims/paginated': {
      claims: [],
      pagination: {
        totalItems: 0,
        totalPages: 0,
        hasPreviousPage: false,
        hasNextPage: false,
        page: 1,
        limit: 25,
      },
    },
    ...fakes,
  }
  await page.route('**/api/**', async (route) => {
    const path = new URL(route.request().url()).pathname
    const fake = answers[path]
    if (fake === undefined) return route.fallback()
    if (typeof fake === 'function') return fake(route)
    return route.fulfill({ json: fake })
  })
}

/** Signs in by the calls that a browser makes, for journeys that begin later; no screen is open. */
export async function signIn(page: Page, login: string): Promise<void> {
  const asked = await page.request.get('/api/auth/twitch')
  const form = { login, action: 'allow' }
  const answer = await page.request.post(asked.url(), { form })
  expect(new URL(answer.url()).pathname).toBe('/dashboard')
}

/** Signs in through the sandbox as the product's users do, and ends on the dashboard. */
export async function signInByHand(page: Page, login: string): Promise<void> {
  await page.goto('/api/auth/twitch')
  await page.getByLabel('Login name').fill(login)
  await page.getByRole('button', { name: 'Allow', exact: true }).first().click()
  await page.waitForURL('**/dashboard')
}

/** Signs somebody new in who has opened packs already. */
export async function signInWithPrizes(page: Page): Promise<void> {
  await signIn(page, newLogin())
  const [holding] = await ask<[{ packTypeId: number }]>(page, '/api/user/packs')
  await send(page, '/api/packs/open', { packTypeId: holding.packTypeId, quantity: 20 })
}

/** Opens a screen and waits until it shows what it has. */
export async function openScreen(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: /^Loading/ })).toHaveCount(0)
}

/** The protected account that the journeys start the product with. */
export const keeper = { username: 'keeper', password: 'keeper of the packs' } as const

/** Gives the page's browser the session of the local account. */
export async function signInAsStaff(page: Page, account: typeof keeper): Promise<void> {
  await send(page, '/api/auth/local', account)
}

/** A login nobody has used yet. */
export const newLogin = (): string => `viewer${Date.now() % 1e9}${Math.floor(Math.random() * 1e4)}`

/** Waits until the newest opening of the page's user stands in the public log. */
export async function inLog(page: Page): Promise<void> {
  const { openings } = await ask<{ openings: { id: number }[] }>(page, '/api/fairness/openings')
  const [newest] = openings
  if (!newest) throw new Error('Nothing was opened')
  const path = `/api/fairness/openings/${newest.id}/proof`
  await expect
    .poll(async () => (await ask<{ log: string | null }>(page, path)).log, { timeout: 30_000 })
    .not.toBeNull()
}

/** JSON of a call made with the session of the page. */
export async function ask<Answer>(page: Page, path: string): Promise<Answer> {
  const answer = await page.request.get(path)
  expect(answer.status()).toBe(200)
  return (await answer.json()) as Answer
}

/** Fails the test when the browser reports a broken content policy or an uncaught error. */
export function expectQuiet(context: BrowserContext): string[] {
  const noise: string[] = []
  context.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) noise.push(message.text())
  })
  context.on('weberror', (error) => noise.push(String(error.error())))
  return noise
}

export const narrow = { width: 390, height: 844 }
export const wide = { width: 1280, height: 800 }

/** Opens pages of people of their own, each with nothing stored and without motion. */
export const pagesOf = (browser: Browser, baseURL: string) => async (viewport: typeof wide) => {
  const options = { baseURL, viewport, reducedMotion: 'reduce' } as const
  return (await browser.newContext(options)).newPage()
}

/** How somebody works: with the mouse at a desk, or with the keys of a phone's keyboard alone. */
export interface Hand {
  press(target: Locator): Promise<void>
  type(target: Locator, text: string): Promise<void>
  /** Ticks a box or takes a radio button. */
  tick(target: Locator): Promise<void>
  /** Takes the option whose words begin with these. */
  choose(target: Locator, label: string): Promise<void>
}

export const mouse: Hand = {
  press: (target) => target.click(),
  type: (target, text) => target.fill(text),
  tick: (target) => target.check(),
  choose: async (target, label) => {
    const option = target.locator('option').filter({ hasText: label })
    await target.selectOption(await option.getAttribute('value'))
  },
}

const tabsMax = 150

/** Moves the focus on with the Tab key until it stands on the target. */
async function tabTo(target: Locator): Promise<void> {
  const page = target.page()
  let element = await target.elementHandle()
  for (let tab = 0; tab < tabsMax; tab += 1) {
    // Searched for once: each search by role goes through the whole page.
    const state = await element?.evaluate((one) =>
      one === document.activeElement ? 'here' : one.isConnected ? 'elsewhere' : 'gone',
    )
    if (state === 'here') return
    if (state === 'elsewhere') await page.keyboard.press('Tab')
    else element = await target.elementHandle()
  }
  throw new Error('The Tab key does not lead there')
}

/** Sends no pointer event. */
export const keyboard: Hand = {
  async press(target) {
    await tabTo(target)
    await target.page().keyboard.press('Enter')
  },
  async type(target, text) {
    await tabTo(target)
    const { keyboard: keys } = target.page()
    await keys.press('Control+A')
    await keys.type(text)
  },
  async tick(target) {
    await tabTo(target)
    await target.page().keyboard.press('Space')
  },
  async choose(target, label) {
    await tabTo(target)
    await target.page().keyboard.type(label)
  },
}

/** A call of the page's own session that changes something; refused ones fail the test. */
export async function send<Answer>(
  page: Page,
  path: string,
  data: object,
  method: 'POST' | 'PUT' = 'POST',
): Promise<Answer> {
  // Said by an answer, since no screen may be open yet.
  const { origin } = new URL((await page.request.get('/health/live')).url())
  const answer = await page.request.fetch(path, { method, data, headers: { origin } })
  expect(answer.status(), `${path}: ${await answer.text()}`).toBe(200)
  return (await answer.json()) as Answer
}

interface Odds {
  readonly tableHash: string
  readonly entries: readonly {
    readonly prizeId: number
    readonly name: string
    readonly chance: number
    readonly soldOut: boolean
    readonly redCoinAmount: number
  }[]
}

/**
 * Loads the dice so that the viewer's next pack of a type holds one of its physical prizes.
 * @returns the name of the prize
 */
export async function loadPhysicalPrize(page: Page, packTypeId: number): Promise<string> {
  const { tableHash, entries } = await ask<Odds>(page, `/api/packs/types/${packTypeId}/odds`)
  let below = 0
  const shares = entries.map((entry) => {
    const from = below
    below += entry.chance
    return { ...entry, from, to: below }
  })
  const wanted = shares.find(({ name, redCoinAmount, soldOut, chance }) => {
    return redCoinAmount === 0 && !soldOut && chance > 0 && !name.endsWith('Pack')
  })
  if (!wanted) throw new Error('This pack holds no physical prize')
  const message = `${fixedEntropy}:0:${tableHash}`
  const seed = seedFor(message, (share) => wanted.from < share && share < wanted.to)
  const commitment = createHash('sha256').update(Buffer.from(seed, 'hex')).digest('hex')
  await send(page, '/sandbox/control/dice', { serverSeeds: [seed] })
  const chain = () => ask<{ commitment: string }>(page, '/api/fairness')
  // Somebody who has looked before has a seed already: one pack uses it up.
  if ((await chain()).commitment !== commitment) {
    await send(page, '/api/packs/open', { packTypeId, quantity: 1 })
  }
  expect((await chain()).commitment).toBe(commitment)
  await page.addInitScript(() => {
    const real = crypto.getRandomValues.bind(crypto)
    crypto.getRandomValues = (array) =>
      array instanceof Uint8Array && array.length === 32 ? array.fill(0xe0) : real(array)
  })
  return wanted.name
}

/** The entropy that pages send after the dice were loaded. */
export const fixedEntropy = 'e0'.repeat(32)

/** A server seed that makes an accepted share of the range of a message. */
function seedFor(message: string, accepts: (share: number) => boolean): string {
  for (;;) {
    const seed = randomBytes(32)
    const digest = createHmac('sha256', seed).update(message).digest('hex')
    if (accepts(Number.parseInt(digest.slice(0, 13), 16) / 2 ** 52)) return seed.toString('hex')
  }
}
