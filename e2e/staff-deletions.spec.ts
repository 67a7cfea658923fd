// What staff delete keeps its place for a while, so that a second press there meets nothing.

import { expect, type Locator, type Page } from '@playwright/test'
import { test } from './product.ts'
import { ask, keeper, narrow, send, signInAsStaff, wide } from './support.ts'

test.use({ reducedMotion: 'reduce', actionTimeout: 15_000 })

interface Thing {
  readonly id: number
}

/** Presses twice at one spot, half a second apart. */
async function pressTwice(page: Page, target: Locator): Promise<void> {
  // Messages stand at the lower end of the screen.
  await target.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const box = await target.boundingBox()
  if (!box) throw new Error('There is nothing to press')
  const spot = [box.x + box.width / 2, box.y + box.height / 2] as const
  await page.mouse.click(...spot)
  await page.waitForTimeout(500)
  await page.mouse.click(...spot)
}

const lists = [
  { tab: 'prizes', path: '/api/admin/prizes', what: 'prize' },
  { tab: 'pack-types', path: '/api/admin/pack-types', what: 'pack type' },
  { tab: 'store', path: '/api/admin/store/listings', what: 'listing' },
] as const

/** Three things of each kind that nothing else speaks of. @returns the names of their buttons */
async function makeThree(page: Page, { tab, path }: (typeof lists)[number]): Promise<string[]> {
  const names = ['One', 'Two', 'Six'].map((word) => `${word} ${tab} ${page.viewportSize()?.width}`)
  for (const name of names) {
    const { id } = await send<Thing>(page, '/api/admin/pack-types', { name })
    if (tab === 'prizes') {
      await send(page, path, { name, winFrequency: 1, totalPacks: 900, packTypeIds: [id] })
    }
    if (tab === 'store') {
      await send(page, path, { packTypeId: id, redCoinPrice: 5, isUnlimited: true })
    }
  }
  return names.map((name) => (tab === 'store' ? `Delete listing of ${name}` : `Delete ${name}`))
}

for (const size of [wide, narrow]) {
  for (const list of lists) {
    test(`two presses at one spot delete one ${list.what}, ${size.width} wide`, async ({
      page,
    }) => {
      test.setTimeout(120_000)
      await page.setViewportSize(size)
      await signInAsStaff(page, keeper)
      const count = async () => (await ask<Thing[]>(page, list.path)).length
      const [first = '', second = ''] = await makeThree(page, list)
      const before = await count()
      await page.goto(`/admin?tab=${list.tab}`)
      const button = (name: string) => page.getByRole('button', { name, exact: true })
      await expect(button(second)).toBeVisible()
      const undo = page.getByRole('button', { name: /^Undo the deletion of/ })

      await pressTwice(page, button(first))
      await expect(undo).toHaveCount(1)
      expect(await count()).toBe(before - 1)
      await pressTwice(page, button(second))
      await expect(undo).toHaveCount(2)
      expect(await count()).toBe(before - 2)

      // Each on its own, the first one too.
      await undo.first().click()
      await expect(button(first)).toBeVisible()
      await undo.first().click()
      await expect(button(second)).toBeVisible()
      await expect.poll(count).toBe(before)
    })
  }
}
