// The store as a picture: what its colours say.

import { expect, type Locator } from '@playwright/test'
import { test } from './product.ts'
import { narrow, wide, withUser } from './support.ts'

const listing = {
  id: 5,
  packTypeId: 1,
  redCoinPrice: 100,
  customImage: null,
  quantityAvailable: 7,
  isUnlimited: false,
  sortOrder: 0,
  packType: {
    id: 1,
    name: 'Crown Pack',
    description: 'Fit for a king',
    icon: 'crown',
    color: '#0080FF',
    imageUrl: null,
    imageData: null,
    imageType: null,
  },
}

/** How much more red than green or blue a text is, from -255 to 255. */
async function rednessOf(text: Locator): Promise<number> {
  return text.evaluate((element) => {
    const canvas = document.createElement('canvas').getContext('2d')
    if (!canvas) throw new Error('No canvas')
    // Whatever way the browser writes the colour, a painted pixel tells it.
    canvas.fillStyle = getComputedStyle(element).color
    canvas.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data
    return red - Math.max(green, blue)
  })
}

test('Total Cost is red from the first RedCoin that is missing', async ({ page }) => {
  await withUser(page, { redCoinBalance: 300 }, { '/api/store/listings': [listing] })
  for (const viewport of [wide, narrow]) {
    await page.setViewportSize(viewport)
    await page.goto('/store')
    const card = page.getByRole('article', { name: 'Crown Pack' })
    const quantity = card.getByRole('spinbutton', { name: 'Quantity' })
    await quantity.fill('3')
    const affordable = card.getByText('300 RedCoin', { exact: true }).first()
    await expect(affordable).toBeVisible()
    expect(await rednessOf(affordable)).toBeLessThan(40)
    await quantity.fill('4')
    const missing = card.getByText('400 RedCoin', { exact: true })
    await expect(missing).toBeVisible()
    await expect.poll(() => rednessOf(missing)).toBeGreaterThan(80)
  }
})
