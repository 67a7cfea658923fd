// The opening on screens of every size, and the messages beside it: nothing is cut off or covered.

import { expect, type Locator, type Page } from '@playwright/test'
import { test } from './product.ts'
import { narrow, newLogin, signIn, wide } from './support.ts'

const prize = (index: number) => ({
  won: true,
  prizeId: 9000 + index,
  claimId: `PR-7KQ2MX${10 + index}`,
  redCoinEarned: 0,
  prize: {
    id: 9000 + index,
    name: `Hoodie ${index}`,
    description: 'Heavy cotton with the mark of the community on its back, made to order.',
    imageData: null,
    imageType: null,
    claimInstructions:
      'Write to us with your size and your address, and keep your Claim ID at hand.',
    redCoinAmount: 0,
  },
})
const nothing = { won: false, prizeId: null, prize: null, claimId: null, redCoinEarned: 5 }

/** Lets the next openings answer with a prize in every third pack. */
async function fixOutcome(page: Page): Promise<void> {
  await page.route('**/api/packs/open', (route) => {
    const { quantity } = route.request().postDataJSON() as { quantity: number }
    const results = Array.from({ length: quantity }, (_, index) =>
      index % 3 === 0 ? prize(index) : nothing,
    )
    return route.fulfill({ json: { results, updatedBalance: 100 } })
  })
}

async function open(page: Page, quantity: number): Promise<Locator> {
  await page.goto('/inventory')
  await page.getByRole('radio', { name: /Starter Pack/ }).click()
  await page.getByRole('spinbutton', { name: 'Quantity' }).fill(String(quantity))
  await page.getByRole('button', { name: 'Open Packs' }).click()
  const modal = page.getByRole('dialog')
  await expect(modal).toContainText('Opening Starter Pack...')
  return modal
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  if (!box) throw new Error('Nothing is there')
  return { ...box, right: box.x + box.width, bottom: box.y + box.height }
}

const sizes = [
  { width: 320, height: 568 },
  narrow,
  { width: 844, height: 390 },
  wide,
  { width: 1920, height: 1080 },
]

test('a prize says its Claim ID and how to claim it on screens of every size', async ({ page }) => {
  await signIn(page, newLogin())
  await fixOutcome(page)
  for (const size of sizes) {
    await page.setViewportSize(size)
    const modal = await open(page, 1)
    await expect(modal).toContainText('Result 1 of 1', { timeout: 8_000 })
    await page.waitForTimeout(1600)
    const where = `${size.width}x${size.height}`
    const buttons = await boxOf(modal.locator('.opening-actions'))
    const plate = await boxOf(modal.locator('.claim-plate'))
    expect(plate.bottom, where).toBeLessThanOrEqual(buttons.y + 1)
    const heading = await boxOf(modal.getByText('How to Claim'))
    const isCued = await modal.locator('.scroll-cue').isVisible()
    expect(isCued || heading.bottom <= buttons.y, where).toBe(true)
    const card = await boxOf(modal.locator('.card-front'))
    // Nothing below two thirds would mean an empty stage.
    expect(Math.max(card.bottom, heading.bottom), where).toBeGreaterThan(size.height * 0.66)
    await page.keyboard.press('Escape')
  }
})

test('fifty packs end in a fan of fifty, the best last, and a summary of one screen', async ({
  page,
}) => {
  test.setTimeout(240_000)
  await signIn(page, newLogin())
  await fixOutcome(page)
  // The smallest, the lowest and the usual one.
  for (const size of [sizes[0], sizes[2], wide]) {
    if (size === undefined) continue
    await page.setViewportSize(size)
    const modal = await open(page, 50)
    await expect(modal).toContainText('Result 1 of 50', { timeout: 8_000 })
    for (let index = 2; index <= 50; index += 1) await page.keyboard.press('ArrowRight')
    await expect(modal).toContainText('Result 50 of 50')
    const cards = modal.locator('.card-fan > span')
    await expect(cards).toHaveCount(50)
    await expect(cards.first()).toHaveAttribute('data-outcome', 'redcoin')
    await expect(cards.last()).toHaveAttribute('data-outcome', 'prize')
    await expect(
      modal.getByRole('list', { name: 'Best prizes' }).getByRole('listitem'),
    ).toHaveCount(5)
    const summary = await boxOf(modal.locator('.opening-summary'))
    const stage = await boxOf(modal.locator('.opening-main'))
    const where = `${size.width}x${size.height}`
    expect(summary.height, where).toBeLessThanOrEqual(stage.height)
    expect(summary.right, where).toBeLessThanOrEqual(size.width)
    await page.keyboard.press('Escape')
  }
})

test('a pack is torn by mouse and by key, before it tears by itself', async ({ page }) => {
  await signIn(page, newLogin())
  await fixOutcome(page)
  for (const tear of [
    () => page.locator('.opening-scene').click(),
    () => page.keyboard.press('Space'),
  ]) {
    const modal = await open(page, 1)
    await tear()
    await expect(modal.locator('.tear-hint')).toHaveAttribute('data-torn', 'true')
    await expect(modal).toContainText('Result 1 of 1', { timeout: 8_000 })
    await page.keyboard.press('Escape')
  }
})

test('a message covers nothing that is pressed next', async ({ page }) => {
  await signIn(page, newLogin())
  await fixOutcome(page)
  for (const size of [wide, { width: 1366, height: 768 }, narrow]) {
    await page.setViewportSize(size)
    const modal = await open(page, 1)
    await expect(modal).toContainText('Result 1 of 1', { timeout: 8_000 })
    await page.keyboard.press('Escape')
    const message = page.locator('.toast[data-state="open"]')
    await expect(message).toContainText('Pack Opening Complete!')
    await page.waitForTimeout(700)
    const toast = await boxOf(message)
    for (const name of ['Open Packs', 'Max', 'Decrease']) {
      const found = page.getByRole('button', { name: new RegExp(`^${name}`) })
      if ((await found.count()) === 0) continue
      const button = await boxOf(found.first())
      const isApart =
        toast.bottom <= button.y ||
        button.bottom <= toast.y ||
        toast.right <= button.x ||
        button.right <= toast.x
      expect(isApart, `${name} at ${size.width}x${size.height}`).toBe(true)
    }
  }
})

test('a long message above a dialog leaves its fields and buttons free', async ({ page }) => {
  await signIn(page, newLogin())
  const text = 'The packs could not be opened just now, and nothing was taken. '.repeat(6)
  await page.route('**/api/packs/open', (route) =>
    route.fulfill({ status: 503, json: { message: text, error: text } }),
  )
  for (const size of [wide, { width: 1366, height: 768 }, narrow]) {
    await page.setViewportSize(size)
    await page.goto('/inventory')
    await page.getByRole('radio', { name: /Starter Pack/ }).click()
    await page.getByRole('button', { name: 'Open Packs' }).click()
    const message = page.locator('.toast[data-state="open"]')
    await expect(message).toContainText('nothing was taken')
    await page.getByRole('button', { name: /^Odds/ }).first().click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toBeVisible()
    await page.waitForTimeout(900)
    const toast = await boxOf(message)
    const close = await boxOf(dialog.getByRole('button', { name: 'Close' }))
    const isApart =
      toast.bottom <= close.y ||
      close.bottom <= toast.y ||
      toast.right <= close.x ||
      close.right <= toast.x
    expect(isApart, `${size.width}x${size.height}`).toBe(true)
  }
})
