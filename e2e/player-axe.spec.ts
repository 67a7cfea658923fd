// Every screen of a player, in every theme that is offered, signed in and out: nothing for axe to
// find.

import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { themePresets } from '../contract/src/palette.ts'
import { newLogin, send, signIn } from './support.ts'

const signedOut = ['/', '/leaderboard', '/fairness', '/no-such-page']
const signedIn = [
  '/dashboard',
  '/inventory',
  '/my-prizes',
  '/store',
  '/history',
  '/history?view=openings',
  '/profile',
  '/twitch-streams',
  '/leaderboard',
  '/fairness',
]

async function check(page: Page, path: string, colorsAlone: boolean): Promise<void> {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: /^Loading/ })).toHaveCount(0)
  await checkNow(page, path, colorsAlone)
}

/** `colorsAlone` leaves out what no theme can change. */
async function checkNow(page: Page, where: string, colorsAlone: boolean): Promise<void> {
  const axe = new AxeBuilder({ page })
  if (colorsAlone) axe.withRules('color-contrast')
  const { violations } = await axe.analyze()
  expect(violations.map(({ id, nodes }) => `${where}: ${id} ${nodes[0]?.html}`)).toEqual([])
}

for (const { name, theme } of themePresets) {
  test(`axe finds nothing in the theme ${name}`, async ({ page }) => {
    test.setTimeout(180_000)
    const colorsAlone = name !== 'Default'
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.route('**/api/settings/theme', (route) => route.fulfill({ json: theme }))
    for (const path of signedOut) await check(page, path, colorsAlone)
    await signIn(page, newLogin())
    const [holding] = await (await page.request.get('/api/user/packs')).json()
    await send(page, '/api/packs/open', { packTypeId: holding.packTypeId, quantity: 20 })
    for (const path of signedIn) await check(page, path, colorsAlone)

    await page.goto('/dashboard')
    await page.getByRole('button', { name: /^Notices/ }).click()
    await expect(page.getByRole('dialog', { name: 'Notices' })).toBeVisible()
    await checkNow(page, 'notices', colorsAlone)
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await checkNow(page, 'delete account', colorsAlone)
    await page.keyboard.press('Escape')
    await page.getByRole('switch', { name: 'Hide what is private' }).click()
    for (const path of ['/profile', '/history', '/my-prizes']) await check(page, path, colorsAlone)
  })
}

test('no screen of a player scrolls sideways at 320 px, in streamer mode too', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await signIn(page, newLogin())
  const [holding] = await (await page.request.get('/api/user/packs')).json()
  await send(page, '/api/packs/open', { packTypeId: holding.packTypeId, quantity: 20 })
  for (const mode of ['off', 'on']) {
    await page.evaluate((value) => localStorage.setItem('redpack:streamer-mode', value), mode)
    for (const path of signedIn) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByRole('status').filter({ hasText: /^Loading/ })).toHaveCount(0)
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(overflow, `${path} ${mode}`).toBe(0)
    }
  }
})
