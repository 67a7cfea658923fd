// News on a device, from the switch in the profile to the notification and the place it leads to.
// Nobody of a test reaches the push service of a browser's maker, so the browser subscribes at the
// sandbox's, and what that took is opened and handed to the worker.

import { createECDH, randomBytes } from 'node:crypto'
import { expect } from '@playwright/test'
import { opened } from '../server/test/push-service.ts'
import { test } from './product.ts'
import { newLogin, signIn } from './support.ts'

interface Taken {
  readonly device: string
  readonly body: string
}

test('a viewer switches a device on, is shown a changed wallet there and led to it', async ({
  playwright,
  launchOptions,
  productUrl,
}) => {
  // A headless shell shows no notifications.
  const executablePath = process.env['WHOLE_CHROMIUM_PATH'] ?? launchOptions.executablePath
  const browser = await playwright.chromium.launch({ ...launchOptions, executablePath })
  const context = await browser.newContext({ baseURL: productUrl })
  const page = await context.newPage()
  const device = newLogin()
  const pair = createECDH('prime256v1')
  const auth = randomBytes(16)
  const keys = { p256dh: pair.generateKeys('base64url'), auth: auth.toString('base64url') }
  await context.grantPermissions(['notifications'], { origin: productUrl })
  await page.addInitScript(
    ({ endpoint, keys }) => {
      const subscription = {
        endpoint,
        toJSON: () => ({ endpoint, keys }),
        unsubscribe: async () => true,
      }
      let current: unknown = null
      PushManager.prototype.getSubscription = async () => current as PushSubscription | null
      PushManager.prototype.subscribe = async () => {
        current = subscription
        return subscription as unknown as PushSubscription
      }
    },
    { endpoint: `${productUrl}/sandbox/push/${device}`, keys },
  )
  await signIn(page, newLogin())
  await page.goto('/profile')
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  const choice = page.getByRole('switch', { name: 'On this device' })
  await expect(choice).toBeEnabled()
  await choice.click()
  await expect(choice).toBeChecked()

  await page.getByLabel('Wallet address').fill('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  // Other news may come to the device before, such as packs that were just received.
  const ofWallet = async (): Promise<string> => {
    await page.request.post('/sandbox/control/clock', { data: { advanceSeconds: 6 } })
    const all = (await (await page.request.get('/sandbox/push.json')).json()) as Taken[]
    const ours = all.filter((one) => one.device === device)
    const texts = ours.map(({ body }) => opened(Buffer.from(body, 'base64url'), pair, auth))
    return texts.find((text) => text.includes('wallet')) ?? ''
  }
  await expect.poll(ofWallet).not.toBe('')
  const data = await ofWallet()

  const session = await context.newCDPSession(page)
  let registrationId = ''
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    // The browser also tells of registrations that earlier journeys have left behind.
    const ours = registrations.find(
      ({ isDeleted, scopeURL }) => !isDeleted && scopeURL.startsWith(productUrl),
    )
    registrationId = ours?.registrationId ?? registrationId
  })
  await session.send('ServiceWorker.enable')
  await expect.poll(() => registrationId).not.toBe('')
  const shown = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready
      return (await registration.getNotifications()).map(({ title, body }) => `${title} ${body}`)
    })
  // Once the tool handed it to a registration that showed nothing, so it goes to the newest until
  // it is there; the same message is shown once.
  await expect
    .poll(async () => {
      const message = { origin: productUrl, registrationId, data }
      await session.send('ServiceWorker.deliverPushMessage', message)
      return await shown()
    })
    .toEqual([expect.stringContaining('Your wallet was changed')])

  await page.goto('/store')
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  await worker.evaluate(async () => {
    const scope = globalThis as unknown as { registration: ServiceWorkerRegistration } & EventTarget
    const [notification] = await scope.registration.getNotifications()
    const event = new Event('notificationclick')
    scope.dispatchEvent(Object.assign(event, { notification, waitUntil: () => undefined }))
  })
  await expect(page).toHaveURL(/\/profile$/)
  await expect.poll(shown).toEqual([])
  await browser.close()
})
