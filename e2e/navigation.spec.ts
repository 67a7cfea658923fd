// The navigation bar and the sheet of small screens.

import { expect } from '@playwright/test'
import { everyday } from '../server/test/everyday.ts'
import { test } from './product.ts'
import { narrow, withUser } from './support.ts'

const links = [
  ['Dashboard', '/dashboard'],
  ['My Inventory', '/inventory'],
  ['My Prizes', '/my-prizes'],
  ['Store', '/store'],
  ['Twitch Rewards', '/twitch-streams'],
  ['Leaderboard', '/leaderboard'],
] as const

test('signed in, the bar links home and to the six screens, the current one marked', async ({
  page,
}) => {
  await withUser(page)
  await page.goto('/dashboard')
  const bar = page.getByRole('navigation').first()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Redpack' })).toHaveAttribute(
    'href',
    '/',
  )
  for (const [name, path] of links) {
    const link = bar.getByRole('link', { name, exact: true })
    await expect(link).toHaveAttribute('href', path)
    await link.click()
    await expect(page).toHaveURL((url) => url.pathname === path)
    await expect(link).toHaveAttribute('aria-current', 'page')
    await expect(link).not.toHaveCSS('box-shadow', 'none')
    await expect(bar.locator('[aria-current="page"]')).toHaveCount(1)
  }
})

test('while a screen changes, presses still reach the bar', async ({ page }) => {
  await withUser(page)
  await page.goto('/dashboard')
  const store = page.getByRole('navigation').first().getByRole('link', { name: 'Store' })
  await expect(store).toBeVisible()
  const covered = await store.evaluate(async (link) => {
    const { x, y, width, height } = link.getBoundingClientRect()
    const other = document.querySelector<HTMLElement>('nav a[href="/inventory"]')
    other?.click()
    let frames = 0
    for (const end = performance.now() + 1_000; performance.now() < end; ) {
      await new Promise(requestAnimationFrame)
      const hit = document.elementFromPoint(x + width / 2, y + height / 2)
      if (!link.contains(hit)) frames += 1
    }
    return frames
  })
  await expect(page).toHaveURL(/\/inventory$/)
  expect(covered).toBe(0)
})

test('signed out, none of the player links shows', async ({ page }) => {
  await page.goto('/leaderboard')
  await expect(page.getByText('Login with Twitch')).toBeVisible()
  for (const [name] of links) {
    await expect(page.getByRole('banner').getByRole('link', { name, exact: true })).toHaveCount(0)
  }
})

test('the Admin link shows for both staff roles only and leads to the panel', async ({ page }) => {
  for (const role of ['user', 'admin', 'super_user'] as const) {
    await page.unrouteAll()
    await withUser(page, { role })
    await page.goto('/dashboard')
    await expect(page.getByRole('banner').getByRole('link', { name: 'Dashboard' })).toBeVisible()
    const link = page.getByRole('banner').getByRole('link', { name: 'Admin', exact: true })
    if (role === 'user') await expect(link).toHaveCount(0)
    else await expect(link).toHaveAttribute('href', '/admin')
  }
})

for (const who of ['a visitor', 'somebody'] as const) {
  test(`'Get More Packs' leads ${who} to the shop in a new tab, at every width`, async ({
    page,
    context,
  }) => {
    await context.route(/^https:/, (route) => route.fulfill({ body: 'The shop' }))
    if (who === 'somebody') await withUser(page)
    for (const width of everyday([320, 1280], [320, 390, 800, 1280, 1920])) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto('/leaderboard')
      const account = page.getByRole('banner').getByRole('button').last()
      await expect(account).toBeVisible()
      const menu = page.getByRole('button', { name: 'Open menu' })
      const hasMenu = await menu.isVisible()
      if (hasMenu) await menu.click()
      const link = page.getByRole('link', { name: /Get More Packs/ }).filter({ visible: true })
      await expect(link).toHaveCount(1)
      const [opened] = await Promise.all([context.waitForEvent('page'), link.click()])
      await opened.waitForLoadState()
      expect(opened.url()).toMatch(/^https:\/\/.+collections/)
      expect(await opened.evaluate(() => [window.opener, document.referrer])).toEqual([null, ''])
      await opened.close()
      // Choosing it closes the sheet, as every other link does.
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect(page).toHaveURL(/\/leaderboard$/)
    }
  })
}

test.describe('on a small screen', () => {
  test.use({ viewport: narrow })

  test('the links are in a left sheet that a choice closes', async ({ page }) => {
    await withUser(page, { role: 'admin' })
    await page.goto('/dashboard')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.getByRole('button', { name: /menu/i }).click()
    const sheet = page.getByRole('dialog')
    await expect(sheet.getByRole('heading', { name: 'Redpack' })).toBeVisible()
    await expect(sheet).toContainText('Navigate to any page quickly')
    await expect(sheet.getByRole('link', { name: 'Admin Panel' })).toHaveAttribute('href', '/admin')
    await expect.poll(async () => (await sheet.boundingBox())?.x).toBe(0)
    for (const [name, path] of [...links, ['Admin Panel', '/admin']] as const) {
      await sheet.getByRole('link', { name, exact: true }).click()
      await expect(page).toHaveURL((url) => url.pathname === path)
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await page.getByRole('button', { name: 'Open menu' }).click()
    }
  })

  test("the button of visitors reads 'Login'", async ({ page }) => {
    await page.goto('/leaderboard')
    const button = page.getByRole('banner').getByText('Login', { exact: true })
    await expect(button).toBeVisible()
    await expect(page.getByRole('banner').getByText('Login with Twitch')).toBeHidden()
  })
})

test('the sheet is 3/4 of the screen, at most 384 px', async ({ page }) => {
  await withUser(page)
  for (const [width, expected] of [
    [320, 240],
    [800, 384],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/dashboard')
    await page.getByRole('button', { name: /menu/i }).click()
    await expect
      .poll(async () => Math.round((await page.getByRole('dialog').boundingBox())?.width ?? 0))
      .toBe(expected)
    await page.keyboard.press('Escape')
  }
})
