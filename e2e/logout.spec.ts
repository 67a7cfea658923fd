// Logging out: the screen, the calls in their order, and what is left in the browser.

import { expect } from '@playwright/test'
import { test } from './product.ts'
import { newLogin, signInByHand } from './support.ts'

test('/logout says so, sends the POST, cleans up and leaves through the emergency path', async ({
  page,
}) => {
  await signInByHand(page, newLogin())
  await page.evaluate(() => {
    localStorage.setItem('left', 'behind')
    localStorage.setItem('redpack:streamer-mode', 'on')
    sessionStorage.setItem('left', 'behind')
    // biome-ignore lint/suspicious/noDocumentCookie: the cookie that a script can read is the point
    document.cookie = 'left=behind; path=/'
  })
  const seen: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/logout/.test(pathname) && pathname.startsWith('/api')) {
      seen.push(`${request.method()} ${pathname}`)
    }
  })
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/auth/logout', async (route) => {
    await held
    await route.fallback()
  })
  await page.goto('/logout')
  await expect(page.getByText('Logging out...')).toBeVisible()
  release()
  await page.waitForURL((url) => url.pathname === '/')
  expect(seen[0]).toBe('POST /api/auth/logout')
  expect(seen).toContain('GET /api/auth/emergency-logout')
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
  expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual([])
  expect(await page.evaluate(() => document.cookie)).not.toContain('left')
  expect((await page.request.get('/api/auth/me')).status()).toBe(401)
})
