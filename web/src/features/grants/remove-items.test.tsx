// What takes from everybody, where that is for super users alone.

import {
  adminBatchesContract,
  adminPackTypesContract,
  adminUsersContract,
  authContract,
} from '@redpack/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { holdWaits } from '../../../test/held-waits.ts'
import { answers, hangs, holds, mockServer, refuses } from '../../../test/mock-server.ts'
import { renderPart } from '../../../test/render.tsx'
import { sampleUser } from '../../../test/samples.ts'
import { RemoveItems, thinkingMs } from './distribute-panel.tsx'

const server = mockServer()
const names = ['Remove All RedCoins', 'Remove All Packs']
const isEnabled = (name: string) =>
  !screen.getByRole<HTMLButtonElement>('button', { name }).disabled

beforeEach(() => {
  server.use(
    answers(authContract.me, sampleUser({ role: 'admin' })),
    answers(adminPackTypesContract.list, []),
    answers(adminUsersContract.list, []),
    hangs(adminBatchesContract.reach),
  )
})

it('is not offered to who may not act on everybody', async () => {
  server.use(
    answers(adminUsersContract.powers, { mayActOnEverybody: false, mayChangeSuperUsers: false }),
  )
  await renderPart(<RemoveItems />)
  await waitFor(() => expect(names.map(isEnabled)).toEqual([false, false]))
  expect(screen.getAllByText('Only a super user can do this.')).toHaveLength(2)
})

it('is offered to who may', async () => {
  await renderPart(<RemoveItems />)
  expect(names.map(isEnabled)).toEqual([true, true])
  expect(screen.queryByText('Only a super user can do this.')).toBeNull()
})

it('counts anew when it asks, and waits for that', async () => {
  const reach = (total: number) => {
    const one = { total, users: 1 }
    return { recipients: 1, redCoin: one, packs: one }
  }
  server.use(answers(adminBatchesContract.reach, reach(5)))
  const { user } = await renderPart(<RemoveItems />)
  await screen.findByText(/5 RedCoin from 1 user/)
  const { handler, release } = holds(adminBatchesContract.reach, () => HttpResponse.json(reach(7)))
  server.use(handler)
  const thinkingPasses = holdWaits('Timeout', thinkingMs)
  await user.click(screen.getByRole('button', { name: 'Remove All RedCoins' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  await user.type(dialog.getByRole('textbox'), 'remove all redcoin')
  await thinkingPasses()
  const confirm = dialog.getByRole<HTMLButtonElement>('button', { name: 'Confirm' })
  expect(dialog.getByText('Counting what this removes...')).toBeTruthy()
  expect(confirm.disabled).toBe(true)
  release()
  expect(await dialog.findByText('This removes 7 RedCoin from 1 user.')).toBeTruthy()
  expect(confirm.disabled).toBe(false)
})

it('takes nothing that could not be counted', async () => {
  server.use(refuses(adminBatchesContract.reach, 503, 'Busy'))
  const { user } = await renderPart(<RemoveItems />)
  const thinkingPasses = holdWaits('Timeout', thinkingMs)
  await user.click(screen.getByRole('button', { name: 'Remove All Packs' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  await user.type(dialog.getByRole('textbox'), 'remove all packs')
  await thinkingPasses()
  expect(await dialog.findByText('Failed to count what this removes')).toBeTruthy()
  expect(dialog.getByRole('button', { name: 'Confirm' })).toHaveProperty('disabled', true)
})
