// Every tab of the admin panel and its dialogs: nothing for axe to find, no scrolling sideways.

import { expect, type Page } from '@playwright/test'
import { everyThird } from '../server/test/everyday.ts'
import { adminTabNames } from '../web/src/compat/admin-tabs.ts'
import { expectAccessible, expectNarrowEnough, isColoured, themedPage } from './accessibility.ts'
import { test } from './product.ts'
import { keeper, signInAsStaff } from './support.ts'

interface Door {
  readonly tab: string
  /** The button to press, by the beginning of its name. */
  readonly press: RegExp
}

const doors: readonly Door[] = [
  { tab: 'prizes', press: /^Add Prize/ },
  { tab: 'prizes', press: /^Edit / },
  { tab: 'prizes', press: /^Manage inventory/ },
  { tab: 'pack-types', press: /^Add Pack Type/ },
  { tab: 'pack-types', press: /^Edit / },
  { tab: 'store', press: /^Add Listing/ },
  { tab: 'store', press: /^Edit listing/ },
  { tab: 'claims', press: /^Delete All/ },
  { tab: 'users', press: /^View Prizes/ },
  { tab: 'users', press: /^Columns/ },
  { tab: 'twitch', press: /^Delete / },
  { tab: 'twitch', press: /^Add Stream/ },
  { tab: 'discord-bot', press: /^Add Server/ },
  { tab: 'settings', press: /^Reset to Default/ },
  { tab: 'security', press: /^Set up/ },
]
const distribution = [
  'Individual Distribution',
  'RedCoin Distribution',
  'Individual Removal',
  'Bulk Distribution',
  'Remove Items',
]

async function openTab(page: Page, tab: string): Promise<void> {
  await page.goto(`/admin?tab=${tab}`)
  await settled(page)
}

/** Waits until the open tab shows what it has. */
async function settled(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: /^Loading/ })).toHaveCount(0)
}

// One after the other they are the longest of all journeys.
test.describe.configure({ mode: 'parallel' })

const half = Math.ceil(adminTabNames.length / 2)
for (const [which, tabs] of [
  ['first', adminTabNames.slice(0, half)],
  ['second', adminTabNames.slice(half)],
] as const) {
  test(`axe finds nothing on any tab of the ${which} half, and none scrolls sideways`, async ({
    page,
  }) => {
    // Some ten tabs: a minute, and more on a busy machine or in every theme.
    test.setTimeout(300_000)
    const themed = await themedPanel(page)
    const links = page.getByRole('navigation', { name: 'Admin tabs' })
    for (const { label } of tabs) {
      await links.getByRole('link', { name: label, exact: true }).click()
      await settled(page)
      await themed.check(label)
      await expectNarrowEnough(page, label)
    }
  })
}

test('axe finds nothing in what distributes in any theme', async ({ page }) => {
  test.setTimeout(180_000)
  const themed = await themedPanel(page)
  await openTab(page, 'distribute')
  for (const label of distribution) {
    await page.getByRole('tab', { name: label }).click()
    await themed.check(label)
  }
})

async function themedPanel(page: Page) {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const themed = await themedPage(page)
  await signInAsStaff(page, keeper)
  await page.goto('/admin')
  return themed
}

test('axe finds nothing in the dialogs of the panel', async ({ page }) => {
  test.setTimeout(180_000)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await signInAsStaff(page, keeper)
  await page.goto('/admin')
  const links = page.getByRole('navigation', { name: 'Admin tabs' })
  const above = page.locator('[role=dialog], [role=alertdialog], [role=menu]')
  let openedTab = ''
  for (const [index, { tab, press }] of everyThird(doors).entries()) {
    if (tab !== openedTab) await links.locator(`a[href$="tab=${tab}"]`).click()
    // The panel of the tab before has buttons of the same names.
    await page.waitForURL(`**/admin?tab=${tab}`)
    await settled(page)
    openedTab = tab
    await page.getByRole('button', { name: press }).first().click()
    await expect(above.first()).toBeVisible()
    await expectAccessible(page, `${tab}: ${press}`, isColoured(index))
    await page.keyboard.press('Escape')
    await expect(above).toHaveCount(0)
  }
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page, 'command menu')
})
