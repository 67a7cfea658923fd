// Staff suspend somebody, who reads why and answers once; what was won goes on; then it ends.

import { expect } from '@playwright/test'
import { test } from './product.ts'
import { ask, keeper, narrow, newLogin, pagesOf, signIn, signInAsStaff, wide } from './support.ts'

test('somebody is suspended, answers once, and opens again when it is over', async ({
  browser,
  productUrl,
}) => {
  test.setTimeout(120_000)
  const open = pagesOf(browser, productUrl)
  const viewer = await open(narrow)
  await signIn(viewer, newLogin())
  const { id } = await ask<{ id: number }>(viewer, '/api/auth/me')
  const [pack] = await ask<{ packTypeId: number }[]>(viewer, '/api/user/packs')
  await viewer.goto('/inventory')

  const staff = await open(wide)
  await signInAsStaff(staff, keeper)
  await staff.goto(`/admin?tab=users&user=${id}`)
  const suspension = staff.getByRole('region', { name: 'Suspension' })
  await suspension.getByLabel('Reason for the suspension').fill('Two accounts in one raffle')
  await suspension.getByRole('button', { name: 'Suspend' }).click()
  const question = staff.getByRole('alertdialog')
  await expect(question).toContainText('They keep what they have.')
  await question.getByRole('button', { name: 'Suspend' }).click()
  await expect(suspension.getByText('Suspended without an end')).toBeVisible()

  // It comes to the open page by itself.
  await expect(viewer.getByText('Your account is suspended')).toBeVisible()
  await expect(viewer.getByText('Reason: Two accounts in one raffle')).toBeVisible()
  const overflow = () =>
    viewer.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(await overflow()).toBeLessThanOrEqual(0)
  const openOne = () =>
    viewer.request.post('/api/packs/open', {
      data: { packTypeId: pack?.packTypeId, quantity: 1 },
      headers: { origin: new URL(viewer.url()).origin },
    })
  expect((await openOne()).status()).toBe(403)
  await viewer.goto('/my-prizes')
  await expect(viewer.getByRole('heading', { name: 'My Prizes' })).toBeVisible()

  await viewer.getByRole('button', { name: 'Answer', exact: true }).click()
  await viewer.getByLabel('Answer', { exact: true }).fill('That was my brother.')
  await viewer.getByRole('button', { name: 'Send answer' }).click()
  await expect(viewer.getByText('Your answer was sent to staff.')).toBeVisible()

  await staff.reload()
  await expect(suspension.getByText('That was my brother.')).toBeVisible()
  await suspension.getByRole('button', { name: 'End the suspension' }).click()
  await expect(suspension.getByLabel('Reason for the suspension')).toBeVisible()
  await expect(viewer.getByText('Your account is suspended')).toHaveCount(0)
  expect((await openOne()).status()).toBe(200)
})
