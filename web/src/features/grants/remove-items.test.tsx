// What takes from everybody, where that is for super users alone.

import {
  adminBatchesContract,
  adminPackTypesContract,
  adminUsersContract,
  authContract,
} from '@redpack/contract'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { answers, hangs, mockServer } from '../../../test/mock-server.ts'
import { renderPart } from '../../../test/render.tsx'
import { sampleUser } from '../../../test/samples.ts'
import { RemoveItems } from './distribute-panel.tsx'

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
