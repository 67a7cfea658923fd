// A wallet that signs and a Discord account: linked, proven and unlinked, with the mouse and with
// the keyboard alone. The wallet is a stand-in with a real key.

import { generateKeyPairSync, sign } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { test } from './product.ts'
import { ask, keyboard, mouse, narrow, newLogin, signIn, wide } from './support.ts'

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Base58 of 32 bytes, as Solana writes its addresses. */
function base58(bytes: Buffer): string {
  let value = BigInt(`0x${bytes.toString('hex')}`)
  let digits = ''
  for (; value > 0n; value /= 58n) digits = `${alphabet[Number(value % 58n)]}${digits}`
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return '1'.repeat(Math.max(0, zeros)) + digits
}

/** Puts a Phantom into the page that signs whatever it is asked to; answers its address. */
async function addPhantom(page: Page): Promise<string> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const address = base58(Buffer.from(x, 'base64url'))
  await page.exposeBinding('signWithKey', (_source, text: string) =>
    sign(null, Buffer.from(text, 'base64'), privateKey).toString('base64'),
  )
  await page.addInitScript((walletAddress) => {
    const bytesOf = (text: string) => Uint8Array.from(atob(text), (part) => part.charCodeAt(0))
    const host = window as unknown as {
      signWithKey(text: string): Promise<string>
      phantom: unknown
    }
    host.phantom = {
      solana: {
        isPhantom: true,
        connect: async () => ({ publicKey: { toString: () => walletAddress } }),
        disconnect: async () => undefined,
        signMessage: async (message: Uint8Array) => ({
          signature: bytesOf(await host.signWithKey(btoa(String.fromCharCode(...message)))),
        }),
      },
    }
  }, address)
  return address
}

for (const { name, screen, hand } of [
  { name: 'with the mouse at a desk', screen: wide, hand: mouse },
  { name: 'on a phone with the keyboard alone', screen: narrow, hand: keyboard },
]) {
  test.describe(name, () => {
    test.use({ viewport: screen, reducedMotion: 'reduce' })

    test('a wallet is connected, proven by a signature, and disconnected', async ({ page }) => {
      const address = await addPhantom(page)
      await signIn(page, newLogin())
      await page.goto('/profile')
      const card = page.getByRole('group', { name: 'Solana Wallet' })
      await hand.press(card.getByRole('button', { name: 'Connect with Phantom' }))
      await expect(card.getByText('Connected with Phantom')).toBeVisible()
      await hand.press(card.getByRole('button', { name: 'Verify ownership' }))
      await expect(card.getByText('Verified.')).toBeVisible()
      const status = await ask<{ walletAddress: string; verifiedAt: string }>(
        page,
        '/api/user/wallet',
      )
      expect(status.walletAddress).toBe(address)
      expect(status.verifiedAt).not.toBeNull()
      await hand.press(card.getByRole('button', { name: 'Disconnect' }))
      await expect(card.getByText('Disconnected')).toBeVisible()
      expect(await ask(page, '/api/user/wallet')).toEqual({ walletAddress: null, verifiedAt: null })
    })

    test('a Discord account is connected and disconnected', async ({ page }) => {
      await signIn(page, newLogin())
      await page.goto('/profile')
      const start = page.waitForRequest((request) => request.url().endsWith('/api/auth/discord'))
      await hand.press(page.getByRole('link', { name: 'Connect Discord' }))
      await start
      await page.waitForURL('**/sandbox/discord/**')
      await hand.type(page.getByLabel('Login name'), newLogin())
      await hand.press(page.getByRole('button', { name: /Allow|Authorize/ }).first())
      await page.waitForURL(/\/profile/)
      const card = page.getByRole('group', { name: 'Discord Connection' })
      const discordId = async () =>
        (await ask<{ discordId: string | null }>(page, '/api/user/profile')).discordId
      await expect.poll(discordId).toBeTruthy()
      const call = page.waitForRequest('**/api/auth/discord/disconnect')
      await hand.press(card.getByRole('button', { name: 'Disconnect' }))
      expect((await call).postData()).toBeNull()
      await expect(card.getByText('Not connected')).toBeVisible()
      expect(await discordId()).toBeNull()
    })
  })
}
