// Every route and its guard, driven in a browser.

import { expect } from '@playwright/test'
import { test } from './product.ts'
import { withUser } from './support.ts'

const guarded = [
  ['/dashboard', 'Welcome back'],
  ['/inventory', 'Pack Inventory'],
  ['/my-prizes', 'My Prizes'],
  ['/store', 'Pack Store'],
  ['/profile', 'Profile Settings'],
  ['/twitch-streams', 'Watch Rewards'],
] as const

test('signed in, every guarded screen shows itself', async ({ page }) => {
  await withUser(page)
  for (const [path, heading] of guarded.slice(1)) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
  }
})

test('signed out, every guarded screen leads to / and shows nothing of itself', async ({
  page,
}) => {
  for (const [path, heading] of guarded) {
    await page.goto(path)
    await expect(page).toHaveURL((url) => url.pathname === '/')
    await expect(page.getByRole('button', { name: 'Login with Twitch' })).toBeVisible()
    await expect(page.getByRole('heading', { level: 1, name: heading })).toHaveCount(0)
  }
})

test('signed out, only landing, leaderboard and the 404 screen show; the panel shows its refusal alone', async ({
  page,
}) => {
  await page.goto('/admin')
  await expect(page.getByText('Access Denied')).toBeVisible()
  await expect(page.getByText('You need admin privileges to access this panel.')).toBeVisible()
  await expect(page.getByText('Total Users')).toHaveCount(0)
  await page.goto('/admin-old')
  await expect(page).toHaveURL((url) => url.pathname === '/')
})
