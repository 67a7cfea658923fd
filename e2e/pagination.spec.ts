// The pages of long lists on a phone: one line, nothing outside of the window.

import { expect } from '@playwright/test'
import { test } from './product.ts'
import { narrow, withUser } from './support.ts'

const pagination = {
  ...{ totalItems: 25_000, totalPages: 1_000, page: 500, limit: 25 },
  ...{ hasPreviousPage: true, hasNextPage: true },
}

for (const { address, label } of [
  { address: '/my-prizes?page=500', label: 'Prize pages' },
  { address: '/history?page=500', label: 'History pages' },
  { address: '/history?view=openings&page=500', label: 'Opening pages' },
]) {
  test(`${label} stand in one line at 390 px`, async ({ page }) => {
    await page.setViewportSize(narrow)
    await withUser(
      page,
      {},
      {
        '/api/user/prize-claims/paginated': { claims: [], pagination },
        '/api/redcoin/history': { entries: [], pagination },
        '/api/fairness/openings': { openings: [], pagination },
      },
    )
    await page.goto(address)
    const buttons = page.getByRole('navigation', { name: label }).getByRole('button')
    await expect(buttons).toHaveCount(7)
    const boxes = await buttons.evaluateAll((all) =>
      all.map((button) => button.getBoundingClientRect().toJSON() as DOMRect),
    )
    expect(new Set(boxes.map(({ top }) => Math.round(top))).size).toBe(1)
    for (const { left, right, width, height } of boxes) {
      expect(left).toBeGreaterThanOrEqual(0)
      expect(right).toBeLessThanOrEqual(narrow.width)
      expect(width).toBeGreaterThanOrEqual(32)
      expect(height).toBeGreaterThanOrEqual(44)
    }
    await expect(buttons.first()).toHaveAccessibleName('Previous')
    await expect(buttons.last()).toHaveAccessibleName('Next')
  })
}
