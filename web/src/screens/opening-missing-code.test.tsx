// An opening whose proving code cannot be fetched, as after a new build or a dropped network.

import { authContract, packsContract } from '@redpack/contract'
import { screen } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, expect, it, vi } from 'vitest'
import { testNow } from '../../../tools/test-clock.ts'
import { answers, mockServer, replies } from '../../test/mock-server.ts'
import { renderApp } from '../../test/render.tsx'
import { sampleUser } from '../../test/samples.ts'
import { rememberSent } from '../features/packs/opening-records.ts'
import { sampleHolding, sampleType } from '../features/packs/opening-samples.fixture.ts'
import { toastStore } from '../ui/feedback/toast.ts'

vi.mock('../features/fairness/own-draws.ts', async (original) => {
  const missing = async () => {
    throw new TypeError('Failed to fetch dynamically imported module: /assets/own-draws.js')
  }
  return {
    ...(await original<typeof import('../features/fairness/own-draws.ts')>()),
    ...{ drawTerms: missing, proveAnswer: missing, noteFailure: missing },
  }
})

const server = mockServer()
const newer = 'There is a newer version of this page'

beforeEach(() => {
  localStorage.clear()
  vi.spyOn(console, 'warn').mockReturnValue()
  server.use(
    answers(authContract.me, sampleUser()),
    answers(packsContract.types, [sampleType()]),
    answers(packsContract.holdings, [sampleHolding(8)]),
  )
})

it('offers to load the page anew before anything is sent', async () => {
  const app = await renderApp('/inventory')
  await app.user.click(await screen.findByRole('radio', { name: /Crown/ }))
  await app.user.click(screen.getByRole('button', { name: 'Open Packs' }))
  expect(await screen.findByText(newer)).toBeTruthy()
  expect(toastStore.get().toasts[0]?.action?.label).toBe('Reload')
})

it('says so as well when an earlier opening is asked for again, and keeps that one', async () => {
  const order = { packTypeId: 1, quantity: 1, oddsHash: sampleType().oddsHash }
  rememberSent({ key: 'kept', userId: sampleUser().id, order, sentAt: testNow() - 60_000 })
  server.use(
    replies(packsContract.open, () => HttpResponse.json({ message: 'Broken' }, { status: 500 })),
  )
  const app = await renderApp('/inventory')
  await app.user.click(await screen.findByRole('button', { name: 'Ask again' }))
  expect(await screen.findByText('Pack Opening Error')).toBeTruthy()
  expect(await screen.findByRole('button', { name: 'Ask again' })).toBeTruthy()
})
