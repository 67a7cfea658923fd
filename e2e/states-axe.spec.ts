// What a player sees besides whole screens: the views of an opening, menus, messages, and lists
// that are empty, failing or late. Nothing for axe to find, in every theme and in a hostile one.

import { expect, type Page } from '@playwright/test'
import type { OpeningResult } from '@redpack/contract'
import { everyday } from '../server/test/everyday.ts'
import { type ThemedPage, themedPage } from './accessibility.ts'
import { answerWith, nothingWon, wonPrize } from './opening-results.ts'
import { test } from './product.ts'
import { type Fake, narrow, newLogin, signIn, withUser } from './support.ts'

const lists = [
  '/dashboard',
  '/inventory',
  '/my-prizes',
  '/store',
  '/twitch-streams',
  '/leaderboard',
]
/** What those lists ask for. */
const asked = [
  '/api/user/stats',
  '/api/user/openings',
  '/api/user/packs',
  '/api/packs/types',
  '/api/store/listings',
  '/api/redcoin/leaderboard',
  '/api/twitch/active-streams',
  '/api/twitch/watch-sessions',
  '/api/user/prize-claims/paginated',
]

const states = ['empty', 'failing', 'late'] as const

const everyAnswer = (fake: Fake): Record<string, Fake> =>
  Object.fromEntries(asked.map((path) => [path, fake]))

let themed: ThemedPage
test.beforeEach(async ({ page }) => {
  test.setTimeout(240_000)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  themed = await themedPage(page)
})

async function openPacks(page: Page, results: readonly OpeningResult[]): Promise<void> {
  await answerWith(page, results)
  await page.goto('/inventory')
  await page.getByRole('radio', { name: /Starter Pack/ }).click()
  await page.getByRole('button', { name: 'Open Packs' }).click()
}

test('axe finds nothing in the views of an opening', async ({ page }) => {
  await signIn(page, newLogin())
  const modal = page.getByRole('dialog')
  await openPacks(page, [nothingWon, wonPrize(1)])
  await expect(modal).toContainText('Result 1 of 2')
  await themed.check('RedCoin')
  await page.getByRole('button', { name: 'Next Result' }).click()
  await expect(modal).toContainText('Your opening')
  await themed.check('a prize at the end of a batch')
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(page.locator('.toast[data-state="open"]')).toContainText('Pack Opening Complete!')
  await themed.check('a message')
  await openPacks(page, [])
  await expect(modal).toContainText('No Results')
  await themed.check('no results')
  await page.addInitScript(() => {
    Element.prototype.animate = () => {
      // As if the opening step were over: within its two seconds the results come by themselves.
      const now = performance.now()
      performance.now = () => now + 60_000
      throw new Error('No animations today')
    }
  })
  await openPacks(page, [nothingWon])
  await expect(modal).toContainText('Animation Error')
  await themed.check('an animation that failed')
})

test('axe finds nothing in the odds, the menus and the sheet', async ({ page }) => {
  await signIn(page, newLogin())
  await page.goto('/inventory')
  await page.getByRole('radio', { name: /Starter Pack/ }).click()
  await page.getByRole('button', { name: /^Odds/ }).first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await themed.check('odds')
  await page.setViewportSize(narrow)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await themed.check('sheet')
})

for (const [state, fakes] of [
  ['empty', {}],
  [
    'failing',
    everyAnswer((route: { fulfill: (answer: object) => unknown }) =>
      route.fulfill({ status: 500, json: { error: 'Broken' } }),
    ),
  ],
  ['late', everyAnswer(() => undefined)],
] as const) {
  test(`axe finds nothing where lists are ${state}`, async ({ page }) => {
    await withUser(page, {}, fakes)
    // Each list is in one of three states each day.
    const turn = states.indexOf(state)
    const today = lists.filter((_, index) => index % states.length === turn)
    for (const path of everyday(today, lists)) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      if (state !== 'late') {
        await expect(page.getByRole('status').filter({ hasText: /^Loading/ })).toHaveCount(0)
      }
      await themed.check(`${path}, ${state}`)
    }
  })
}
