// Nothing moves that a person looks at: some screens on a slow connection, on a phone, and under
// `npm run test:faults` all of them, those of players on a wide one as well. The scripts that each
// really loads stay within their budget.

import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test'
import { everyday, everyThird } from '../server/test/everyday.ts'
import { budgets } from '../tools/script-budgets.mjs'
import { test } from './product.ts'
import { playerScreens, staffScreens } from './screens.ts'
import { keeper, narrow, signInAsStaff, signInWithPrizes, wide, withUser } from './support.ts'

const shiftMax = 0.02
/** How late each answer comes, and for how long a screen is watched, in milliseconds. */
const slowMs = 150
const watchedMs = 1_200

interface Shift {
  readonly value: number
  readonly atMs: number
}

declare global {
  interface Window {
    shifts: Shift[]
  }
}

function recordShifts(): void {
  window.shifts = []
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as unknown as (PerformanceEntry & {
      readonly value: number
      readonly hadRecentInput: boolean
    })[]) {
      if (!entry.hadRecentInput) window.shifts.push({ value: entry.value, atMs: entry.startTime })
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

/** Of all bursts of shifts the worst, as browsers report it: at most 5 s, no pause of 1 s. */
function worstBurst(shifts: readonly Shift[]): number {
  let worst = 0
  let burst = { value: 0, fromMs: Number.NEGATIVE_INFINITY, toMs: Number.NEGATIVE_INFINITY }
  for (const { value, atMs } of shifts) {
    const isNew = atMs - burst.toMs > 1_000 || atMs - burst.fromMs > 5_000
    burst = isNew
      ? { value, fromMs: atMs, toMs: atMs }
      : { ...burst, value: burst.value + value, toMs: atMs }
    worst = Math.max(worst, burst.value)
  }
  return worst
}

interface Look {
  readonly shift: number
  readonly scriptBytes: number
}

/** A first visit: nothing of the screen is in the browser yet. */
async function lookAt(page: Page, address: string): Promise<Look> {
  await page.addInitScript(recordShifts)
  await page.route('**/api/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, slowMs))
    await route.fallback().catch(() => undefined)
  })
  const scripts = new Map<string, number>()
  page.on('response', (answer) => {
    const { pathname } = new URL(answer.url())
    if (!pathname.endsWith('.js')) return
    expect(answer.headers()['content-encoding'] ?? 'none', pathname).toMatch(/^(br|none)$/)
    scripts.set(pathname, Number(answer.headers()['content-length'] ?? Number.NaN))
  })
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.waitForTimeout(watchedMs)
  const shift = worstBurst(await page.evaluate(() => window.shifts))
  return { shift, scriptBytes: [...scripts.values()].reduce((sum, bytes) => sum + bytes, 0) }
}

type State = Awaited<ReturnType<BrowserContext['storageState']>>

async function stateAfter(
  browser: Browser,
  baseURL: string,
  enter: (page: Page) => Promise<void>,
): Promise<State> {
  const context = await browser.newContext({ baseURL })
  await enter(await context.newPage())
  const state = await context.storageState()
  await context.close()
  return state
}

/** A phone's width; `npm run test:faults` looks at wide screens as well. */
const widths = everyday([narrow], [narrow, wide])

/** Three at a time, each in a browser of its own. */
async function expectCalm(
  browser: Browser,
  options: { readonly baseURL: string; readonly storageState?: State },
  addresses: readonly string[],
  viewports = widths,
): Promise<void> {
  const waiting = addresses.flatMap((address) =>
    viewports.map((viewport) => ({ address, viewport })),
  )
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { address, viewport } = next
      const context = await browser.newContext({ ...options, viewport })
      const { shift, scriptBytes } = await lookAt(await context.newPage(), address)
      const what = `${address} at ${viewport.width} px`
      expect.soft(shift, `layout shift of ${what}`).toBeLessThanOrEqual(shiftMax)
      const [path = ''] = address.split('?')
      const budget = budgets[path] ?? Number.NaN
      expect.soft(scriptBytes, `scripts of ${what}`).toBeLessThanOrEqual(budget)
      await context.close()
    }
  }
  await Promise.all([lane(), lane(), lane()])
}

test.describe('nothing moves while answers come late', () => {
  // Some 15 first visits, or 45: less than a minute, more on a busy machine.
  test.setTimeout(240_000)

  test('for visitors', async ({ browser, productUrl }) => {
    await expectCalm(browser, { baseURL: productUrl }, ['/', '/leaderboard', '/fairness'])
  })

  test('on the screens of players', async ({ browser, productUrl }) => {
    const storageState = await stateAfter(browser, productUrl, signInWithPrizes)
    await expectCalm(browser, { baseURL: productUrl, storageState }, everyThird(playerScreens))
  })

  test('on the tabs of the admin panel', async ({ browser, productUrl }) => {
    const enter = (page: Page) => signInAsStaff(page, keeper)
    const storageState = await stateAfter(browser, productUrl, enter)
    // What moves on a wide screen moves further on a narrow one, where more stands below it.
    const tabs = everyThird(staffScreens)
    await expectCalm(browser, { baseURL: productUrl, storageState }, tabs, [narrow])
  })
})

for (const viewport of [narrow, wide]) {
  test(`choosing a pack with a long text moves nothing at ${viewport.width} px`, async ({
    page,
  }) => {
    const types = ['Short', 'Long', 'Other'].map((name, index) => ({
      ...{ id: index + 1, name, icon: 'gem', color: '#9146ff', oddsHash: 'd0'.repeat(32) },
      ...{ imageUrl: '/art/pack-nebula.svg', imageData: null, imageType: null },
      description: index === 1 ? 'Hoodies, coin chests and vault keys. '.repeat(3) : 'Coins.',
    }))
    const holdings = types.map(({ oddsHash, imageData: _, imageType: __, ...packType }) => {
      return { packTypeId: packType.id, quantity: 3, oddsHash, packType }
    })
    await page.setViewportSize(viewport)
    await withUser(page, {}, { '/api/packs/types': types, '/api/user/packs': holdings })
    await page.goto('/inventory')
    const cards = page.getByRole('radio')
    const places = () =>
      cards.evaluateAll((all) => all.map((card) => card.getBoundingClientRect().toJSON()))
    await expect(cards).toHaveCount(3)
    // By the keyboard: a card under a press is moved by that.
    await cards.nth(0).focus()
    const before = await places()
    await page.keyboard.down('ArrowRight')
    await expect(cards.nth(1)).toBeChecked()
    await page.keyboard.up('ArrowRight')
    expect(await places()).toEqual(before)
    const text = cards.nth(1).getByText('Hoodies')
    const [all, seen] = await text.evaluate((node) => [node.scrollHeight, node.clientHeight])
    expect(all, 'all of the text is seen').toBe(seen)
  })
}
