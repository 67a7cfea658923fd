// A prize that is a code: staff add codes, a winner uncovers one, and nobody else sees it.

import { expect } from '@playwright/test'
import { test } from './product.ts'
import {
  ask,
  keeper,
  narrow,
  newLogin,
  pagesOf,
  send,
  signIn,
  signInAsStaff,
  wide,
} from './support.ts'

test('codes are added, one is won and uncovered by its winner alone', async ({
  browser,
  productUrl,
}) => {
  test.setTimeout(120_000)
  const open = pagesOf(browser, productUrl)
  const staff = await open(wide)
  await signInAsStaff(staff, keeper)
  const stamp = newLogin()
  const name = `Game key ${stamp}`
  const type = await send<{ id: number }>(staff, '/api/admin/pack-types', {
    name: `Keys ${stamp}`,
  })

  await staff.goto('/admin?tab=prizes')
  await staff.getByRole('button', { name: 'Add Prize' }).click()
  const form = staff.getByRole('dialog')
  await form.getByLabel('Name', { exact: true }).fill(name)
  await form.getByLabel('Description').fill('A key for the game of the month.')
  await form.getByRole('checkbox', { name: `Keys ${stamp}` }).check()
  await form.getByLabel('Win frequency').fill('1')
  await form.getByLabel('Total packs').fill('1')
  await form.locator('summary', { hasText: 'Delivery' }).click()
  await form.getByRole('switch', { name: 'Delivers a code' }).click()
  await expect(form.getByText('The stock is the number of unused codes.')).toBeVisible()
  await form.getByRole('button', { name: 'Create prize' }).click()
  await expect(form).toHaveCount(0)

  await staff.getByRole('searchbox', { name: 'Search prizes' }).fill(name)
  await staff.getByRole('button', { name: `Manage inventory of ${name}` }).click()
  await form.getByLabel('Codes', { exact: true }).fill('KEY-ONE\nKEY-TWO\n\nKEY-ONE')
  await form.getByRole('button', { name: 'Add codes' }).click()
  await expect(form.getByText('2 codes added')).toBeVisible()
  await expect(form.getByText('Line 3: empty line')).toBeVisible()
  await expect(form.getByText('Line 4: twice in the file')).toBeVisible()
  await expect(form.getByLabel('Codes', { exact: true })).toHaveValue('')

  const winner = await open(narrow)
  const login = newLogin()
  await signIn(winner, login)
  const grant = { username: login, packTypeId: type.id, quantity: 1 }
  await send(staff, '/api/admin/distribute-packs', grant)
  await send(winner, '/api/packs/open', { packTypeId: type.id, quantity: 1 })
  await winner.goto('/my-prizes')
  const show = winner.getByRole('button', { name: `Show the code: ${name}` })
  await expect(show).toBeVisible()
  await expect(winner.getByText('KEY-ONE')).toHaveCount(0)
  await show.click()
  await expect(winner.getByText('KEY-ONE')).toBeVisible()
  // Nothing is asked of somebody to whom nothing is sent.
  await expect(winner.getByRole('button', { name: /delivery details/i })).toHaveCount(0)

  const list = '/api/user/prize-claims/paginated'
  const { claims } = await ask<{ claims: { claimId: string }[] }>(winner, list)
  const other = await open(narrow)
  await signIn(other, newLogin())
  for (const page of [other, staff]) {
    const answer = await page.request.get(`/api/user/prize-claims/${claims[0]?.claimId}/code`)
    expect(answer.status()).toBe(404)
  }

  await staff.goto('/admin?tab=prizes')
  await staff.getByRole('searchbox', { name: 'Search prizes' }).fill(name)
  const stock = staff.getByRole('listitem').filter({ hasText: name }).locator('dd')
  await expect(stock.filter({ hasText: 'Running out' })).toContainText('1')
})
