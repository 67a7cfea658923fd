// Very much is given only after a question that says how much in words, and only once; what was
// typed is left only after another.

import { adminBatchesContract, adminGrantsContract } from '@redpack/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { HttpResponse } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import type { Sent } from '../../../test/catalogue-samples.ts'
import {
  card,
  centerAnswers,
  granted,
  pickLuna,
  recordsGrants,
  samplePreview,
  sampleReach,
} from '../../../test/grant-samples.ts'
import { answers, later, mockServer, refuses, replies } from '../../../test/mock-server.ts'
import { renderPart } from '../../../test/render.tsx'
import { expectDone, lastToast } from '../../../test/toasts.ts'
import { DistributePanel } from './distribute-panel.tsx'

const server = mockServer()
let sent: Sent[] = []

beforeEach(() => {
  sent = []
  server.use(...centerAnswers, ...recordsGrants(sent))
})

async function openView(name: string) {
  const rendered = await renderPart(<DistributePanel />)
  await rendered.user.click(await screen.findByRole('tab', { name }))
  return rendered
}
const fill = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })

/** The open question says this; then it is answered. */
async function confirm(user: UserEvent, question: string, words: string) {
  const dialog = within(await screen.findByRole('alertdialog'))
  expect(await dialog.findByText(question)).toBeTruthy()
  expect(dialog.getByText(words)).toBeTruthy()
  expect(sent).toEqual([])
  await user.click(dialog.getByRole('button', { name: 'Confirm' }))
  await expectDone(granted.message)
}

it.each([
  ['10000', false],
  ['10001', true],
])('%s packs for one user', async (quantity, isAsked) => {
  const { user } = await openView('Individual Distribution')
  await pickLuna(user)
  await user.selectOptions(screen.getByLabelText('Pack type'), 'Crown Pack')
  fill('Quantity', quantity)
  await user.click(screen.getByRole('button', { name: 'Distribute Packs' }))
  if (isAsked) {
    const question = 'Give 10,001 × Crown Pack to Luna Fox?'
    await confirm(user, question, 'ten thousand one packs')
  }
  await waitFor(() => expect(sent).toMatchObject([{ body: { quantity: Number(quantity) } }]))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
})

it.each([
  ['10000000', false],
  ['12000500', true],
])('%s RedCoin for one user', async (amount, isAsked) => {
  const { user } = await openView('RedCoin Distribution')
  await pickLuna(user)
  fill('Amount', amount)
  fill('Reason', 'Quiz')
  await user.click(screen.getByRole('button', { name: 'Distribute RedCoin' }))
  if (isAsked) {
    const question = 'Give 12,000,500 RedCoin to Luna Fox?'
    await confirm(user, question, 'twelve million five hundred RedCoin')
  }
  await waitFor(() => expect(sent).toMatchObject([{ body: { amount: Number(amount) } }]))
})

it('the question before everyone gets some says the sum in words, and is asked once', async () => {
  server.use(refuses(adminBatchesContract.reach, 503, 'Busy'))
  const { user } = await openView('Bulk Distribution')
  await screen.findByRole('heading', { name: 'Grant to all users' })
  const all = card('Grant to all users')
  await user.selectOptions(all.getByLabelText('Pack type'), 'Crown Pack')
  fill('Quantity for each user', '400')
  const button = all.getByRole<HTMLButtonElement>('button', { name: 'Grant to all users' })
  // Nobody knows yet how much that is.
  await all.findByText('Failed to count the users')
  expect(button.disabled).toBe(true)
  server.use(...centerAnswers)
  await user.click(all.getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(button.disabled).toBe(false))
  const { given, give: tell } = later()
  server.use(replies(adminBatchesContract.reach, () => given))
  await user.click(button)
  const dialog = within(await screen.findByRole('alertdialog'))
  expect(dialog.getByText('Counting...')).toBeTruthy()
  expect(dialog.getByRole('button', { name: 'Confirm' })).toHaveProperty('disabled', true)
  tell(HttpResponse.json({ ...sampleReach, recipients: 30 }))
  await confirm(user, 'Give 400 × Crown Pack to each of all 30 users?', 'twelve thousand packs')
  expect(sent).toHaveLength(1)
  // Nothing is left to be given by a second press.
  expect(button.disabled).toBe(true)
})

it('a file that gives very much, refused with a reason for each row', async () => {
  server.use(
    answers(adminBatchesContract.preview, { ...samplePreview(), total: 20_000 }),
    replies(adminGrantsContract.bulkPacks, () => {
      const errors = [2, 3].map((row) => ({ path: `row ${row}`, message: 'Unknown user' }))
      return HttpResponse.json({ message: 'No row could be applied', errors }, { status: 400 })
    }),
  )
  const { user } = await openView('Bulk Distribution')
  await screen.findByRole('heading', { name: 'Batches' })
  await user.selectOptions(screen.getAllByLabelText('Pack type')[0] as HTMLElement, 'Crown Pack')
  const file = new File(['username,quantity\nlunafox,2'], 'quiz.csv')
  await user.upload(screen.getByLabelText('CSV file with packs'), file)
  await user.click(await screen.findByRole('button', { name: /^Distribute 20,000/ }))
  const dialog = within(await screen.findByRole('alertdialog'))
  expect(dialog.getByText('twenty thousand packs')).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Confirm' }))
  await waitFor(() =>
    expect(lastToast()).toMatchObject({
      description: 'No row could be applied\nrow 2: Unknown user\nrow 3: Unknown user',
      duration: Number.POSITIVE_INFINITY,
    }),
  )
})

it('a form asks before another view loses what was typed, and no more once it is sent', async () => {
  const { user } = await openView('RedCoin Distribution')
  await pickLuna(user)
  fill('Amount', '5')
  fill('Reason', 'Quiz')
  const leave = () => user.click(screen.getByRole('tab', { name: 'Individual Removal' }))
  await leave()
  await user.click(await screen.findByRole('button', { name: 'Stay here' }))
  await user.click(await screen.findByRole('button', { name: 'Distribute RedCoin' }))
  await waitFor(() => expect(sent).toMatchObject([{ body: { description: 'Quiz' } }]))
  await expectDone(granted.message)
  await leave()
  expect(await screen.findByRole('button', { name: 'Remove RedCoins' })).toBeTruthy()
  await user.keyboard('{ArrowLeft}')
  expect(await screen.findByRole('button', { name: 'Distribute RedCoin' })).toBeTruthy()
})
