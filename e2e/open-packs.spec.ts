// The main job: a new viewer signs in, opens packs, wins, and finds it all again.

import { expect, type Page } from '@playwright/test'
import { tearAtOnce } from './opening-results.ts'
import { test } from './product.ts'
import { ask, expectQuiet, narrow, newLogin, signIn, signInByHand } from './support.ts'

interface Me {
  readonly redCoinBalance: number
}
interface OpenAnswer {
  readonly results: readonly { readonly won: boolean; readonly redCoinEarned: number }[]
  readonly updatedBalance: number
}

/** Opens packs of the Starter type through the controls and answers what the server said. */
async function open(page: Page, quantity: number): Promise<OpenAnswer> {
  await page.getByRole('radio', { name: /Starter Pack/ }).click()
  await page.getByRole('spinbutton', { name: 'Quantity' }).fill(String(quantity))
  const answer = page.waitForResponse('**/api/packs/open')
  await page.getByRole('button', { name: 'Open Packs' }).click()
  return (await (await answer).json()) as OpenAnswer
}

const earned = (answer: OpenAnswer) =>
  answer.results.reduce((sum, { redCoinEarned }) => sum + redCoinEarned, 0)

test('a new viewer signs in through the sandbox and opens 1 pack, then 50; balance, packs and history agree', async ({
  page,
  context,
}) => {
  test.setTimeout(90_000)
  const noise = expectQuiet(context)
  const login = newLogin()
  await signInByHand(page, login)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(login)
  const before = await ask<{ totalPacks: number; packsOpened: number }>(page, '/api/user/stats')
  expect(before.packsOpened).toBe(0)

  await page.goto('/inventory')
  const one = await open(page, 1)
  const modal = page.getByRole('dialog')
  await expect(modal).toContainText('Opening Starter Pack...')
  await expect(modal).toContainText('Result 1 of 1')
  await modal.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(page.getByText('Pack Opening Complete!', { exact: true })).toBeVisible()
  await expect(page.getByText(/^Opened 1 pack\(s\)/)).toBeVisible()

  const fifty = await open(page, 50)
  expect(fifty.results).toHaveLength(50)
  expect(fifty.updatedBalance).toBe(earned(one) + earned(fifty))
  await expect(modal).toContainText('Result 1 of 50')
  for (let result = 2; result <= 50; result += 1) {
    await page.keyboard.press('Enter')
    await expect(modal).toContainText(`Result ${result} of 50`)
  }
  await modal.getByRole('button', { name: 'Close', exact: true }).click()
  const wins = fifty.results.filter(({ won }) => won).length
  await expect(page.getByText(`Opened 50 pack(s) - Won ${wins} prize(s)!`).first()).toBeVisible()

  const me = await ask<Me>(page, '/api/auth/me')
  expect(me.redCoinBalance).toBe(fifty.updatedBalance)
  const after = await ask<{ totalPacks: number; packsOpened: number }>(page, '/api/user/stats')
  expect(after.packsOpened).toBe(51)
  await page.goto('/dashboard')
  const card = (name: string) => page.getByRole('link', { name: new RegExp(name) })
  await expect(card('Available Packs')).toContainText(String(after.totalPacks))
  await expect(card('Total Opened')).toContainText('51')
  await expect(page.getByText('RedCoin Balance').locator('xpath=../..')).toContainText(
    fifty.updatedBalance.toLocaleString('en'),
  )
  const recent = page.getByRole('listitem').filter({ hasText: 'From ' })
  await expect(recent).toHaveCount(5)
  expect(noise).toEqual([])
})

test('an opening whose answer is lost is not paid for twice', async ({ page }) => {
  await tearAtOnce(page)
  await signIn(page, newLogin())
  await page.goto('/inventory')
  let lost = 0
  await page.route('**/api/packs/open', async (route) => {
    if (lost > 0) return route.fallback()
    lost += 1
    await route.fetch()
    await route.abort('connectionreset')
  })
  await page.getByRole('radio', { name: /Starter Pack/ }).click()
  await page.getByRole('spinbutton', { name: 'Quantity' }).fill('3')
  await page.getByRole('button', { name: 'Open Packs' }).click()
  await expect(page.getByRole('dialog')).toContainText('Result 1 of 3')
  const stats = await ask<{ packsOpened: number }>(page, '/api/user/stats')
  expect(stats.packsOpened).toBe(3)
})

test.describe('on a phone', () => {
  test.use({ viewport: narrow })

  test('the whole way works by keyboard alone, with reduced motion', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await signIn(page, newLogin())
    await page.goto('/inventory')
    await expect(page.getByRole('radio', { name: /Starter Pack/ })).toBeVisible()
    await page.getByRole('radio', { name: /Starter Pack/ }).focus()
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Open Packs' }).focus()
    await page.keyboard.press('Enter')
    const modal = page.getByRole('dialog')
    await expect(modal).toContainText('Result 1 of 1')
    await page.keyboard.press('Enter')
    await expect(modal).toHaveCount(0)
    const focused = () => page.evaluate(() => document.activeElement?.tagName)
    await expect.poll(focused).not.toBe('BODY')
  })
})
