// Staff make, change and remove one of everything, and set up both bots, in the panel.

import { expect, type Page } from '@playwright/test'
import { test } from './product.ts'
import { keeper, narrow, newLogin, send, signInAsStaff, wide } from './support.ts'

test.use({ viewport: wide, reducedMotion: 'reduce', actionTimeout: 15_000 })

async function openTab(page: Page, tab: string): Promise<void> {
  await page.goto(`/admin?tab=${tab}`)
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
}

/** Answers the question that stands open. */
async function confirm(page: Page, name: string): Promise<void> {
  const question = page.getByRole('alertdialog')
  const button = question.getByRole('button', { name, exact: true })
  await expect(button).toBeVisible()
  await button.click()
  await expect(question).toHaveCount(0)
}

test('one of each is made, changed and deleted', async ({ page }) => {
  test.setTimeout(180_000)
  const stamp = newLogin()
  await signInAsStaff(page, keeper)
  const dialog = page.getByRole('dialog')
  const items = page.getByRole('listitem')

  await openTab(page, 'pack-types')
  await page.getByRole('button', { name: 'Add Pack Type' }).click()
  await dialog.getByLabel('Pack Type Name').fill(`Pack ${stamp}`)
  await dialog.getByRole('button', { name: 'Create pack type' }).click()
  await page.getByRole('button', { name: `Edit Pack ${stamp}` }).click()
  await dialog.getByLabel('Description').fill('Changed.')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect(items.filter({ hasText: `Pack ${stamp}` })).toContainText('Changed.')

  await openTab(page, 'prizes')
  await page.getByRole('button', { name: 'Add Prize' }).click()
  await dialog.getByLabel('Name', { exact: true }).fill(`Prize ${stamp}`)
  await dialog.getByLabel('Description').fill('For a while.')
  await dialog.getByRole('checkbox', { name: `Pack ${stamp}` }).check()
  await dialog.getByRole('button', { name: 'Create prize' }).click()
  await page.getByRole('button', { name: `Edit Prize ${stamp}` }).click()
  await dialog.getByLabel('Total packs').fill('40')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect(items.filter({ hasText: `Prize ${stamp}` })).toContainText('wins in 40 packs')

  await openTab(page, 'store')
  await page.locator('summary', { hasText: 'Create Store Listing' }).click()
  const form = page.getByRole('form', { name: 'Create Store Listing' })
  await form.getByLabel('Pack type').selectOption({ label: `Pack ${stamp}` })
  await form.getByLabel('Price (RedCoin)').fill('90')
  await form.getByRole('button', { name: 'Create listing' }).click()
  const row = page.getByRole('row').filter({ hasText: `Pack ${stamp}` })
  await page.getByRole('button', { name: `Edit listing of Pack ${stamp}` }).click()
  await dialog.getByLabel('Price (RedCoin)').fill('95')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect(row).toContainText('95')
  await page.getByRole('button', { name: `Delete listing of Pack ${stamp}` }).click()
  await expect(row.getByText(`Deleted Pack ${stamp}.`)).toBeVisible()

  await openTab(page, 'prizes')
  await page.getByRole('button', { name: `Delete Prize ${stamp}` }).click()
  await expect(items.getByText(`Deleted Prize ${stamp}.`)).toBeVisible()

  await openTab(page, 'pack-types')
  await page.getByRole('button', { name: `Delete Pack ${stamp}` }).click()
  await expect(items.getByText(`Deleted Pack ${stamp}.`)).toBeVisible()

  await openTab(page, 'twitch')
  await page.getByRole('button', { name: 'Add Stream' }).click()
  await dialog.getByLabel('Display name').fill(`Stream ${stamp}`)
  await dialog.getByLabel('Channel name').fill(stamp)
  await dialog.getByLabel('Twitch channel ID').fill(`7${Date.now()}`)
  await dialog.getByRole('button', { name: 'Create stream' }).click()
  await page.getByRole('button', { name: `Edit Stream ${stamp}` }).click()
  await dialog.getByLabel('Watch time (minutes)').fill('45')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  const stream = page.getByRole('listitem', { name: `Stream ${stamp}` })
  await expect(stream).toContainText('45 minutes')
  await page.getByRole('button', { name: `Delete Stream ${stamp}` }).click()
  await confirm(page, 'Confirm')
  await expect(stream.getByText(`Deleted Stream ${stamp}.`)).toBeVisible()

  // The demo's own viewers have claims that wait.
  await openTab(page, 'prize-claims')
  const claims = page.getByRole('row').filter({ hasText: 'PENDING' })
  await expect(claims.first()).toBeVisible()
  const approved = (await claims.first().getByText(/^PR-/).textContent()) ?? ''
  await page.getByRole('button', { name: `Approve ${approved}` }).click()
  await confirm(page, 'Confirm')
  await expect(claims.filter({ hasText: approved })).toHaveCount(0)
  const deleted = (await claims.first().getByText(/^PR-/).textContent()) ?? ''
  await page.getByRole('button', { name: `Delete ${deleted}` }).click()
  await confirm(page, 'Confirm')
  await expect(claims.getByText(`Deleted ${deleted}.`)).toBeVisible()
})

test('both bots are set up', async ({ page }) => {
  await signInAsStaff(page, keeper)
  await openTab(page, 'discord-bot')
  await page.getByRole('button', { name: 'Add Server' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Server name').fill('Redpack Lounge')
  await dialog.getByLabel('Server ID').fill('8100')
  await dialog.getByLabel('Channel ID').fill('8200')
  await dialog.getByLabel('Channel name').fill('drops')
  await dialog.getByRole('button', { name: 'Add server' }).click()
  await expect(page.getByRole('region', { name: 'Discord servers' })).toContainText(
    'Redpack Lounge',
  )
  const settings = page.getByRole('form', { name: 'Bot settings' })
  await settings.getByLabel('Reward amount (RedCoin)').fill('60')
  await settings.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByText('Not saved yet')).toHaveCount(0)
  await page.reload()
  await expect(settings.getByLabel('Reward amount (RedCoin)')).toHaveValue('60')

  const bot = await send<Record<'userId' | 'clientId' | 'accessToken' | 'refreshToken', string>>(
    page,
    '/sandbox/control/twitch/bot-token',
    { login: 'loungebot', scopes: ['moderator:read:chatters', 'user:write:chat'] },
  )
  await openTab(page, 'bot-credentials')
  await page.getByRole('tab', { name: 'Twitch Bot' }).click()
  const form = page.getByRole('form', { name: 'Twitch bot credentials' })
  await form.getByLabel('Bot username').fill('loungebot')
  await form.getByLabel('Bot user ID').fill(bot.userId)
  await form.getByLabel('Client ID').fill(bot.clientId)
  await form.getByLabel('Access token', { exact: true }).fill(bot.accessToken)
  await form.getByLabel('Refresh token', { exact: true }).fill(bot.refreshToken)
  await form.getByRole('button', { name: /^Save/ }).click()
  await expect(page.getByText('Twitch credentials updated successfully').first()).toBeVisible()
  await page.reload()
  await expect(form.getByLabel('Bot username')).toHaveValue('loungebot')
  expect(await page.content()).not.toContain(bot.accessToken)
})

test('names stay in sight while the users table scrolls sideways, beside an edge', async ({
  page,
}) => {
  await page.setViewportSize({ width: 820, height: 800 })
  await signInAsStaff(page, keeper)
  await openTab(page, 'users')
  const name = page.getByRole('rowheader').first()
  await expect(name).toBeVisible()
  const before = (await name.boundingBox())?.x ?? 0
  const scrolled = await page.getByRole('table').evaluate((table) => {
    let part: HTMLElement | null = table.parentElement
    while (part && part.scrollWidth <= part.clientWidth) part = part.parentElement
    part?.scrollTo({ left: 1_000, behavior: 'instant' })
    return part?.scrollLeft ?? 0
  })
  expect(scrolled).toBeGreaterThan(100)
  expect((await name.boundingBox())?.x).toBeCloseTo(before, 0)
  await expect(name).not.toHaveCSS('box-shadow', 'none')
  // Cells of a table whose borders collapse are drawn without their shadows.
  await expect(page.getByRole('table')).toHaveCSS('border-collapse', 'separate')
})

test('a claim shows its status beside its actions on a tablet', async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 800 })
  await signInAsStaff(page, keeper)
  // The widest that a winner's name takes, and no prize of another journey.
  await page.route('**/api/admin/prize-claims?*', async (route) => {
    const answer = await (await route.fetch()).json()
    const user = { id: 1, username: 'wanderer_of_the_north', displayName: 'Wanderer of the North' }
    const claims = answer.claims.map((claim: object) => ({ ...claim, user, prizeName: 'Hoodie' }))
    await route.fulfill({ json: { ...answer, claims } })
  })
  await openTab(page, 'prize-claims')
  const row = page.getByRole('row').filter({ has: page.getByRole('button', { name: /^Approve / }) })
  const status = await row.first().getByText('pending', { exact: true }).boundingBox()
  const actions = await row.first().getByRole('cell').last().boundingBox()
  expect((status?.x ?? 0) + (status?.width ?? 0)).toBeLessThan(actions?.x ?? 0)
})

test('the open tab is in sight on a phone, from wherever it was opened', async ({ page }) => {
  await page.setViewportSize(narrow)
  await signInAsStaff(page, keeper)
  await openTab(page, 'users')
  const tabs = page.getByRole('navigation', { name: 'Admin tabs' })
  for (const name of ['Distribute', 'Audit Log']) {
    await page.getByRole('button', { name: 'All tabs' }).click()
    await page.getByRole('menuitem', { name }).click()
    await expect(tabs.getByRole('link', { name })).toBeInViewport({ ratio: 1 })
  }
  await page.setViewportSize(wide)
  await page.setViewportSize(narrow)
  await expect(tabs.getByRole('link', { name: 'Audit Log' })).toBeInViewport({ ratio: 1 })
})

test("a user's page stands still while its tabs change", async ({ page }) => {
  await signInAsStaff(page, keeper)
  await page.goto('/admin?tab=users&user=1')
  const dialog = page.getByRole('dialog')
  const tab = dialog.getByRole('tab', { name: /^Notes/ })
  await expect(tab).toBeVisible()
  const before = await tab.boundingBox()
  await tab.click()
  await expect(dialog.getByLabel('New note')).toBeVisible()
  expect(await tab.boundingBox()).toEqual(before)
})

test('the latest openings fit a phone, with whole names and times', async ({ page }) => {
  await page.setViewportSize(narrow)
  await signInAsStaff(page, keeper)
  // Those of other journeys have names of any length.
  await page.route('**/api/admin/stats', async (route) => {
    const stats = await (await route.fetch()).json()
    const [first] = stats.recentOpenings
    const names = {
      username: 'pixelotter',
      packTypeName: 'Starter Pack',
      prizeName: 'Sticker Sheet',
      createdAt: new Date(Date.now() - 12 * 60_000).toISOString(),
    }
    await route.fulfill({ json: { ...stats, recentOpenings: [{ ...first, ...names }] } })
  })
  await openTab(page, 'overview')
  const openings = page.getByRole('region', { name: 'Latest openings' })
  await expect(openings.getByRole('row').nth(1)).toBeVisible()
  expect(await openings.evaluate((part) => part.scrollWidth - part.clientWidth)).toBe(0)
  const cells = await openings.getByRole('row').nth(1).getByRole('cell').all()
  for (const cell of cells.slice(0, 2)) {
    const lines = await cell.evaluate((part) => {
      const range = document.createRange()
      range.selectNodeContents(part)
      return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size
    })
    expect(lines).toBe(1)
  }
})
