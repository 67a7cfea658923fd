// Two members of staff on one record: what the other one saves is followed, said, and never undone
// unseen; what was entered stays.

import {
  adminEconomyContract,
  adminPackTypesContract,
  adminPrizesContract,
} from '@redpack/contract'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { records, type Sent, samplePackType, samplePrize } from '../../../test/catalogue-samples.ts'
import { answers, mockServer, refuses } from '../../../test/mock-server.ts'
import { renderPart } from '../../../test/render.tsx'
import { changedTopics } from '../../lib/changed-topics.ts'
import { toastStore } from '../../ui/feedback/toast.ts'
import { PackTypesPanel } from './pack-types-panel.tsx'
import { PrizesPanel } from './prizes-panel.tsx'

const server = mockServer()
let sent: Sent[] = []
const hoodie = samplePrize({ totalPacks: 10, description: 'Warm', inventoryQuantity: 9 })

beforeEach(() => {
  sent = []
  server.use(
    answers(adminEconomyContract.preview, { packs: [] }),
    answers(adminPackTypesContract.list, [samplePackType()]),
    answers(adminPrizesContract.list, [hoodie]),
    records(adminPrizesContract.update, hoodie, sent),
  )
})

/** Somebody else has saved this list, and this page is told. */
function savedElsewhere(...prizes: (typeof hoodie)[]) {
  server.use(answers(adminPrizesContract.list, prizes))
  act(() => changedTopics.announce(['pack_types'], 'news'))
}

async function openEdit() {
  const { user } = await renderPart(<PrizesPanel />)
  await user.click(await screen.findByRole('button', { name: 'Edit Hoodie' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Prize' }))
  const field = (label: string) => dialog.getByLabelText<HTMLInputElement>(label)
  const fill = (label: string, value: string) =>
    fireEvent.change(field(label), { target: { value } })
  const save = () => user.click(dialog.getByRole('button', { name: 'Save changes' }))
  return { user, dialog, field, fill, save }
}

it('a field that nobody touched follows, one that both changed shows both values', async () => {
  const { user, dialog, field, fill, save } = await openEdit()
  fill('Total packs', '12')
  savedElsewhere({ ...hoodie, totalPacks: 20, description: 'Warmer' })
  await waitFor(() => expect(field('Description').value).toBe('Warmer'))
  expect(dialog.getByText('Total packs: now 20, yours 12')).toBeTruthy()
  expect(field('Total packs').value).toBe('12')
  await save()
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]?.body).toEqual({ totalPacks: 12, expected: { totalPacks: 20 } })
  await user.keyboard('{Escape}')
})

it('what stands in no field follows as well', async () => {
  const plain = { ...hoodie, inventoryQuantity: null }
  server.use(answers(adminPrizesContract.list, [plain]))
  const { dialog, field, fill, save } = await openEdit()
  const pack = { packTypeId: 1, packQuantity: 3, isAlsoSent: true }
  const picture = { imageData: 'QUJD', imageType: 'image/png' }
  savedElsewhere({ ...plain, ...pack, ...picture, inventoryQuantity: 50 })
  await waitFor(() => expect(field('Inventory quantity').value).toBe('50'))
  expect(field('Pack quantity').value).toBe('3')
  fill('Description', 'Warmer')
  expect(dialog.queryByText(/Somebody else has saved/)).toBeNull()
  await save()
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]?.body).toEqual({ description: 'Warmer', expected: { description: 'Warm' } })
})

it('what somebody else has saved can be taken instead', async () => {
  const { user, dialog, field, fill } = await openEdit()
  fill('Total packs', '12')
  savedElsewhere({ ...hoodie, totalPacks: 20 })
  await user.click(await dialog.findByRole('button', { name: 'Use theirs' }))
  expect(field('Total packs').value).toBe('20')
  expect(dialog.queryByText(/Somebody else has saved/)).toBeNull()
})

it('a saving that comes second without news says so, and the next one may insist', async () => {
  const message = 'Somebody else has changed this meanwhile'
  const { dialog, fill, save } = await openEdit()
  fill('Total packs', '12')
  server.use(
    refuses(adminPrizesContract.update, 409, message),
    answers(adminPrizesContract.list, [{ ...hoodie, totalPacks: 20 }]),
  )
  await save()
  expect(await dialog.findByText('Total packs: now 20, yours 12')).toBeTruthy()
  expect(toastStore.get().toasts[0]?.description).toBe(message)
  server.use(records(adminPrizesContract.update, hoodie, sent))
  await save()
  await waitFor(() => expect(sent[0]?.body).toMatchObject({ expected: { totalPacks: 20 } }))
})

it('a prize that somebody else has deleted keeps its dialog and what was entered', async () => {
  const { dialog, field, fill, save } = await openEdit()
  fill('Name', 'Long considered')
  server.use(refuses(adminPrizesContract.update, 404, 'Prize not found'))
  savedElsewhere()
  expect(await dialog.findByText(/Somebody else has deleted this/)).toBeTruthy()
  await save()
  expect(field('Name').value).toBe('Long considered')
})

it('the inventory shows stock as it is now, what it was, and names what it is set from', async () => {
  const { user } = await renderPart(<PrizesPanel />)
  await user.click(await screen.findByRole('button', { name: /Manage inventory of Hoodie/i }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(dialog.getByLabelText('Total quantity'), { target: { value: '12' } })
  savedElsewhere({ ...hoodie, inventoryQuantity: 6 })
  expect(await dialog.findByText('It was 9 when you opened this.')).toBeTruthy()
  expect(dialog.getByText('Stock: 6 → 12')).toBeTruthy()
  server.use(records(adminPrizesContract.setInventory, hoodie, sent))
  await user.click(dialog.getByRole('button', { name: 'Set Total Inventory' }))
  await waitFor(() => expect(sent[0]?.body).toEqual({ quantity: 12, expected: { quantity: 6 } }))
})

it('an emptied color and icon of a pack type show what they count as before they are saved', async () => {
  const purple = samplePackType({ color: '#8B5CF6', icon: 'gift' })
  server.use(
    answers(adminPackTypesContract.list, [purple]),
    records(adminPackTypesContract.update, purple, sent),
  )
  const { user } = await renderPart(<PackTypesPanel />)
  await user.click(await screen.findByRole('button', { name: 'Edit Crown Pack' }))
  const dialog = within(await screen.findByRole('dialog'))
  const color = dialog.getByLabelText<HTMLInputElement>('Color')
  await user.clear(color)
  await user.tab()
  expect(color.value).toBe('#0080FF')
  expect(dialog.getByText('Empty counts as #0080FF')).toBeTruthy()
  const save = dialog.getByRole('button', { name: 'Save changes' })
  await user.click(save)
  expect(dialog.getByText('Empty counts as #0080FF. Press again to save that.')).toBeTruthy()
  expect(sent).toEqual([])
  await user.click(save)
  await waitFor(() =>
    expect(sent[0]?.body).toEqual({ color: '#0080FF', expected: { color: '#8B5CF6' } }),
  )
})
