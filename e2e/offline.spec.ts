// Without a network: the application opens, screens that were seen stand, others say why they do
// not, and no answer of a call is kept.

import { expect, type Page } from '@playwright/test'
import { test } from './product.ts'
import { expectQuiet, newLogin, signInByHand } from './support.ts'

const firstHeading = (page: Page) => page.getByRole('heading', { level: 1 })

/** Addresses of all that the worker keeps. */
function keptAddresses(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const names = await caches.keys()
    const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return kept.flat().map(({ url }) => new URL(url).pathname)
  })
}

test('somebody who loses the network keeps the application', async ({ page, context }) => {
  const noise = expectQuiet(context)
  await signInByHand(page, newLogin())
  // The screen of the first visit is kept although it was there before the worker.
  const isDashboard = expect.stringContaining('/assets/dashboard-')
  await expect.poll(() => keptAddresses(page)).toContainEqual(isDashboard)
  await page.getByRole('link', { name: 'Store' }).first().click()
  await expect(firstHeading(page)).toHaveText('Pack Store')
  await expect(page.getByText('Vault Pack').first()).toBeVisible()

  await context.setOffline(true)
  await expect(page.getByText('You are offline. What you see may be out of date.')).toBeVisible()
  await expect(page.getByText('Vault Pack').first()).toBeVisible()

  await page.getByRole('link', { name: 'Leaderboard' }).first().click()
  await expect(firstHeading(page)).toHaveText('You are offline')
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  // The menu of a phone, which was never opened before.
  const wide = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  if (wide) await page.setViewportSize(wide)
  // A page that is left for another one may hear that there is a network, which is not so: this
  // screen would load itself again, in the place of where the journey goes next.
  await page.getByRole('link', { name: 'Store' }).first().click()
  await expect(firstHeading(page)).toHaveText('Pack Store')

  // The page itself comes from the device, and says that the server cannot be asked.
  await page.goto('/dashboard')
  await expect(page.getByText('Your packs and prizes are safe.')).toBeVisible()
  expect((await keptAddresses(page)).filter((path) => path.startsWith('/api'))).toEqual([])

  await context.setOffline(false)
  await expect(firstHeading(page)).toContainText('Welcome, ')
  await page.getByRole('link', { name: 'Leaderboard' }).first().click()
  await expect(firstHeading(page)).toHaveText('Leaderboard')
  expect(noise).toEqual([])
})
