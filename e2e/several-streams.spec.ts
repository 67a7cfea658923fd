// Two streams are live at once: one counts, the screen says which, and the viewer moves the clock.

import { expect } from '@playwright/test'
import { test } from './product.ts'
import { ask, keeper, narrow, newLogin, send, signIn, signInAsStaff, wide } from './support.ts'

interface Stream {
  readonly id: number
  readonly displayName: string
  readonly isLive: boolean
}

test('time counts for one of two live streams, and for the other once it is chosen', async ({
  page,
  browser,
}) => {
  const office = await (await browser.newContext()).newPage()
  await signInAsStaff(office, keeper)
  const streams = await ask<Stream[]>(office, '/api/admin/twitch/streams')
  for (const { id } of streams) {
    await send(office, `/api/admin/twitch/streams/${id}/live`, { isLive: true })
  }
  await office.context().close()

  await page.setViewportSize(wide)
  await signIn(page, newLogin())
  await page.goto('/twitch-streams')
  const watching = page.getByRole('region', { name: 'Currently Watching' })
  const cards = watching.getByRole('listitem').filter({ has: page.getByRole('heading') })
  await expect(cards).toHaveCount(streams.length)
  const other = cards.filter({ hasText: /Your time counts for .+ now/ })
  await expect(other).toHaveCount(streams.length - 1)
  await expect(watching.getByText('Auto Tracking')).toHaveCount(1)

  const chosen = (await other.first().getByRole('heading').textContent()) ?? ''
  await other
    .first()
    .getByRole('button', { name: /^Count here/ })
    .press('Enter')
  const card = cards.filter({ has: page.getByRole('heading', { name: chosen }) })
  await expect(card).toContainText('Your time is counting')
  await expect(card.getByRole('heading')).toBeFocused()
  await expect(watching.getByText(`Your time counts for ${chosen} now.`)).toHaveCount(
    streams.length - 1,
  )

  await page.setViewportSize(narrow)
  await page.reload()
  await expect(card).toContainText('Your time is counting')
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(narrow.width)
})
