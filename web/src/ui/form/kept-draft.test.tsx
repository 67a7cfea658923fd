// What staff typed when their session ended.

import {
  adminEconomyContract,
  adminPackTypesContract,
  adminPrizesContract,
  adminUsersContract,
  authContract,
} from '@redpack/contract'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { records, type Sent, samplePrize } from '../../../test/catalogue-samples.ts'
import { answers, mockServer } from '../../../test/mock-server.ts'
import { renderPart } from '../../../test/render.tsx'
import { sampleUser } from '../../../test/samples.ts'
import { PrizesPanel } from '../../features/catalogue/prizes-panel.tsx'
import { sampleUsersPage } from '../../features/people/sample-users.fixture.ts'

const server = mockServer()
const session = [authContract.me.path]

beforeEach(() => {
  server.use(
    answers(adminEconomyContract.preview, { packs: [] }),
    answers(adminPackTypesContract.list, []),
    answers(adminPrizesContract.list, [samplePrize({ imageData: '/hoodie.png' })]),
    answers(adminUsersContract.list, sampleUsersPage([])),
  )
})

const field = (label = 'Description') => screen.findByLabelText<HTMLInputElement>(label)
const type = async (value: string) => fireEvent.change(await field(), { target: { value } })

async function open(button: string, userId = 1) {
  const rendered = await renderPart(<PrizesPanel />)
  rendered.queryClient.setQueryData(session, sampleUser({ id: userId, role: 'admin' }))
  await rendered.user.click(await screen.findByRole('button', { name: button }))
  await screen.findByRole('dialog')
  return rendered
}

/** The door closes, and with it all that is behind it. */
function loseSession({ queryClient, unmount }: Awaited<ReturnType<typeof open>>): void {
  queryClient.setQueryData(session, null)
  unmount()
}

it('comes back with the next session as unsaved, and is forgotten once discarded', async () => {
  const first = await open('Add Prize')
  await type('A red cap.')
  loseSession(first)
  const { user } = await open('Add Prize')
  await waitFor(async () => expect((await field()).value).toBe('A red cap.'))
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await user.click(await screen.findByRole('button', { name: 'Discard' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.click(screen.getByRole('button', { name: 'Add Prize' }))
  expect((await field()).value).toBe('')
})

it('is kept for its record, without the picture, beside what others save meanwhile', async () => {
  const first = await open('Edit Hoodie')
  await type('Mine.')
  await first.user.click(screen.getByRole('button', { name: 'Remove image' }))
  expect(JSON.stringify(sessionStorage)).not.toContain('data:')
  loseSession(first)
  const sent: Sent[] = []
  const saved = samplePrize({ name: 'Jumper', description: 'Theirs.', imageData: '/hoodie.png' })
  server.use(
    answers(adminPrizesContract.list, [saved]),
    records(adminPrizesContract.update, saved, sent),
  )
  const { user } = await open('Edit Jumper')
  expect(await screen.findByText('Description: now Theirs., yours Mine.')).toBeTruthy()
  expect((await field('Name')).value).toBe('Jumper')
  await user.click(screen.getByRole('button', { name: 'Save changes' }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]?.body).toEqual({ description: 'Mine.', expected: { description: 'Theirs.' } })
  expect(sessionStorage.length).toBe(0)
})

it('is nothing for somebody else', async () => {
  const first = await open('Add Prize')
  await type('Mine.')
  loseSession(first)
  await open('Add Prize', 2)
  expect((await field()).value).toBe('')
})
