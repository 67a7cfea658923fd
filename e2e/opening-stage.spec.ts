// The opening on screens of every size, and the messages beside it: nothing is cut off or covered.

import { expect, type Locator, type Page } from '@playwright/test'
import { everyday } from '../server/test/everyday.ts'
import { stillness, tearAtOnce, usualWords, winEveryThird } from './opening-results.ts'
import { test } from './product.ts'
import { narrow, newLogin, signIn, wide } from './support.ts'

async function open(page: Page, quantity: number): Promise<Locator> {
  await page.goto('/inventory')
  await page.getByRole('radio', { name: /Starter Pack/ }).click()
  await page.getByRole('spinbutton', { name: 'Quantity' }).fill(String(quantity))
  await page.getByRole('button', { name: 'Open Packs' }).click()
  return page.getByRole('dialog')
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  if (!box) throw new Error('Nothing is there')
  return { ...box, right: box.x + box.width, bottom: box.y + box.height }
}

/** A message looks for its place again while the page changes below it. */
async function expectApart(message: Locator, target: Locator, where: string): Promise<void> {
  await stillness(message)
  await expect
    .poll(
      async () => {
        const [one, other] = [await boxOf(message), await boxOf(target)]
        return (
          one.bottom <= other.y ||
          other.bottom <= one.y ||
          one.right <= other.x ||
          other.right <= one.x
        )
      },
      { message: where },
    )
    .toBe(true)
}

const [low, tablet, broad] = [
  { width: 1366, height: 768 },
  { width: 768, height: 1024 },
  { width: 1920, height: 1080 },
]
const sizes = [
  { width: 320, height: 568 },
  { width: 844, height: 390 },
  wide,
  ...everyday([], [narrow, tablet, broad]),
]
/** Where there is room for all that a player chooses. */
const tallSizes = [narrow, wide, ...everyday([], [tablet, broad])]
/** Where messages and dialogs share a screen. */
const sharedSizes = [wide, narrow, ...everyday([], [low])]

test('a prize says its Claim ID and how to claim it on screens of every size', async ({ page }) => {
  await tearAtOnce(page)
  await signIn(page, newLogin())
  // As long as with the proof below, which made-up results have not.
  const claimInstructions = usualWords.claimInstructions.repeat(2)
  await winEveryThird(page, { ...usualWords, claimInstructions })
  const modal = await open(page, 1)
  await expect(modal).toContainText('Result 1 of 1')
  for (const size of sizes) {
    await page.setViewportSize(size)
    await stillness(modal)
    const where = `${size.width}x${size.height}`
    const buttons = await boxOf(modal.locator('.opening-actions'))
    const plate = await boxOf(modal.locator('.claim-plate'))
    expect(plate.bottom, where).toBeLessThanOrEqual(buttons.y + 1)
    const main = await boxOf(modal.locator('.opening-main'))
    expect(plate.y, where).toBeGreaterThanOrEqual(main.y)
    const howTo = modal.getByText('How to Claim')
    // The cue comes once the page has measured what a new size has moved.
    const cue = modal.locator('.scroll-cue')
    const isSeen = async () => (await cue.isVisible()) || (await boxOf(howTo)).bottom <= buttons.y
    await expect.poll(isSeen, { message: where }).toBe(true)
    const heading = await boxOf(howTo)
    const card = await boxOf(modal.locator('.card-front'))
    // Nothing below two thirds would mean an empty stage.
    expect(Math.max(card.bottom, heading.bottom), where).toBeGreaterThan(size.height * 0.66)
  }
})

test('the last prize of a batch shows its card, and its Claim ID in one line, on every screen', async ({
  page,
}) => {
  await signIn(page, newLogin())
  // More than fits beside the card.
  const claimInstructions = usualWords.claimInstructions.repeat(9)
  await winEveryThird(page, { ...usualWords, claimInstructions })
  // The fourth pack holds a prize.
  const modal = await open(page, 4)
  // As laid out, whatever a film does with it.
  const layout = ({ offsetLeft, offsetWidth, offsetHeight }: HTMLElement) => [
    offsetLeft,
    offsetWidth,
    offsetHeight,
  ]
  const inPack = await modal.locator('.stage-card').evaluate(layout)
  await expect(modal).toContainText('Result 1 of 4')
  const first = await modal.locator('.card-deal').evaluate(layout)
  for (let index = 2; index <= 4; index += 1) await page.keyboard.press('ArrowRight')
  await expect(modal).toContainText('Result 4 of 4')
  const last = await modal.locator('.card-deal').evaluate(layout)
  expect([first, last], 'one box for every card').toEqual([inPack, inPack])
  for (const size of sizes) {
    await page.setViewportSize(size)
    await stillness(modal)
    const where = `${size.width}x${size.height}`
    const code = modal.locator('.claim-plate code')
    const plate = await boxOf(modal.locator('.claim-plate'))
    expect((await boxOf(code)).right, where).toBeLessThanOrEqual(plate.right)
    const lines = await code.evaluate((element) => {
      const { height } = element.getBoundingClientRect()
      return height / Number.parseFloat(getComputedStyle(element).fontSize)
    })
    expect(lines, `lines of the Claim ID at ${where}`).toBeLessThan(2)
    const card = await boxOf(modal.locator('.card-front'))
    expect(card.height, where).toBeGreaterThan(100)
    const summary = await boxOf(modal.locator('.opening-summary'))
    const words = await boxOf(modal.getByText(claimInstructions))
    expect(words.bottom, where).toBeLessThanOrEqual(summary.y)
  }
  // Without a prize little is said, and the card takes the room: on the smallest screen enough for
  // its words in a line each.
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 320, height: 568 })
  await tearAtOnce(page)
  const small = await open(page, 2)
  await expect(small).toContainText('Result 1 of 2')
  await page.keyboard.press('ArrowRight')
  await expect(small).toContainText('Your opening')
  await stillness(small)
  for (const words of ['.card-caption', '.card-amount']) {
    const lines = await small.locator(words).evaluate((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
    })
    expect(lines, words).toBe(1)
  }
  await page.setViewportSize(narrow)
  await stillness(small)
  expect((await boxOf(small.locator('.card-front'))).height).toBeGreaterThan(150)
})

/** Opens packs of which the last is empty, as two in three are; made-up results prove nothing. */
async function lose(page: Page, quantity: number): Promise<Locator> {
  for (let time = 0; time < 15; time += 1) {
    const answered = page.waitForResponse('**/api/packs/open')
    const modal = await open(page, quantity)
    const { results } = (await (await answered).json()) as { results: { won: boolean }[] }
    if (!results.at(-1)?.won) return modal
    await page.keyboard.press('Escape')
  }
  throw new Error('Every pack has won')
}

test('a loss shows its proof above buttons and cue, alone and at the end of a batch', async ({
  page,
}) => {
  await tearAtOnce(page)
  await signIn(page, newLogin())
  for (const quantity of [1, 2]) {
    await page.setViewportSize(wide)
    const modal = await lose(page, quantity)
    await expect(modal).toContainText(`Result 1 of ${quantity}`)
    if (quantity > 1) await page.keyboard.press('ArrowRight')
    await expect(modal).toContainText(`Result ${quantity} of ${quantity}`)
    for (const size of sizes) {
      await page.setViewportSize(size)
      await stillness(modal)
      const where = `${quantity} at ${size.width}x${size.height}`
      const main = modal.locator('.opening-main')
      const below = await main.evaluate((node) => node.scrollHeight - node.clientHeight)
      // Alone there is nothing to scroll to but the mark of the end; a batch has its summary there.
      if (quantity === 1) expect(below, where).toBeLessThanOrEqual(1)
      const end = modal.locator(quantity === 1 ? '.opening-actions' : '.scroll-cue')
      const proof = await boxOf(modal.getByText('Proven in your browser'))
      expect(proof.bottom, where).toBeLessThanOrEqual((await boxOf(end)).y)
    }
    await page.keyboard.press('Escape')
  }
})

test('price, quantity and button are seen on arrival, and lie in line', async ({ page }) => {
  await signIn(page, newLogin())
  for (const size of tallSizes) {
    const where = `${size.width}x${size.height}`
    await page.setViewportSize(size)
    await page.goto('/inventory')
    const bar = page.locator('.opening-controls')
    const toOpen = bar.getByRole('button', { name: 'Open Packs' })
    for (const seen of [bar.getByRole('spinbutton', { name: 'Quantity' }), toOpen]) {
      await expect(seen, where).toBeInViewport({ ratio: 1 })
    }
    await stillness(page.locator('main'))
    // Beside the packs on wide screens, and along the lower edge of a phone.
    const [{ y, right, bottom }, pack] = [
      await boxOf(bar),
      await boxOf(page.getByRole('radio', { name: /Starter Pack/ }).locator('..')),
    ]
    expect(right, where).toBeLessThanOrEqual(size.width)
    if (size.width < 768) expect(bottom, where).toBe(size.height)
    else expect(Math.abs(y - pack.y), where).toBeLessThan(pack.height)

    await page.goto('/store')
    const shop = page.getByRole('form', { name: /^Buy/ })
    const price = page.getByRole('article').getByText(/^\d+ RedCoin/)
    const field = shop.getByRole('spinbutton', { name: 'Quantity' })
    const button = shop.locator('[type="submit"]')
    for (const seen of [price, field, button]) {
      await expect(seen.first(), where).toBeInViewport({ ratio: 1 })
    }
    await stillness(page.locator('main'))
    for (const one of await button.all()) {
      expect((await boxOf(one)).height, where).toBe((await boxOf(field.first())).height)
    }
    const more = await boxOf(shop.first().getByRole('button', { name: /^More/ }))
    expect(more.right, where).toBeLessThanOrEqual((await boxOf(button.first())).x)
  }
})

test('fifty packs end in a fan of fifty, the best last, and a summary of one screen', async ({
  page,
}) => {
  await tearAtOnce(page)
  await signIn(page, newLogin())
  await winEveryThird(page, usualWords)
  const modal = await open(page, 50)
  await expect(modal).toContainText('Result 1 of 50')
  for (let index = 2; index <= 50; index += 1) await page.keyboard.press('ArrowRight')
  await expect(modal).toContainText('Result 50 of 50')
  const cards = modal.locator('.card-fan > span')
  await expect(cards).toHaveCount(50)
  await expect(cards.first()).toHaveAttribute('data-outcome', 'redcoin')
  await expect(cards.last()).toHaveAttribute('data-outcome', 'prize')
  const best = modal.getByRole('list', { name: 'Best prizes' })
  await expect(best.getByRole('listitem')).toHaveCount(5)
  for (const size of sizes) {
    await page.setViewportSize(size)
    await stillness(modal)
    const summary = await boxOf(modal.locator('.opening-summary'))
    const stage = await boxOf(modal.locator('.opening-main'))
    const where = `${size.width}x${size.height}`
    expect(summary.height, where).toBeLessThanOrEqual(stage.height)
    expect(summary.right, where).toBeLessThanOrEqual(size.width)
  }
})

test('a pack is torn by mouse and by key, before it tears by itself', async ({ page }) => {
  // A busy machine presses late: what happens by itself comes later, by a clock that goes slowly.
  await page.addInitScript(() => {
    const set = window.setTimeout
    const late = (run: () => void, millis?: number) => set(run, millis === 2_000 ? 60_000 : millis)
    window.setTimeout = late as typeof set
    const now = performance.now.bind(performance)
    performance.now = () => now() / 30
  })
  await signIn(page, newLogin())
  await winEveryThird(page, usualWords)
  for (const tear of [
    () => page.locator('.pack-scene').click(),
    () => page.keyboard.press('Space'),
  ]) {
    const modal = await open(page, 1)
    await expect(modal.locator('.opening-title')).toBeFocused()
    await tear()
    await expect(modal.locator('.tear-hint')).toHaveAttribute('data-torn', 'true')
    await expect(modal).toContainText('Result 1 of 1')
    await page.keyboard.press('Escape')
  }
})

test('a message covers nothing that is pressed next', async ({ page }) => {
  await tearAtOnce(page)
  await signIn(page, newLogin())
  await winEveryThird(page, usualWords)
  for (const size of sharedSizes) {
    await page.setViewportSize(size)
    const modal = await open(page, 1)
    await expect(modal).toContainText('Result 1 of 1')
    await page.keyboard.press('Escape')
    const message = page.locator('.toast[data-state="open"]')
    await expect(message).toContainText('Pack Opening Complete!')
    // It stays while the pointer is on it, however long this machine takes to look.
    await message.hover()
    for (const name of ['Open Packs', 'Max', 'Decrease']) {
      const found = page.getByRole('button', { name: new RegExp(`^${name}`) })
      if ((await found.count()) === 0) continue
      await expectApart(message, found.first(), `${name} at ${size.width}x${size.height}`)
    }
    // A player who looks up finds where they are.
    await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }))
    const heading = page.getByRole('heading', { level: 1 })
    await expectApart(message, heading, `the heading at ${size.width}x${size.height}`)
  }
})

test('a long message above a dialog leaves its fields and buttons free', async ({ page }) => {
  await signIn(page, newLogin())
  const text = 'The packs could not be opened just now, and nothing was taken. '.repeat(6)
  await page.route('**/api/packs/open', (route) =>
    route.fulfill({ status: 503, json: { message: text, error: text } }),
  )
  for (const size of sharedSizes) {
    await page.setViewportSize(size)
    await page.goto('/inventory')
    await page.getByRole('radio', { name: /Starter Pack/ }).click()
    await page.getByRole('button', { name: 'Open Packs' }).click()
    const message = page.locator('.toast[data-state="open"]')
    await expect(message).toContainText('nothing was taken')
    await page.getByRole('button', { name: /^Odds/ }).first().click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toBeVisible()
    const close = dialog.getByRole('button', { name: 'Close' })
    await expectApart(message, close, `${size.width}x${size.height}`)
  }
})
