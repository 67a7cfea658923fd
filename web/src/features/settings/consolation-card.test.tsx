// The consolation is saved in a form that stays open: one's own save is nobody else's.

import { adminOverviewContract, type EconomySettings } from '@redpack/contract'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { expect, it } from 'vitest'
import { mockServer, replies } from '../../../test/mock-server.ts'
import { renderPart } from '../../../test/render.tsx'
import { changedTopics } from '../../lib/changed-topics.ts'
import { ConsolationCard } from './theme-panel.tsx'

let stored: EconomySettings = { consolationRedCoin: 5 }

mockServer(
  replies(adminOverviewContract.economySettings, () => HttpResponse.json(stored)),
  replies(adminOverviewContract.saveEconomySettings, async (request) => {
    const body = (await request.json()) as EconomySettings
    stored = { consolationRedCoin: body.consolationRedCoin }
    return HttpResponse.json(stored)
  }),
)

it('typing on after a save names nobody, another save in between is said', async () => {
  const { user } = await renderPart(<ConsolationCard />)
  const field = await screen.findByLabelText<HTMLInputElement>(/RedCoin for a losing pack/)
  const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' })
  const fill = (value: string) => fireEvent.change(field, { target: { value } })
  fill('6')
  await user.click(save)
  await waitFor(() => expect([stored.consolationRedCoin, save.textContent]).toEqual([6, 'Save']))
  expect(save.disabled).toBe(true)
  fill('')
  expect(screen.getByText('Enter a whole number, 0 or more')).toBeTruthy()
  fill('7')
  expect(screen.queryByText(/Somebody else has saved/)).toBe(null)
  stored = { consolationRedCoin: 9 }
  act(() => changedTopics.announce(['pack_types'], 'news'))
  await screen.findByText(/Somebody else has saved/)
  expect(screen.getByText(/now 9, yours 7/)).toBeTruthy()
})
