// The profile on a phone.

import { expect } from '@playwright/test'
import { test } from './product.ts'
import { newLogin, signIn } from './support.ts'

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
