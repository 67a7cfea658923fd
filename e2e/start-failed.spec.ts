// The app's code never arrives: the page says so, and a second try brings it.

import { expect } from '@playwright/test'
import { test } from './product.ts'

test('a page whose scripts do not arrive says so, and starts when it is tried again', async ({
  page,
}) => {
  const isScript = /\/assets\/.*\.js$/
  for (const path of ['/', '/leaderboard']) {
    await page.route(isScript, (route) => route.abort())
    await page.goto(path)
    const offer = page.getByRole('alert')
    await expect(offer).toContainText('This page has not loaded')
    await page.unroute(isScript)
    await offer.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('.start-failed')).toHaveCount(0)
  }
})
