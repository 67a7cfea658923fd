// A first day of a new member of staff, from end to end on the real server: once with the mouse,
// and once with the keyboard alone.

import { expect, type Locator, type Page } from '@playwright/test'
import { test } from './product.ts'
import {
  ask,
  fixedEntropy,
  type Hand,
  keeper,
  keyboard,
  loadPhysicalPrize,
  mouse,
  newLogin,
  send,
  signIn,
  signInAsStaff,
  wide,
} from './support.ts'

const ways: readonly { readonly name: string; readonly hand: Hand }[] = [
  { name: 'with the mouse', hand: mouse },
  { name: 'with the keyboard alone', hand: keyboard },
]

/** The first tab of somebody who plays while staff are at work. */
async function viewer(page: Page): Promise<{ login: string; tab: Page }> {
  const context = await page.context().browser()!.newContext()
  const tab = await context.newPage()
  const login = newLogin()
  await signIn(tab, login)
  await tab.goto('/dashboard')
  return { login, tab }
}

/** The input of a file is out of sight; the keyboard reaches it, the mouse its label. */
async function give(
  hand: Hand,
  input: Locator,
  file: { name: string; mimeType: string; buffer: Buffer },
): Promise<void> {
  if (hand === mouse) return input.setInputFiles(file)
  const chooser = input.page().waitForEvent('filechooser')
  await hand.press(input)
  await (await chooser).setFiles(file)
}

async function openTab(page: Page, hand: Hand, label: string): Promise<void> {
  const tabs = page.getByRole('navigation', { name: 'Admin tabs' })
  await hand.press(tabs.getByRole('link', { name: label, exact: true }))
}

/** Tabs are one stop for the Tab key; the arrows lead from one to the next. */
async function openSubTab(page: Page, hand: Hand, label: string): Promise<void> {
  const wanted = page.getByRole('tab', { name: label })
  if (hand === mouse) return wanted.click()
  const selected = page.getByRole('tab', { selected: true })
  await hand.press(selected)
  for (let step = 0; step < 6; step += 1) {
    const name = (await selected.textContent()) ?? ''
    if (name === label) return
    await page.keyboard.press('ArrowRight')
    // The next press would start from the old tab, or go on from one that nobody has seen.
    await expect(selected).not.toHaveText(name)
  }
  await expect(wanted).toHaveAttribute('aria-selected', 'true')
}

for (const { name, hand } of ways) {
  test.describe(name, () => {
    test.use({ viewport: wide, reducedMotion: 'reduce', actionTimeout: 15_000 })

    test('staff set up a pack, grant it by file, settle a claim, reverse and repaint', async ({
      page,
    }) => {
      test.setTimeout(180_000)
      const stamp = newLogin()
      const packName = `Pack ${stamp}`
      const { login, tab } = await viewer(page)
      await signInAsStaff(page, keeper)
      await page.goto('/admin')

      await openTab(page, hand, 'Pack Types')
      await hand.press(page.getByRole('button', { name: 'Add Pack Type' }))
      const dialog = page.getByRole('dialog')
      await hand.type(dialog.getByLabel('Pack Type Name'), packName)
      await hand.type(dialog.getByLabel('Description'), 'Three prizes and a picture.')
      const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 200, height: 240 } })
      await give(hand, dialog.getByLabel('Upload Image'), {
        name: 'pack.png',
        mimeType: 'image/png',
        buffer: picture,
      })
      await hand.press(dialog.getByRole('button', { name: 'Create pack type' }))
      await expect(dialog).toHaveCount(0)
      const card = page.getByRole('listitem').filter({ hasText: packName })
      await expect(card).toContainText('Has Image')

      await openTab(page, hand, 'Prizes')
      for (const [prize, wins, coins] of [
        [`Mug ${stamp}`, '1', '0'],
        [`Coins ${stamp}`, '3', '40'],
        [`Poster ${stamp}`, '2', '0'],
      ] as const) {
        await hand.press(page.getByRole('button', { name: 'Add Prize' }))
        await hand.type(dialog.getByLabel('Name', { exact: true }), prize)
        await hand.type(dialog.getByLabel('Description'), 'Won by whoever opens it.')
        await hand.type(dialog.getByLabel('RedCoin amount'), coins)
        await hand.type(dialog.getByLabel('Win frequency'), wins)
        await hand.type(dialog.getByLabel('Total packs'), '10')
        await hand.tick(dialog.getByRole('checkbox', { name: packName }))
        await hand.press(dialog.getByRole('button', { name: 'Create prize' }))
        await expect(dialog).toHaveCount(0)
      }
      await expect(page.getByRole('listitem').filter({ hasText: `Coins ${stamp}` })).toContainText(
        '3 wins in 10 packs (30.00%)',
      )

      await openTab(page, hand, 'Store')
      await hand.press(page.locator('summary', { hasText: 'Create Store Listing' }))
      const listing = page.getByRole('form', { name: 'Create Store Listing' })
      await hand.choose(listing.getByLabel('Pack type'), packName)
      await hand.type(listing.getByLabel('Price (RedCoin)'), '120')
      await hand.press(listing.getByRole('button', { name: 'Create listing' }))
      await expect(page.getByRole('row').filter({ hasText: packName })).toContainText('120')

      await openTab(page, hand, 'Distribute')
      await openSubTab(page, hand, 'Bulk Distribution')
      const bulk = page.getByRole('form').or(page.locator('form')).first()
      await hand.choose(bulk.getByLabel('Pack type'), packName)
      const rows = ['username,quantity', `${login},6`, 'nobody-of-that-name,2', `${login}x,none`]
      await give(hand, bulk.getByLabel(/CSV file/).first(), {
        name: 'drop.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(rows.join('\n')),
      })
      await hand.press(bulk.getByRole('button', { name: /^Distribute 6 .* to 1 user$/ }))
      await expect(page.getByRole('status').filter({ hasText: '6' }).first()).toBeVisible()
      const packs = await ask<
        { packTypeId: number; quantity: number; packType: { name: string } }[]
      >(tab, '/api/user/packs')
      const held = packs.find(({ packType }) => packType.name === packName)
      expect(held?.quantity).toBe(6)

      const won = await loadPhysicalPrize(tab, held!.packTypeId)
      const order = { packTypeId: held!.packTypeId, quantity: 1, entropy: fixedEntropy }
      await send(tab, '/api/packs/open', order)
      await openTab(page, hand, 'Prize Claims')
      await hand.type(page.getByLabel('Search claims'), login)
      await hand.press(page.getByRole('button', { name: 'Search', exact: true }))
      const claim = page.getByRole('row').filter({ hasText: won })
      await hand.press(claim.getByRole('button', { name: /^Approve/ }))
      await hand.press(page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }))
      await expect(page.getByRole('alertdialog')).toHaveCount(0)
      await expect(claim).toHaveCount(0)

      await openTab(page, hand, 'Distribute')
      await openSubTab(page, hand, 'Bulk Distribution')
      await hand.press(page.getByRole('button', { name: /^Reverse/ }).first())
      await hand.press(page.getByRole('alertdialog').getByRole('button', { name: 'Reverse' }))
      const shortfall = page.getByRole('dialog', { name: 'Not everything could be taken back' })
      await expect(shortfall).toContainText(login)
      await expect(shortfall).toContainText('5 of 6 taken back')
      await page.keyboard.press('Escape')
      await expect
        .poll(async () => {
          const left = await ask<{ packTypeId: number; quantity: number }[]>(tab, '/api/user/packs')
          return left.find(({ packTypeId }) => packTypeId === held!.packTypeId)?.quantity ?? 0
        })
        .toBe(0)

      await openTab(page, hand, 'Settings')
      const before = await tab.evaluate(() => getComputedStyle(document.body).backgroundColor)
      await hand.tick(page.getByRole('radio', { name: /Gaming Purple/ }))
      await hand.press(page.getByRole('button', { name: 'Update Theme' }))
      await expect
        .poll(() => tab.evaluate(() => getComputedStyle(document.body).backgroundColor))
        .not.toBe(before)
      await hand.press(page.getByRole('button', { name: 'Reset to Default' }))
      await hand.press(page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }))
      await expect
        .poll(() => tab.evaluate(() => getComputedStyle(document.body).backgroundColor))
        .toBe(before)
      await tab.context().close()
    })
  })
}
