// What only a second visit shows: the worker that keeps the application is active by then, and the
// build may have changed meanwhile. A relay between browser and product tells what went over.

import { createServer, request as forward, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page } from '@playwright/test'
import { test as base } from './product.ts'
import { ask, newLogin, openScreen, send, signIn, signInByHand } from './support.ts'

interface Relay {
  readonly url: string
  /** Paths of all navigations that reached the product, in their order. */
  readonly navigations: string[]
  /** From now on the product seems to have another build: every hashed name is another. */
  upgrade(): void
}

const hashed = /(-[\w-]{8})\.(js|css)/g
const version = /(version:"\w{15})\w/g

/** The same text in the later build. */
const laterBuild = (text: string) => text.replace(hashed, '$1~.$2').replace(version, '$1~')

async function bodyOf(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const test = base.extend<{ relay: Relay }>({
  relay: async ({ productUrl }, use) => {
    const navigations: string[] = []
    let isLater = false
    const server = createServer((incoming, outgoing) => {
      const { url = '/', method, headers } = incoming
      if (headers['sec-fetch-mode'] === 'navigate') navigations.push(url)
      const asked = isLater ? { ...headers, 'if-none-match': undefined } : headers
      const onward = forward(productUrl + url.replace('~', ''), {
        method,
        headers: Object.fromEntries(
          Object.entries({ ...asked, 'accept-encoding': 'identity' }).filter(([, value]) => value),
        ),
      })
      onward.on('response', async (answer) => {
        const body = await bodyOf(answer)
        const { 'content-length': _length, ...kept } = answer.headers
        const isCode = /html|javascript/.test(String(kept['content-type']))
        const isGone = isLater && url.search(hashed) !== -1
        outgoing.writeHead(isGone ? 404 : (answer.statusCode ?? 502), kept)
        outgoing.end(isLater && isCode ? laterBuild(body.toString()) : body)
      })
      onward.on('error', () => outgoing.destroy())
      incoming.pipe(onward)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await use({
      url: `http://127.0.0.1:${port}`,
      navigations,
      upgrade: () => {
        isLater = true
      },
    })
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  },
  baseURL: ({ relay }, use) => use(relay.url),
})

/** The page is watched by its worker, as on every visit after the first seconds of the first. */
async function visitAgain(page: Page): Promise<void> {
  await page.goto('/')
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await page.reload()
}

const keptScripts = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys()
    const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return kept
      .flat()
      .map(({ url }) => new URL(url).pathname)
      .filter((path) => path.endsWith('.js'))
  })

test('no navigation to the server is sent twice', async ({ page, relay }) => {
  await visitAgain(page)
  relay.navigations.length = 0

  await page.getByText('Login with Twitch').first().click()
  await page.getByLabel('Login name').fill(newLogin())
  await page.getByRole('button', { name: 'Allow', exact: true }).first().click()
  await page.waitForURL('**/dashboard')

  await page.goto('/profile')
  await page.getByRole('link', { name: 'Connect Discord' }).click()
  await page.getByLabel('Login name').fill(newLogin())
  await page.getByRole('button', { name: 'Allow', exact: true }).first().click()
  await expect(page.getByRole('button', { name: 'Disconnect', exact: true })).toBeVisible()

  await page.goto('/log/checkpoint')
  await page.goto('/api/fairness')
  await page.goto('/verify-proof.html')
  expect((await ask<{ username: string }>(page, '/api/auth/me')).username).toContain('viewer')
  await page.goto('/history')
  const file = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download CSV' }).click()
  await file
  await page.goto('/logout')
  await page.waitForURL('**/')
  await page.goto('/api/auth/emergency-logout')
  await expect(page.getByText('Login with Twitch').first()).toBeVisible()

  const paths = relay.navigations.map((url) => url.split('?', 1)[0])
  expect(paths.filter((path) => /^\/(api|log|sandbox|verify)/.test(path ?? ''))).toEqual([
    '/api/auth/twitch',
    '/sandbox/twitch/id/oauth2/authorize',
    '/sandbox/twitch/id/oauth2/authorize',
    '/api/auth/twitch/callback',
    '/api/auth/discord',
    '/sandbox/discord/oauth2/authorize',
    '/sandbox/discord/oauth2/authorize',
    '/api/auth/discord/callback',
    '/log/checkpoint',
    '/api/fairness',
    '/verify-proof.html',
    '/api/redcoin/history.csv',
    '/logout',
    '/api/auth/emergency-logout',
    '/api/auth/emergency-logout',
  ])
})

test('nor is one where an earlier worker asked for it', async ({ page, relay }) => {
  await visitAgain(page)
  await page.evaluate(async () => (await navigator.serviceWorker.ready).navigationPreload.enable())
  const isPreloading = () =>
    page.evaluate(async () => {
      const { navigationPreload } = await navigator.serviceWorker.ready
      return (await navigationPreload.getState()).enabled
    })
  expect(await isPreloading()).toBe(true)

  relay.upgrade()
  await page.goto('/leaderboard')
  await expect.poll(isPreloading).toBe(false)
  relay.navigations.length = 0
  await page.goto('/api/fairness')
  expect(relay.navigations).toEqual(['/api/fairness'])
})

test('after a new build the next visit has it, and nothing of the old stays', async ({
  page,
  relay,
}) => {
  await visitAgain(page)
  const old = await keptScripts(page)
  expect(old.length).toBeGreaterThan(0)

  relay.upgrade()
  await page.goto('/leaderboard')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Leaderboard')
  await expect(page.locator('script[type="module"]').first()).toHaveAttribute('src', /~\.js$/)
  await expect
    .poll(async () => (await keptScripts(page)).filter((path) => !path.endsWith('~.js')))
    .toEqual([])
  expect((await keptScripts(page)).length).toBeGreaterThan(0)
})

test('a page of the build before goes on after a new build', async ({ page, relay }) => {
  await signInByHand(page, newLogin())
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  relay.upgrade()
  // The code of this screen was not loaded yet, and the server has it no more.
  await page.getByRole('link', { name: 'Store', exact: true }).first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pack Store')
})

test('the way back through the history shows what holds now', async ({ page }) => {
  await signIn(page, newLogin())
  await openScreen(page, '/dashboard')
  const opened = page.getByRole('link', { name: /Total Opened/ })
  await expect(opened).toContainText('0')
  await openScreen(page, '/store')
  const [holding] = await ask<[{ packTypeId: number }]>(page, '/api/user/packs')
  await send(page, '/api/packs/open', { packTypeId: holding.packTypeId, quantity: 3 })
  await page.goBack()
  await expect(opened).toContainText('3')
})
