// What an opening costs the browser's main thread: no piece of work is long enough to be seen as a
// stop, with one pack and with fifty. Counted in processor time of that thread and beside a known
// piece of work, so that neither a slow machine nor a busy one changes the verdict.

import { type Browser, expect, type Page } from '@playwright/test'
import { stillness, winEveryThird } from './opening-results.ts'
import { test } from './product.ts'
import { newLogin, signIn, wide } from './support.ts'

/**
 * How often the known work goes into the longest task. It takes about 1.5, which is 46 ms where a
 * processor is slowed down to a quarter.
 */
const longestMax = 2.5

/** An entry of Chromium's trace. Times in microseconds; `tdur` is processor time of the thread. */
interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  readonly tdur?: number
}

/** The known work: elements with style and layout, of which an opening is made as well. */
async function workKnown(page: Page): Promise<void> {
  for (let time = 0; time < 5; time += 1) {
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          setTimeout(() => {
            performance.mark('known-work')
            const box = document.createElement('div')
            for (let index = 0; index < 300; index += 1) {
              const button = document.createElement('button')
              button.className = 'button button-ghost button-large'
              button.textContent = `Button ${index}`
              box.append(button)
            }
            document.body.append(box)
            box.getBoundingClientRect()
            box.remove()
            resolve()
          })
        }),
    )
  }
}

async function record(browser: Browser, page: Page, quantity: number): Promise<TraceEvent[]> {
  await page.goto('/inventory')
  await page.getByRole('radio', { name: /Starter Pack/ }).click()
  await page.getByRole('spinbutton', { name: 'Quantity' }).fill(String(quantity))
  await page.waitForLoadState('networkidle')
  await browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] })
  await workKnown(page)
  await page.evaluate(() => performance.mark('pressing'))
  await page.getByRole('button', { name: 'Open Packs' }).click()
  const modal = page.getByRole('dialog')
  await expect(modal).toContainText(`Result 1 of ${quantity}`)
  for (let index = 2; index <= quantity; index += 1) await page.keyboard.press('ArrowRight')
  await expect(modal).toContainText(`Result ${quantity} of ${quantity}`)
  await stillness(modal)
  await page.keyboard.press('Escape')
  await expect(page.locator('.toast[data-state="open"]')).toContainText('Pack Opening Complete!')
  const trace = (await browser.stopTracing()).toString()
  return (JSON.parse(trace) as { traceEvents: TraceEvent[] }).traceEvents
}

interface Work {
  /** The known work, the median of several times; milliseconds of processor time as below. */
  readonly knownMs: number
  /** The longest task from the press on. */
  readonly longestMs: number
}

function workIn(events: readonly TraceEvent[]): Work {
  const marks = events.filter(({ name }) => name === 'known-work')
  const pressing = events.find(({ name }) => name === 'pressing')
  if (!pressing) throw new Error('The trace says nothing of the opening')
  const tasks = events.filter(
    ({ name, pid, tid, dur }) =>
      name === 'ThreadControllerImpl::RunTask' &&
      pid === pressing.pid &&
      tid === pressing.tid &&
      dur !== undefined,
  )
  const millis = ({ tdur = 0 }: TraceEvent) => tdur / 1000
  const known = tasks
    .filter(({ ts, dur = 0 }) => marks.some((mark) => ts <= mark.ts && mark.ts <= ts + dur))
    .map(millis)
    .sort((left, right) => left - right)
  const shown = tasks.filter(({ ts }) => ts > pressing.ts).map(millis)
  return { knownMs: known[2] ?? Number.NaN, longestMs: Math.max(...shown) }
}

test('no step of an opening holds the browser up, with one pack and with fifty', async ({
  browser,
  page,
}) => {
  test.setTimeout(180_000)
  await page.setViewportSize(wide)
  await signIn(page, newLogin())
  await winEveryThird(page)
  for (const quantity of [1, 50]) {
    const { knownMs, longestMs } = workIn(await record(browser, page, quantity))
    expect(knownMs, 'the known work is in the trace').toBeGreaterThan(0)
    expect(longestMs, `with ${quantity}`).toBeLessThan(knownMs * longestMax)
  }
})
