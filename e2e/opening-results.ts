// What packs held, made up: openings that answer alike every time.

import { expect, type Locator, type Page, type Route } from '@playwright/test'
import type { OpeningResult } from '@redpack/contract'
import { answerOf, losing, winning } from '../web/src/features/packs/opening-samples.fixture.ts'
import { openingStepMs } from '../web/src/features/packs/stage-timeline.ts'

interface PrizeWords {
  readonly description: string
  readonly claimInstructions: string
}

const fewWords: PrizeWords = {
  description: 'Heavy cotton.',
  claimInstructions: 'Write to us.',
}

/** As much as a prize usually says, for what has to find room. */
export const usualWords: PrizeWords = {
  description: 'Heavy cotton with the mark of the community on its back, made to order.',
  claimInstructions: 'Write to us with your size and your address, and keep your Claim ID at hand.',
}

/** A pack that held a physical prize; the number tells prizes apart. */
export const wonPrize = (index: number, words: PrizeWords = fewWords) =>
  winning({
    ...{ id: 9000 + index, name: `Hoodie ${index}`, claimId: `PR-7KQ2MX${10 + index}` },
    ...words,
  })

/** A pack that held nothing, and its consolation. */
export const nothingWon = losing()

/** Answers with made-up results: the browser forgets what it asked, and so proves nothing. */
async function answer(page: Page, route: Route, results: readonly OpeningResult[]): Promise<void> {
  await page.evaluate(async () => {
    const request = indexedDB.open('redpack-fairness', 1)
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      request.onupgradeneeded = () => request.result.createObjectStore('rows')
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
    const cleared = database.transaction('rows', 'readwrite')
    cleared.objectStore('rows').clear()
    await new Promise((resolve) => {
      cleared.oncomplete = resolve
    })
    database.close()
  })
  await route.fulfill({ json: answerOf([...results], 100) })
}

/** Lets openings answer with these results from now on. */
export async function answerWith(page: Page, results: readonly OpeningResult[]): Promise<void> {
  await page.unroute('**/api/packs/open')
  await page.route('**/api/packs/open', (route) => answer(page, route, results))
}

/** Lets openings answer with a prize in every third pack, the first among them. */
export async function winEveryThird(page: Page, words?: PrizeWords): Promise<void> {
  await page.route('**/api/packs/open', (route) => {
    const { quantity } = route.request().postDataJSON() as { quantity: number }
    const results = Array.from({ length: quantity }, (_, index) =>
      index % 3 === 0 ? wonPrize(index, words) : nothingWon,
    )
    return answer(page, route, results)
  })
}

/** From the next address on packs tear at once, for journeys that begin with the results. */
export async function tearAtOnce(page: Page): Promise<void> {
  await page.addInitScript((stepMillis) => {
    const set = window.setTimeout
    const soon = (run: () => void, millis?: number) => set(run, millis === stepMillis ? 0 : millis)
    window.setTimeout = soon as typeof set
  }, openingStepMs)
}

/** Waits until nothing inside moves any more, and nothing has begun to in the next two frames. */
export async function stillness(place: Locator): Promise<void> {
  await expect
    .poll(() =>
      place.evaluate(async (element) => {
        const moving = () =>
          element
            .getAnimations({ subtree: true })
            .filter(({ playState }) => playState === 'running' || playState === 'paused').length
        const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
        let most = moving()
        for (let frame = 0; frame < 2; frame += 1) {
          await nextFrame()
          most = Math.max(most, moving())
        }
        return most
      }),
    )
    .toBe(0)
}
