// Linking a wallet and a Discord account, on the real server with the sandbox's stand-in.

import { expect } from '@playwright/test'
import { test } from './product.ts'
import { ask, newLogin, signIn } from './support.ts'

interface Profile {
  readonly solanaWallet: string | null
  readonly discordId: string | null
  readonly discordUsername: string | null
}

// The address of Solana's token program: a well-known one that decodes to 32 bytes.
const address = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'

test('a viewer links a wallet address by typing it, and it stays', async ({ page }) => {
  await signIn(page, newLogin())
  await page.goto('/profile')
  await page.getByLabel('Wallet address').fill(address)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(page.getByText('Wallet connected successfully!').first()).toBeVisible()
  expect((await ask<Profile>(page, '/api/user/profile')).solanaWallet).toBe(address)
  await page.reload()
  const card = page.getByRole('group', { name: 'Solana Wallet' })
  await expect(card.getByTitle(address)).toBeVisible()
  await expect(card.getByText('Connected', { exact: true })).toBeVisible()
})

test('on a phone no field that is come to by keyboard is behind the bar that saves', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, newLogin())
  await page.goto('/profile')
  await page.getByLabel('Bio').fill('Half written')
  const bar = page.locator('[data-bar="unsaved"]')
  await expect(bar).toBeVisible()
  await page.getByLabel('Display name').focus()
  for (let presses = 0; presses < 8; presses += 1) {
    await page.keyboard.press('Tab')
    const covered = await bar.evaluate((element) => {
      const focused = document.activeElement
      if (!focused || element.contains(focused)) return false
      const [field, over] = [focused.getBoundingClientRect(), element.getBoundingClientRect()]
      return field.bottom > over.top && field.top < over.bottom
    })
    expect(covered).toBe(false)
  }
})
