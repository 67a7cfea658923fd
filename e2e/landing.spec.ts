// The landing screen as a picture, and what it does not ask for.

import { expect } from '@playwright/test'
import { test } from './product.ts'
import { narrow, wide } from './support.ts'

test('the hero is as tall as the window and carries the title [P-083]', async ({ page }) => {
  for (const viewport of [wide, narrow]) {
    await page.setViewportSize(viewport)
    await page.goto('/')
    const hero = page.locator('.hero')
    await expect(hero.getByRole('heading', { level: 1, name: 'Redpack' })).toBeVisible()
    expect((await hero.boundingBox())?.height).toBeGreaterThanOrEqual(viewport.height)
  }
})

test("'System Access' is a faint text at the bottom [P-087]", async ({ page }) => {
  await page.goto('/')
  const button = page.getByRole('button', { name: 'System Access' })
  await expect(button).toBeVisible()
  const box = await button.boundingBox()
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeGreaterThan(wide.height * 0.85)
  const look = await button.evaluate((element) => {
    const of = (target: Element) => getComputedStyle(target)
    const title = document.querySelector('h1')
    return {
      background: of(element).backgroundColor,
      border: of(element).borderTopWidth,
      color: of(element).color,
      size: Number.parseFloat(of(element).fontSize),
      titleColor: title ? of(title).color : '',
    }
  })
  expect(look.background).toMatch(/transparent|rgba\(0, 0, 0, 0\)/)
  expect(look.color).not.toBe(look.titleColor)
  expect(look.size).toBeLessThanOrEqual(14)
})

test('signed out, neither stats nor openings are asked for [P-381] [P-383]', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  for (const path of ['/', '/leaderboard', '/dashboard', '/no-such-page']) {
    await page.goto(path)
    await page.waitForLoadState('networkidle')
  }
  expect(asked).toContain('/api/auth/me')
  expect(asked).not.toContain('/api/user/stats')
  expect(asked).not.toContain('/api/user/openings')
  expect((await page.request.get('/api/user/stats')).status()).toBe(401)
  expect((await page.request.get('/api/user/openings')).status()).toBe(401)
})
