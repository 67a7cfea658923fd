// Verbs for browser journeys: signing in through the sandbox, faking single answers, and the
// control calls.

import { type BrowserContext, expect, type Page, type Route } from '@playwright/test'

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
  '/api/user/notices': { notices: [], unreadCount: 0 },
  '/api/user/wallet': { walletAddress: null, verifiedAt: null },
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

/** Signs in through the sandbox as the product's users do, and ends on the dashboard. */
export async function signIn(page: Page, login: string): Promise<void> {
  await page.goto('/api/auth/twitch')
  await page.getByLabel('Login name').fill(login)
  await page.getByRole('button', { name: 'Allow', exact: true }).first().click()
  await page.waitForURL('**/dashboard')
}

/** A login nobody has used yet. */
export const newLogin = (): string => `viewer${Date.now() % 1e9}${Math.floor(Math.random() * 1e4)}`

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
