// The landing screen as a picture.

import { expect } from '@playwright/test'
import { test } from './product.ts'
import { narrow, wide } from './support.ts'

test('the hero is as tall as the window and carries the title', async ({ page }) => {
  for (const viewport of [wide, narrow]) {
    await page.setViewportSize(viewport)
    await page.goto('/')
    const hero = page.locator('.hero')
    await expect(hero.getByRole('heading', { level: 1, name: 'Redpack' })).toBeVisible()
    // The one in the page is replaced by the one of the program at some moment.
    const height = async () => (await hero.boundingBox())?.height
    await expect.poll(height).toBeGreaterThanOrEqual(viewport.height)
  }
})

test("'System Access' is a very faint text at the bottom, and plain to whoever looks for it", async ({
  page,
}) => {
  for (const viewport of [wide, narrow]) {
    await page.setViewportSize(viewport)
    await page.goto('/')
    const button = page.getByRole('button', { name: 'System Access' })
    const others = page.locator('.hero-words :is(h1, p, .hero-action)')
    // The page may be drawn anew between two looks.
    await expect(async () => {
      const box = await button.boundingBox()
      for (const other of await others.all()) {
        const above = await other.boundingBox()
        expect(box?.y).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0))
      }
    }).toPass({ timeout: 10_000 })
    const look = await button.evaluate((element) => {
      const { backgroundColor, borderTopColor, fontSize } = getComputedStyle(element)
      return { backgroundColor, borderTopColor, fontSize: Number.parseFloat(fontSize) }
    })
    expect(look.backgroundColor).toBe('rgba(0, 0, 0, 0)')
    expect(look.borderTopColor).toBe('rgba(0, 0, 0, 0)')
    expect(look.fontSize).toBeLessThanOrEqual(14)
    const opacity = () => button.evaluate((element) => Number(getComputedStyle(element).opacity))
    await page.mouse.move(0, 0)
    await expect.poll(opacity).toBeLessThanOrEqual(0.5)
    expect(await opacity()).toBeGreaterThan(0.1)
    await button.hover()
    await expect.poll(opacity).toBe(1)
    await page.mouse.move(0, 0)
    await expect.poll(opacity).toBeLessThanOrEqual(0.5)
    await page.emulateMedia({ contrast: 'more' })
    await expect.poll(opacity).toBe(1)
    await page.emulateMedia({ contrast: null })
  }
})
