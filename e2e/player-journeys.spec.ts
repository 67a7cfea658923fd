// What players come for, from end to end on the real server: once with the mouse at a desk, and
// once on the screen of a phone with the keyboard alone.

import { expect, type Page } from '@playwright/test'
import { test } from './product.ts'
import {
  ask,
  fixedEntropy,
  type Hand,
  inLog,
  keeper,
  keyboard,
  loadPhysicalPrize,
  mouse,
  narrow,
  newLogin,
  send,
  signIn,
  signInAsStaff,
  wide,
} from './support.ts'

interface Stream {
  readonly id: number
  readonly currentStreamId: string | null
  readonly isLive: boolean
  readonly displayName: string
  readonly watchTimeRequired: number
}
interface Holding {
  readonly packTypeId: number
  readonly quantity: number
  readonly packType: { readonly name: string }
}
interface Me {
  readonly redCoinBalance: number
}

const ways: readonly {
  readonly name: string
  readonly screen: typeof wide
  readonly hand: Hand
}[] = [
  { name: 'with the mouse at a desk', screen: wide, hand: mouse },
  { name: 'on a phone with the keyboard alone', screen: narrow, hand: keyboard },
]

/** Opens packs without looking, for what they pay. */
async function openUnseen(page: Page, packTypeId: number, quantity: number): Promise<void> {
  await send(page, '/api/packs/open', { packTypeId, quantity })
}

async function holdingOf(page: Page, name: string): Promise<Holding> {
  const holdings = await ask<Holding[]>(page, '/api/user/packs')
  const found = holdings.find(({ packType }) => packType.name === name)
  if (!found) throw new Error(`There is no ${name}`)
  return found
}

/** Lets staff ask for less watching: each minute of it plays the jobs of a minute. */
async function requireMinutes(page: Page, streamId: number, minutes: number): Promise<void> {
  const staff = await page.context().browser()!.newContext()
  const office = await staff.newPage()
  await signInAsStaff(office, keeper)
  const path = `/api/admin/twitch/streams/${streamId}`
  await send(office, path, { watchTimeRequired: minutes }, 'PUT')
  await staff.close()
}

/** Beats once; true when the stream is completed, which the page's own beats may have done. */
async function beat(page: Page, order: object): Promise<boolean> {
  const headers = { origin: new URL(page.url()).origin }
  const answer = await page.request.post('/api/twitch/heartbeat', { data: order, headers })
  const text = await answer.text()
  if (answer.status() === 409) expect(text).toContain('You have already completed this stream')
  else expect(answer.status(), text).toBe(200)
  return answer.status() === 409 || (JSON.parse(text) as { isCompleted: boolean }).isCompleted
}

for (const { name, screen, hand } of ways) {
  test.describe(name, () => {
    test.use({ viewport: screen, reducedMotion: 'reduce' })

    test('a physical prize is won and claimed with its delivery details', async ({ page }) => {
      await signIn(page, newLogin())
      const starter = await holdingOf(page, 'Starter Pack')
      const prize = await loadPhysicalPrize(page, starter.packTypeId)
      await page.goto('/inventory')
      await hand.choose(page.getByLabel('Pack Type'), 'Starter Pack')
      await hand.press(page.getByRole('button', { name: 'Open Packs' }))
      const modal = page.getByRole('dialog')
      await expect(modal).toContainText('Result 1 of 1')
      await expect(modal).toContainText(prize)
      await hand.press(modal.getByRole('button', { name: 'Close', exact: true }))
      await expect(modal).toHaveCount(0)
      await expect(page.getByRole('button', { name: 'Notices, 2 unread' })).toBeVisible()

      await hand.press(page.getByRole('button', { name: /^Notices/ }))
      await hand.press(page.getByRole('link', { name: new RegExp(`address for your ${prize}`) }))
      await page.waitForURL('**/my-prizes')
      await hand.press(page.getByRole('button', { name: /^Add delivery details/ }))
      const form = page.getByRole('dialog', { name: 'Delivery details' })
      await hand.type(form.getByLabel('Name'), 'Ana Costa')
      await hand.type(form.getByLabel('Address'), 'Rua Um 7')
      await hand.type(form.getByLabel('City'), 'Porto')
      await hand.choose(form.getByLabel('Country'), 'Portugal')
      await hand.press(form.getByRole('button', { name: 'Save delivery details' }))
      await expect(form).toHaveCount(0)
      await expect(page.getByText('Timeline (2 steps)')).toBeVisible()
      await expect(page.getByRole('button', { name: /^Delivery details/ })).toBeFocused()
    })

    test('packs are bought with RedCoin, and the history says so', async ({ page }) => {
      await signIn(page, newLogin())
      const starter = await holdingOf(page, 'Starter Pack')
      await openUnseen(page, starter.packTypeId, 50)
      const before = await ask<Me>(page, '/api/auth/me')
      const packs = (await holdingOf(page, 'Starter Pack')).quantity
      await page.goto('/store')
      const shop = page.getByRole('form', { name: 'Buy Starter Pack' })
      await hand.type(shop.getByLabel('Quantity'), '2')
      await hand.press(shop.getByRole('button', { name: /^Purchase|^Buy/ }))
      await expect(page.getByText('Purchase Successful!').first()).toBeVisible()
      const after = await ask<Me>(page, '/api/auth/me')
      expect(after.redCoinBalance).toBe(before.redCoinBalance - 100)
      expect((await holdingOf(page, 'Starter Pack')).quantity).toBe(packs + 2)
      await hand.press(page.getByRole('link', { name: 'History' }))
      await page.waitForURL('**/history')
      const newest = page.getByRole('region', { name: /Balance history/ })
      await expect(newest.getByRole('listitem').first()).toContainText('\u2212100')
      const file = page.waitForEvent('download')
      await hand.press(page.getByRole('link', { name: 'Download CSV' }))
      expect((await file).suggestedFilename()).toBe('redcoin-history.csv')
    })

    test('an opening is verified in the browser, and offline from its proof file', async ({
      page,
      context,
    }, testInfo) => {
      await signIn(page, newLogin())
      const starter = await holdingOf(page, 'Starter Pack')
      // A win of something to send: its proof has the course of the delivery as well.
      await loadPhysicalPrize(page, starter.packTypeId)
      const opening = { packTypeId: starter.packTypeId, quantity: 1, entropy: fixedEntropy }
      await send(page, '/api/packs/open', opening)
      await inLog(page)
      await page.goto('/fairness')
      await hand.press(page.getByRole('button', { name: /^Verify opening/ }))
      const dialog = page.getByRole('dialog', { name: 'Verify this draw' })
      await expect(dialog.getByText('This draw is fair: every check passed.')).toBeVisible()
      const proof = page.waitForEvent('download')
      await hand.press(dialog.getByRole('button', { name: 'Download the proof' }))
      const proofFile = testInfo.outputPath('proof.json')
      await (await proof).saveAs(proofFile)
      await hand.press(dialog.getByRole('button', { name: 'Close' }))
      await page.goto('/fairness?tab=how')
      const verifier = page.waitForEvent('download')
      await hand.press(page.getByRole('link', { name: 'Download the offline verifier' }))
      const verifierFile = testInfo.outputPath('verify-proof.html')
      await (await verifier).saveAs(verifierFile)

      const key = (await (await page.request.get('/log/key')).text()).trim()
      await context.setOffline(true)
      const offline = await context.newPage()
      await offline.goto(`file://${verifierFile}`)
      await offline.getByLabel('Saved file').setInputFiles(proofFile)
      await expect(offline.getByText(/^The seed and the odds give this result/)).toBeVisible()
      await expect(offline.getByText('\u2714 Passed')).toHaveCount(4)
      await offline.getByLabel(/^Key of the public log/).fill(key)
      await offline.getByLabel(/^Key of the public log/).press('Enter')
      await expect(offline.getByText('\u2714 Passed')).toHaveCount(6)
    })

    test('a stream is watched to its reward', async ({ page }) => {
      test.setTimeout(90_000)
      await signIn(page, newLogin())
      await page.goto('/twitch-streams')
      const streams = await ask<Stream[]>(page, '/api/twitch/active-streams')
      const stream = streams
        .filter(({ isLive, currentStreamId }) => isLive && currentStreamId !== null)
        .toSorted((one, other) => one.watchTimeRequired - other.watchTimeRequired)[0]
      if (!stream) throw new Error('No stream is live')
      await expect(page.getByText(stream.displayName).first()).toBeVisible()
      await requireMinutes(page, stream.id, 6)
      const order = { streamId: stream.id, streamSessionId: stream.currentStreamId }
      await expect
        .poll(async () => (await ask<unknown[]>(page, '/api/twitch/watch-sessions')).length)
        .toBeGreaterThan(0)
      const beats: boolean[] = []
      for (let minute = 0; minute < 8 && beats.at(-1) !== true; minute += 1) {
        await send(page, '/sandbox/control/clock', { advanceSeconds: 60 })
        beats.push(await beat(page, order))
      }
      // One beat counts for at most 90 seconds.
      expect(beats.filter((isCompleted) => !isCompleted).length).toBeGreaterThanOrEqual(3)
      expect(beats.at(-1)).toBe(true)
      await expect
        .poll(async () => (await ask<unknown[]>(page, '/api/twitch/watch-completions')).length)
        .toBe(1)
      await page.reload()
      await hand.press(page.getByRole('button', { name: /^Notices/ }))
      await expect(page.getByText(new RegExp(`by watching ${stream.displayName}`))).toBeVisible()
    })
  })
}

test('an opening in one tab changes the balance in the other, and no poll is waited for', async ({
  page,
  context,
}) => {
  await signIn(page, newLogin())
  await page.goto('/dashboard')
  await page.waitForLoadState('networkidle')
  const other = await context.newPage()
  await other.goto('/inventory')
  const { packTypeId } = await holdingOf(other, 'Starter Pack')
  const chip = page.getByRole('banner').getByText(/\d RedCoin$/)
  // A poll comes every 30 seconds, and so can help one of these at most.
  for (const round of [1, 2, 3]) {
    const before = (await chip.textContent()) ?? ''
    await openUnseen(other, packTypeId, 3)
    await expect(chip, `round ${round}`).not.toHaveText(before, { timeout: 8_000 })
  }
})
