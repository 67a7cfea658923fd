// Polls of the admin panel that fail are said in one place, with the age of what is shown.

import { adminClaimsContract } from '@redpack/contract'
import { screen, waitFor } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { expect, it, vi } from 'vitest'
import { testBegin } from '../../../tools/test-clock.ts'
import { claimsScene } from '../../test/claims-scene.ts'
import { holdWaits } from '../../test/held-waits.ts'
import { holds, refuses } from '../../test/mock-server.ts'
import { claimsPollMs } from '../features/claims/staff-queries.ts'
import { formatTime } from '../lib/format.ts'
import { hungAfterMs, unreachedAfterMs } from './admin.tsx'

const { server, serveClaims, open } = claimsScene()
const note = () => screen.queryByText(/Reconnecting/)

it('says since when nothing was reached, and stops when it is reached again', async () => {
  const pollPasses = holdWaits('Interval', claimsPollMs)
  await open()
  server.use(refuses(adminClaimsContract.list, 503, 'Busy'))
  vi.setSystemTime(testBegin.getTime() + unreachedAfterMs / 2)
  await pollPasses()
  // One poll that fails is nothing to speak of.
  expect(note()).toBeNull()
  vi.setSystemTime(testBegin.getTime() + 3 * 60_000)
  await pollPasses()
  await waitFor(() => expect(note()).not.toBeNull())
  expect(note()?.textContent).toContain(
    `Last updated at ${formatTime(testBegin.getTime())}. Reconnecting...`,
  )
  expect(screen.getByText('PR-CLAIM1')).toBeTruthy()
  server.use(serveClaims([]))
  await pollPasses()
  await waitFor(() => expect(note()).toBeNull())
})

it('says so as well when polls are answered by nobody', async () => {
  const pollPasses = holdWaits('Interval', claimsPollMs)
  await open()
  const { handler, release } = holds(adminClaimsContract.list, HttpResponse.error)
  server.use(handler)
  // Who comes back to a page that was not seen for an hour reads nothing of it at once.
  const backAt = testBegin.getTime() + 3_600_000
  vi.setSystemTime(backAt)
  await pollPasses()
  vi.setSystemTime(backAt + hungAfterMs - 1)
  await pollPasses()
  expect(note()).toBeNull()
  vi.setSystemTime(backAt + hungAfterMs)
  await pollPasses()
  expect(note()?.textContent).toContain(formatTime(testBegin.getTime()))
  release()
})
