// What is pictured, and why: each screen with what the best of its kind does and what to look at.

import { expect, type Page } from '@playwright/test'

/** What an opening gave, as far as pictures need it. */
interface Result {
  readonly won: boolean
  readonly prize: { readonly redCoinAmount: number } | null
}

/** Gives the player packs of this type. */
export type GivePacks = (packTypeId: number, quantity: number) => Promise<void>

export type Who = 'visitor' | 'player' | 'staff'

export interface Scene {
  /** Begins the names of its files. */
  readonly name: string
  readonly title: string
  readonly who: Who
  readonly address: string
  /** What the best of its kind does, in our own words. */
  readonly best: string
  /** What our picture should show. */
  readonly look: string
  /** Brings the screen into the state that is pictured; at rest as it comes otherwise. */
  readonly prepare?: (page: Page, give: GivePacks) => Promise<void>
  /** True when what moves is part of the picture: it is taken as it is. */
  readonly isMoving?: boolean
  /** True for the chosen few that are pictured in every theme. */
  readonly isInEveryTheme?: boolean
}

const starter = { id: 1, name: 'Starter Pack' }
const nebula = { id: 4, name: 'Nebula Pack' }

async function choosePack(page: Page, name: string, quantity: number): Promise<void> {
  const pack = page.getByRole('radio', { name: new RegExp(name) })
  // What was just given comes as news.
  const held = async () =>
    Number.parseInt(/(\d+) available/.exec((await pack.textContent()) ?? '')?.[1] ?? '', 10)
  await expect.poll(held).toBeGreaterThanOrEqual(quantity)
  await pack.click()
  await page.getByRole('spinbutton', { name: 'Quantity' }).fill(String(quantity))
}

/** Opens packs as a player does, so that the browser proves what they held. */
async function openPacks(page: Page, name: string, quantity: number): Promise<Result[]> {
  await choosePack(page, name, quantity)
  const [answer] = await Promise.all([
    page.waitForResponse('**/api/packs/open'),
    page.getByRole('button', { name: 'Open Packs' }).click(),
  ])
  return ((await answer.json()) as { results: Result[] }).results
}

/** Goes on to a result, counted from 0, and lets its card come to rest. */
async function goToResult(page: Page, place: number, quantity: number): Promise<void> {
  for (let result = 1; result <= place + 1; result += 1) {
    await expect(page.getByRole('dialog')).toContainText(`Result ${result} of ${quantity}`)
    await page.waitForTimeout(1_200)
    if (result <= place) await page.keyboard.press('ArrowRight')
  }
  await page.waitForTimeout(1_800)
}

async function tearPack(page: Page, give: GivePacks): Promise<void> {
  await give(starter.id, 1)
  await openPacks(page, starter.name, 1)
  await expect(page.getByRole('dialog')).toContainText(`Opening ${starter.name}...`)
  // Well before the pack parts, also when the picture itself takes a while.
  await page.waitForTimeout(500)
}

/** Opens packs until one holds what is wanted, at most 30 times, since chance decides. */
const openUntil =
  (pack: typeof starter, quantity: number, isWanted: (result: Result) => boolean) =>
  async (page: Page, give: GivePacks) => {
    for (let time = 1; time <= 30; time += 1) {
      await give(pack.id, quantity)
      const results = await openPacks(page, pack.name, quantity)
      const place = results.findIndex(isWanted)
      if (place >= 0) return goToResult(page, place, quantity)
      await expect(page.getByRole('dialog')).toContainText('Result 1 of')
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
    throw new Error('Nothing that is wanted was opened')
  }

async function openFive(page: Page, give: GivePacks): Promise<void> {
  await give(nebula.id, 5)
  await openPacks(page, nebula.name, 5)
  await goToResult(page, 4, 5)
  await page.getByRole('dialog').locator('.opening-summary').scrollIntoViewIfNeeded()
}

const playerScenes: readonly Omit<Scene, 'who'>[] = [
  {
    name: 'dashboard',
    title: 'Dashboard',
    address: '/dashboard',
    best: 'One glance shows what you have and the one thing to do next.',
    look: 'The strip names the next step and highlights one button; numbers stand in one line.',
    isInEveryTheme: true,
  },
  {
    name: 'inventory',
    title: 'Pack Inventory',
    address: '/inventory',
    prepare: (page) => choosePack(page, starter.name, 5),
    best: 'The collection is the menu: you pick a pack up where it lies.',
    look: 'The chosen pack has an outline, not only a colour; a phone keeps the button in reach.',
    isInEveryTheme: true,
  },
  {
    name: 'odds',
    title: 'Odds of a pack',
    address: '/inventory',
    prepare: async (page) => {
      await page.getByRole('button', { name: /^Odds/ }).click()
      await expect(page.getByRole('dialog').getByText(/%/).first()).toBeVisible()
    },
    best: 'Rates stand beside every reward before anything is spent.',
    look: 'Bars and right-aligned shares can be compared; they add up to the last line.',
  },
  {
    name: 'opening',
    title: 'Opening: the pack',
    address: '/inventory',
    prepare: tearPack,
    isMoving: true,
    best: 'A swipe along a line tears the pack; guides come late, and nobody has to drag.',
    look: 'The pack fills the stage; its light has its own colour and reveals nothing yet.',
  },
  {
    name: 'result',
    title: 'Opening: a prize',
    address: '/inventory',
    prepare: openUntil(nebula, 10, ({ prize }) => prize?.redCoinAmount === 0),
    isMoving: true,
    best: 'A small burst and a turning card give a prize its worth; light shows rarity.',
    look: 'Card, Claim ID and how to claim fit on one screen; the button never moves.',
    isInEveryTheme: true,
  },
  {
    name: 'loss',
    title: 'Opening: no prize',
    address: '/inventory',
    prepare: openUntil(starter, 1, ({ won }) => !won),
    isMoving: true,
    best: 'Even the smallest result is a card, shown as carefully as the others.',
    look: 'The card keeps its size and place, with one kind word below it, near the button.',
  },
  {
    name: 'summary',
    title: 'Opening: five at an end',
    address: '/inventory',
    prepare: openFive,
    isMoving: true,
    best: 'Bulk openings stay quick and quiet; most games end them without a summary.',
    look: 'All cards lie in a fan, the best in front, with totals and nothing cut off.',
  },
  {
    name: 'my-prizes',
    title: 'My Prizes',
    address: '/my-prizes',
    best: 'Drops list each win with its state and a claim button; people forget to claim.',
    look: 'Each claim has its state as icon and word, and its Claim ID beside a copy button.',
  },
  {
    name: 'store',
    title: 'Pack Store',
    address: '/store',
    best: 'The item shows cost, stock and limits, but rarely the balance after buying.',
    look: 'The total and the balance after it change as you type; reasons are sentences.',
    isInEveryTheme: true,
  },
  {
    name: 'profile',
    title: 'Profile Settings',
    address: '/profile',
    best: 'Sections that save together, and a bar that shows unsaved changes.',
    look: 'Cards in one order on every width; a wallet address is checked as you type.',
  },
  {
    name: 'watch-rewards',
    title: 'Watch Rewards',
    address: '/twitch-streams',
    best: 'Campaigns show watched minutes; players complain that nothing says why none count.',
    look: 'One line says whether time counts and why not; LIVE is a word with a dot.',
  },
  {
    name: 'leaderboard',
    title: 'Leaderboard',
    address: '/leaderboard',
    best: 'A podium first, then ranks; you find your own place without paging.',
    look: 'Second, first, third on a wide screen, in order on a phone; your own row is marked.',
    isInEveryTheme: true,
  },
  {
    name: 'history',
    title: 'History',
    address: '/history',
    best: 'Bank statements: a sign before each amount, and the balance that it led to.',
    look: 'Amounts stand in one column with digits of one width.',
  },
  {
    name: 'fairness',
    title: 'Fairness',
    address: '/fairness',
    best: 'Odds help only if they are simple, so one sentence comes first.',
    look: 'Three steps in plain words above the numbers for those who check.',
  },
  {
    name: 'not-found',
    title: 'Page Not Found',
    address: '/no-such-pack',
    best: 'A dead end with a picture, one sentence and one way out.',
    look: 'The bar stays, so that nobody gets lost.',
  },
]

const staffTab = (tab: string, title: string, best: string, look: string) => ({
  name: `staff-${tab}`,
  title: `Staff: ${title}`,
  address: `/admin?tab=${tab}`,
  best,
  look,
})

const staffScenes: readonly Omit<Scene, 'who'>[] = [
  {
    ...staffTab(
      'overview',
      'Overview',
      'Dashboards group few numbers and say how fresh they are.',
      'People and economy are apart; each chart is also a table; the numbers have a time.',
    ),
    isInEveryTheme: true,
  },
  staffTab(
    'prizes',
    'Prizes',
    'Index pages have search, filters, sort and actions in the row.',
    'Chances are shown as a share; low stock is said in words.',
  ),
  staffTab(
    'pack-types',
    'Pack types',
    'The editor stands beside a preview of what customers see.',
    'Each card has its own colour with a readable label on it.',
  ),
  staffTab(
    'distribute',
    'Distribution',
    'Payments show a preview and leave a receipt.',
    'You find people as you type; each row of a file gets a verdict before anything is given.',
  ),
  staffTab(
    'store',
    'Store listings',
    'You change the order by dragging, or else by buttons and numbers.',
    'Every row can be moved without a mouse.',
  ),
  staffTab(
    'prize-claims',
    'Claims',
    'Queues keep your place: after one row the next is ready.',
    'States as words with icons; on a phone a row becomes a card with labels.',
  ),
  staffTab(
    'fresh-users',
    'Users',
    'Dense tables stay fast with thousands of rows, and keys navigate them.',
    'Numbers are right-aligned with digits of one width; the first column stays.',
  ),
  staffTab(
    'settings',
    'Colour theme',
    'Theme editors show a preview; none proves that texts are readable.',
    'The contrast of every pair and what was adjusted, beside a small model of real screens.',
  ),
  staffTab(
    'twitch-streams',
    'Streams',
    'Schedulers show a time zone beside every time.',
    'The window is in local and in Eastern time, with EST or EDT as it applies.',
  ),
  staffTab(
    'discord-bot',
    'Discord bot',
    'Integrations say first whether they are connected.',
    'What is missing is at the top, in a sentence that says what to do.',
  ),
  staffTab(
    'economy',
    'Economy',
    'Accountants close their books with checks; games rarely show theirs.',
    'The first sentence says whether the books agree; sources and sinks are bars with numbers.',
  ),
  staffTab(
    'audit',
    'Audit log',
    'You filter logs by who, what and when, and cannot change them.',
    'Each entry is one sentence with before and after.',
  ),
  staffTab(
    'messages',
    'Messages',
    'Mail services show what waits, what left and what came back.',
    'You find failed ones at once and send them again with one button.',
  ),
  staffTab(
    'jobs',
    'Jobs',
    'Schedulers show the last run, the next and why one failed.',
    'Everything is OK, in one sentence, exceptions first.',
  ),
  staffTab(
    'server',
    'Server',
    'Status pages say in words what the figures mean.',
    'Each figure has a verdict with an icon and a word.',
  ),
]

export const scenes: readonly Scene[] = [
  {
    name: 'landing',
    title: 'Landing',
    who: 'visitor',
    address: '/',
    best: 'One promise, one picture, one button, all there before any script has run.',
    look: 'The Twitch button is the brightest thing; words never lie on the picture.',
    isInEveryTheme: true,
  },
  ...playerScenes.map((scene) => ({ ...scene, who: 'player' as const })),
  ...staffScenes.map((scene) => ({ ...scene, who: 'staff' as const })),
]
