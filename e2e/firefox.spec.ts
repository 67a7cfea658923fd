// A short way through the product in Firefox: signing in, the faces and emoji of our own, opening a
// pack, and the worker that keeps the shell.

import { expect } from '@playwright/test'
import { type FirefoxPage, firefoxPath, withFirefox } from './firefox.ts'
import { test } from './product.ts'
import { newLogin } from './support.ts'

const heading = `document.querySelector('h1')?.textContent`
const press = (words: string) =>
  `[...document.querySelectorAll('button, a, [role="radio"]')]
    .find((control) => control.textContent.includes(${JSON.stringify(words)}) && !control.disabled)
    .click()`

async function expectSoon(page: FirefoxPage, expression: string, value: unknown): Promise<void> {
  await expect
    .poll(() => page.evaluate(expression).catch(() => undefined), { timeout: 20_000 })
    .toEqual(value)
}

async function signIn(page: FirefoxPage, url: string): Promise<void> {
  await page.goto(`${url}/api/auth/twitch`)
  await page.evaluate(`document.querySelector('input[name="login"]').value = '${newLogin()}'`)
  await page.evaluate(press('Allow'))
  await expectSoon(page, `location.pathname`, '/dashboard')
  await expectSoon(page, `${heading}.startsWith('Welcome, ')`, true)
}

test('somebody with Firefox signs in and opens a pack', async ({ productUrl }, info) => {
  info.skip(firefoxPath === undefined, 'there is no Firefox here')
  test.setTimeout(180_000)
  const port = Number(new URL(productUrl).port) + 5
  await withFirefox(port, async (page) => {
    await signIn(page, productUrl)
    const faces = `[...document.fonts].filter(({ status }) => status === 'loaded')
      .map(({ family }) => family.replaceAll('"', '')).filter((name) => !name.includes('fallback'))
      .sort()`
    await expectSoon(page, faces, ['Figtree', 'Oxanium'])
    await page.evaluate(
      `document.querySelector('h1').append('🎉'), document.fonts.ready.then(() => null)`,
    )
    await expectSoon(page, faces, ['Figtree', 'Oxanium', 'Redpack emoji'])

    await page.goto(`${productUrl}/inventory`)
    await expectSoon(page, heading, 'Pack Inventory')
    await expectSoon(page, `document.querySelectorAll('[role="radio"]').length > 0`, true)
    await page.evaluate(press('Starter Pack'))
    await page.evaluate(press('Open Packs'))
    const dialog = `document.querySelector('[role="dialog"]')?.textContent ?? ''`
    await expectSoon(page, `(${dialog}).includes('Result 1 of 1')`, true)

    await expectSoon(page, `navigator.serviceWorker.controller?.state`, 'activated')
    const width = 'document.documentElement.scrollWidth <= innerWidth'
    expect(await page.evaluate(width)).toBe(true)
  })
})
