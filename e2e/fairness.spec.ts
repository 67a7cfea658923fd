// Nobody has to trust the operator: the browser draws again, remembers what it was shown, reads the
// public log, and asks again when odds have changed.

import { writeFileSync } from 'node:fs'
import { type Browser, expect, type Page } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { tearAtOnce } from './opening-results.ts'
import { test } from './product.ts'
import {
  ask,
  expectQuiet,
  inLog,
  keeper,
  narrow,
  newLogin,
  send,
  signIn,
  signInAsStaff,
} from './support.ts'

/** Does something as staff, in a browser of its own. */
async function asStaff<T>(browser: Browser, act: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await signInAsStaff(page, keeper)
  const done = await act(page)
  await context.close()
  return done
}

/** Another consolation makes other odds tables of all packs. */
const payForNothing = (browser: Browser, consolationRedCoin: number) =>
  asStaff(browser, (page) =>
    send(page, '/api/admin/settings/economy', { consolationRedCoin }, 'PUT'),
  )

async function chooseStarters(page: Page, quantity: number): Promise<void> {
  await tearAtOnce(page)
  await page.goto('/inventory')
  await page.getByRole('radio', { name: /Starter Pack/ }).click()
  await page.getByRole('spinbutton', { name: 'Quantity' }).fill(String(quantity))
}

const opened = async (page: Page) =>
  (await ask<{ packsOpened: number }>(page, '/api/user/stats')).packsOpened

/** What this browser keeps of ours, by storage; the router notes where it has scrolled to. */
const kept = (page: Page) =>
  page.evaluate(async () => {
    const ours = (storage: Storage) =>
      Object.keys(storage).filter((name) => name.startsWith('redpack'))
    const databases = (await indexedDB.databases()).map(({ name }) => name)
    return { local: ours(localStorage), session: ours(sessionStorage), databases }
  })

test('an opening proves itself, and all of it stands in the log', async ({ page, context }) => {
  test.setTimeout(120_000)
  const noise = expectQuiet(context)
  await signIn(page, newLogin())
  await chooseStarters(page, 5)
  await page.getByRole('button', { name: 'Open Packs' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Result 1 of 5')
  await expect(dialog.locator('[data-proven="true"]')).toBeVisible()
  await expect(dialog.getByText('Proven in your browser')).toBeVisible()
  await page.keyboard.press('Escape')
  await inLog(page)

  await page.goto('/fairness')
  await expect(page.locator('[data-proven="true"]')).toHaveCount(5)
  await page
    .getByRole('button', { name: /^Verify/ })
    .first()
    .click()
  const report = page.getByRole('dialog', { name: 'Verify this draw' })
  await expect(report.getByText('This draw is fair: every check passed.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.locator('[data-withheld="0"]')).toBeVisible()

  await page.getByRole('tab', { name: 'Log' }).click()
  await page.getByRole('button', { name: 'Check the whole log' }).click()
  await expect(page.getByText(/All [\d,]+ entries passed the check/)).toBeVisible({
    timeout: 30_000,
  })
  await expect(page.locator('[data-alarm]')).toHaveCount(0)
  expect(noise).toEqual([])
})

test('a win that was refused after the draw is drawn again with the next opening', async ({
  page,
}, testInfo) => {
  await signIn(page, newLogin())
  await page.route('**/api/packs/open', (route) =>
    route.fulfill({ status: 409, json: { code: 'wrong_state', message: 'Not now', error: 'x' } }),
  )
  await chooseStarters(page, 20)
  await page.getByRole('button', { name: 'Open Packs' }).click()
  await expect(page.getByText('Pack Opening Error').first()).toBeVisible()
  await page.unroute('**/api/packs/open')
  await chooseStarters(page, 1)
  await page.getByRole('button', { name: 'Open Packs' }).click()
  await expect(page.getByRole('dialog')).toContainText('Result 1 of 1')
  await page.goto('/fairness')
  const list = page.locator('[data-withheld="1"]')
  await expect(list.getByRole('listitem')).toContainText('20 packs, would have given')
  await expectAccessible(page, 'what was withheld')

  const file = testInfo.outputPath('draw-memory.json')
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save the memory' }).click()
  await (await saved).saveAs(file)
  const verifier = testInfo.outputPath('verify-proof.html')
  writeFileSync(verifier, await (await page.request.get('/verify-proof.html')).text())
  await page.goto(`file://${verifier}`)
  await page.getByLabel('Saved file').setInputFiles(file)
  await expect(page.getByText(/^Nothing in this memory disagrees/)).toBeVisible()
  await expect(page.getByText(/^20 packs, would have given/)).toBeVisible()
  const part = testInfo.outputPath('part.json')
  writeFileSync(part, '{"requests":')
  await page.getByLabel('Saved file').setInputFiles(part)
  await expect(page.getByText('This file is not JSON, or only a part of it.')).toBeVisible()
})

test('what was shown is remembered beyond a logout, and nothing else of the person', async ({
  page,
}) => {
  const login = newLogin()
  await signIn(page, login)
  await page.goto('/fairness')
  const { commitment } = await ask<{ commitment: string }>(page, '/api/fairness')
  await expect(page.getByText(commitment, { exact: true })).toBeVisible()
  await page.goto('/logout')
  await page.waitForURL((url) => url.pathname === '/')
  // The page that was led to may still be loading, and is asked again until it stands.
  await expect(async () => {
    expect(await kept(page)).toEqual({ session: [], local: [], databases: ['redpack-fairness'] })
  }).toPass({ timeout: 10_000 })

  await page.route('**/api/fairness', async (route) => {
    const chain = (await (await route.fetch()).json()) as object
    await route.fulfill({ json: { ...chain, commitment: 'e'.repeat(64) } })
  })
  await signIn(page, login)
  await chooseStarters(page, 1)
  const alarm = page.getByRole('alert', { name: 'This opening does not prove itself' })
  await expect(alarm).toHaveAttribute('data-reason', 'seed')
  await expectAccessible(page, 'the alarm')
  await page.getByRole('button', { name: 'Open Packs' }).click()
  await expect(page.getByText('Nothing was opened. Read the warning').first()).toBeVisible()
  expect(await opened(page)).toBe(0)
})

test('odds that changed are shown before anything is spent', async ({ page, browser }) => {
  await page.setViewportSize(narrow)
  await signIn(page, newLogin())
  await chooseStarters(page, 50)
  await payForNothing(browser, 7)
  try {
    await page.getByRole('button', { name: 'Open Packs' }).focus()
    await page.keyboard.press('Enter')
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText('The odds of Starter Pack have changed')
    await expect(question.getByRole('listitem')).toHaveText(/pays 5 RedCoin.*pays 7 RedCoin/)
    expect(await opened(page)).toBe(0)
    await expectAccessible(page, 'the question')
    await page.keyboard.press('Escape')
    await expect(question).toHaveCount(0)
    await page.getByRole('button', { name: 'Open Packs' }).click()
    await question.getByRole('button', { name: 'Open 50 packs with the new odds' }).click()
    await expect(page.getByRole('dialog')).toContainText('Result 1 of 50')
    expect(await opened(page)).toBe(50)
  } finally {
    await payForNothing(browser, 5)
  }
})
