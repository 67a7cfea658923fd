// A prize goes from the win to the winner: address, packed on a phone, sent, and "It's here".

import { expect } from '@playwright/test'
import { test } from './product.ts'
import {
  ask,
  keeper,
  loadPhysicalPrize,
  narrow,
  newLogin,
  pagesOf,
  send,
  signIn,
  signInAsStaff,
} from './support.ts'

test("a prize is won, packed on a phone, sent, and it's here", async ({ browser, productUrl }) => {
  test.setTimeout(120_000)
  const open = pagesOf(browser, productUrl)
  const winner = await open(narrow)
  const login = newLogin()
  await signIn(winner, login)
  const [starter] = await ask<{ packTypeId: number }[]>(winner, '/api/user/packs')
  const packTypeId = starter?.packTypeId ?? 0
  const prize = await loadPhysicalPrize(winner, packTypeId)
  await send(winner, '/api/packs/open', { packTypeId, quantity: 1, entropy: 'e0'.repeat(32) })
  await winner.goto('/my-prizes')
  await expect(winner.getByText('Tell us where to send it')).toBeVisible()
  await winner.getByRole('button', { name: `I don't want it: ${prize}` }).click()
  const question = winner.getByRole('alertdialog')
  await expect(question).toContainText('You will not receive this prize')
  await question.getByRole('button', { name: 'Keep it' }).click()
  await winner.getByRole('button', { name: /^Add delivery details/ }).click()
  const form = winner.getByRole('dialog', { name: 'Delivery details' })
  await form.getByLabel('Name').fill('Ana Costa')
  await form.getByLabel('Address').fill('Rua Um 7')
  await form.getByLabel('City').fill('Porto')
  await form.getByLabel('Country').selectOption('Portugal')
  await form.getByRole('button', { name: 'Save delivery details' }).click()
  await expect(winner.getByText('Waiting to be packed')).toBeVisible()

  const staff = await open(narrow)
  await signInAsStaff(staff, keeper)
  await staff.goto('/admin?tab=prize-claims&view=shipping')
  await expect(staff.getByRole('button', { name: /^Needs packing/ })).toBeVisible()
  await expect(staff.getByText(login, { exact: false }).first()).toBeVisible()
  await staff.getByRole('link', { name: 'Packing session' }).click()
  const inHand = staff.getByRole('article')
  await expect(inHand).toBeVisible()
  for (let passed = 0; passed < 60; passed += 1) {
    if ((await inHand.textContent())?.toLowerCase().includes(login)) break
    const claim = await inHand.getByRole('heading').first().textContent()
    await inHand.getByRole('button', { name: 'Next' }).click()
    await expect(inHand).toBeVisible()
    expect(claim).not.toBeNull()
  }
  await expect(inHand).toContainText('Rua Um 7')
  await inHand.getByRole('button', { name: 'Packed', exact: true }).click()
  await expect(inHand).toContainText('Needs sending')
  await expect(inHand).toContainText(prize)
  await inHand.getByLabel('Courier').selectOption('DHL')
  // As a scanner does: the number, then Enter.
  await inHand.getByLabel('Tracking number').fill('RB 12345')
  await inHand.getByLabel('Tracking number').press('Enter')
  await expect(inHand.getByText('Rua Um 7')).toHaveCount(0)

  await winner.goto('/my-prizes')
  await expect(winner.getByText(/^On its way/)).toBeVisible()
  await expect(winner.getByRole('link', { name: /^DHL RB12345/ })).toHaveAttribute(
    'href',
    /^https:\/\/www\.dhl\.com\/.*RB12345$/,
  )
  await winner.getByRole('button', { name: `It's here: ${prize}` }).click()
  await expect(winner.getByText('COMPLETED', { exact: false }).first()).toBeVisible()
  await expect(winner.getByRole('button', { name: /^It's here/ })).toHaveCount(0)

  // What happened stands in the public log, and everybody may read what it comes to.
  await winner.setViewportSize(narrow)
  await expect(async () => {
    await winner.goto('/fairness?tab=log')
    const record = winner.locator('[data-deliveries]')
    await expect(record).toContainText(/^[1-9]\d* of [1-9]\d* sent/, { timeout: 3_000 })
  }).toPass({ timeout: 30_000 })
})
