// Answers that come while staff have gone on: they change what was sent, and nothing entered since.

import { adminGrantsContract, adminUsersContract } from '@redpack/contract'
import { fireEvent, screen, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import {
  batchId,
  centerAnswers,
  granted,
  onePage,
  sampleRecipient,
} from '../../../test/grant-samples.ts'
import { answers, mockServer, replies } from '../../../test/mock-server.ts'
import { renderPart } from '../../../test/render.tsx'
import { expectDone } from '../../../test/toasts.ts'
import { BulkFileCard } from './bulk-file-card.tsx'
import { IndividualDistribution } from './grant-forms.tsx'

const server = mockServer()
const ben = sampleRecipient({ id: 8, username: 'ben', displayName: 'Ben' })
let held: Promise<void>
let release: () => void

/** Answers once it is released. */
const late = (body: object) => async () => {
  await held
  return HttpResponse.json({ ...granted, ...body })
}

beforeEach(() => {
  held = new Promise((resolve) => (release = resolve))
  server.use(
    answers(adminUsersContract.list, { users: [sampleRecipient(), ben], ...onePage }),
    ...centerAnswers,
    replies(adminGrantsContract.distributePacks, late({ newQuantity: 5, removedQuantity: 0 })),
    replies(adminGrantsContract.bulkRedCoin, late({ batchId, failedCount: 0 })),
  )
})

type User = Awaited<ReturnType<typeof renderPart>>['user']
async function pick(user: User, name: string) {
  const change = screen.queryByRole('button', { name: 'Choose another user' })
  if (change) await user.click(change)
  await user.click(screen.getByRole('combobox', { name: 'User' }))
  await user.click(await screen.findByRole('option', { name: new RegExp(name) }))
}
const chosen = () => screen.getByRole('region', { name: 'Chosen user' })

it('a grant leaves alone what was entered for the next', async () => {
  const { user } = await renderPart(<IndividualDistribution />)
  await pick(user, 'Luna Fox')
  await user.selectOptions(await screen.findByLabelText('Pack type'), 'Crown Pack')
  const quantity = screen.getByLabelText<HTMLInputElement>('Quantity')
  fireEvent.change(quantity, { target: { value: '5' } })
  await user.click(screen.getByRole('button', { name: 'Distribute Packs' }))
  await pick(user, 'Ben')
  release()
  await expectDone(granted.message)
  expect(within(chosen()).getByText('Ben')).toBeTruthy()
  expect(quantity.value).toBe('5')
})

it('a file that was chosen meanwhile stays chosen, and the receipt names the other', async () => {
  const { user } = await renderPart(<BulkFileCard kind="redcoin" onOpenBatch={() => undefined} />)
  const choose = (name: string) =>
    user.upload(
      screen.getByLabelText('CSV file with RedCoin'),
      new File(['username,redcoins\nlunafox,2'], name),
    )
  await choose('monday.csv')
  await user.click(await screen.findByRole('button', { name: /^Distribute .* to 1 user/ }))
  await user.click(screen.getByRole('button', { name: 'Choose another file' }))
  await choose('tuesday.csv')
  release()
  await expectDone(granted.message)
  expect(screen.getByText('tuesday.csv')).toBeTruthy()
  const receipt = await screen.findByRole('region', { name: 'Receipt' })
  expect(receipt.textContent).toContain('monday.csv: 1 row applied')
})
