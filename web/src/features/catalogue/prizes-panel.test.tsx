// The Prizes tab: its cards, its empty and failed states, stock and deletion.

import {
  adminEconomyContract,
  adminPackTypesContract,
  adminPrizesContract,
  adminStoreContract,
} from '@redpack/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  records,
  type Sent,
  samplePackType,
  samplePrize,
  shopQueries,
} from '../../../test/catalogue-samples.ts'
import { textOf } from '../../../test/fairness-samples.ts'
import { answers, holds, mockServer, refuses, replies } from '../../../test/mock-server.ts'
import { pressButton } from '../../../test/press.ts'
import { leaveAnswers, renderPart } from '../../../test/render.tsx'
import { expectDone, expectFailed, expectUndoable } from '../../../test/toasts.ts'
import { PrizesPanel } from './prizes-panel.tsx'

const server = mockServer()

beforeEach(() => {
  server.use(
    answers(adminEconomyContract.preview, { packs: [] }),
    answers(adminPackTypesContract.list, [
      samplePackType(),
      samplePackType({ id: 2, name: 'Lucky Pack' }),
    ]),
    answers(adminPrizesContract.list, [samplePrize()]),
  )
})

async function renderCard(change: Parameters<typeof samplePrize>[0] = {}) {
  server.use(answers(adminPrizesContract.list, [samplePrize(change)]))
  const rendered = await renderPart(<PrizesPanel />)
  const card = await screen.findByRole('article', { name: change.name ?? 'Hoodie' })
  return { ...rendered, card: within(card), element: card }
}

describe('the list', () => {
  it('can be searched by name, pack type and state', async () => {
    server.use(
      answers(adminPrizesContract.list, [
        samplePrize(),
        samplePrize({ id: 12, name: 'Mug', inventoryQuantity: 0, packTypeIds: [2] }),
        samplePrize({ id: 13, name: 'Pin', isActive: false }),
      ]),
    )
    const { user } = await renderPart(<PrizesPanel />)
    const names = () =>
      screen.queryAllByRole('article').map((card) => card.getAttribute('aria-labelledby'))
    await screen.findByRole('article', { name: 'Mug' })
    await user.selectOptions(screen.getByLabelText('State'), 'Sold out')
    await waitFor(() => expect(names()).toEqual(['prize-12']))
    await user.selectOptions(screen.getByLabelText('State'), 'Inactive')
    await waitFor(() => expect(names()).toEqual(['prize-13']))
    await user.selectOptions(screen.getByLabelText('Pack type'), 'Lucky Pack')
    expect(await screen.findByText('No prize matches')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Clear filters' }))
    await waitFor(() => expect(names()).toHaveLength(3))
    await user.type(screen.getByLabelText('Search prizes'), 'hood')
    await waitFor(() => expect(names()).toEqual(['prize-11']))
  })
})

describe('a card', () => {
  it('shows a physical prize with its acts, below the heading and the way to a new one', async () => {
    const { card, element } = await renderCard()
    expect(screen.getByRole('heading', { name: 'Prize Management' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Add Prize' })).toBeTruthy()
    expect(screen.getByText('Showing 1 of 1 prize')).toBeTruthy()
    expect(card.getByRole('button', { name: 'Edit Hoodie' })).toBeTruthy()
    expect(card.getByRole('button', { name: 'Delete Hoodie' })).toBeTruthy()
    const inventory = card.getByRole('button', { name: 'Manage inventory of Hoodie' })
    expect(inventory.querySelector('.lucide-package')).toBeTruthy()
    expect(element.querySelector('[data-icon="coin"]')).toBeTruthy()
    expect(card.getByRole('heading', { name: 'Hoodie' })).toBeTruthy()
    expect(card.getByText('Warm and red.')).toBeTruthy()
    expect(card.getByText('1 wins in 3 packs (33.33%)')).toBeTruthy()
    const beside = (term: string) => card.getByText(term).nextElementSibling?.textContent
    expect(beside('RedCoin')).toBe('0')
    expect(beside('Stock')).toBe('7')
    expect(beside('Pack types')).toBe('Crown Pack')
    expect(card.getByText('Active')).toBeTruthy()
  })

  it('shows a RedCoin prize, and its picture in place of the coin', async () => {
    const picture = { imageData: 'QUJD', imageType: 'image/png' }
    const prize = { redCoinAmount: 2500, inventoryQuantity: null, ...picture }
    const { card, element } = await renderCard(prize)
    expect(element.querySelector('img')?.src).toBe('data:image/png;base64,QUJD')
    expect(card.getByText('Win 2,500 RedCoin instantly added to your balance')).toBeTruthy()
    expect(card.getByText('2,500 RedCoin')).toBeTruthy()
    expect(card.getByText('Unlimited')).toBeTruthy()
    expect(card.queryByText('Warm and red.')).toBeNull()
  })

  it('fills in for what is missing', async () => {
    const { card } = await renderCard({
      description: '',
      isActive: false,
      packTypes: [],
      packTypeIds: [],
    })
    expect(card.getByText('Physical prize - check claim instructions')).toBeTruthy()
    expect(card.getByText('None')).toBeTruthy()
    expect(card.getByText('No pack types assigned')).toBeTruthy()
    expect(card.getByText('Inactive')).toBeTruthy()
  })

  it('says the real chance where the shares of a pack exceed 1', async () => {
    server.use(
      answers(adminPrizesContract.list, [
        samplePrize({ winFrequency: 1, totalPacks: 1 }),
        samplePrize({ id: 12, name: 'Mug', winFrequency: 1, totalPacks: 4 }),
      ]),
    )
    await renderPart(<PrizesPanel />)
    const mug = within(await screen.findByRole('article', { name: 'Mug' }))
    expect(mug.getByText(/Real chance 20.00% in Crown Pack.*125.00%/s)).toBeTruthy()
  })
})

async function openInventory(change: Parameters<typeof samplePrize>[0] = {}) {
  const rendered = await renderCard(change)
  await rendered.user.click(rendered.card.getByRole('button', { name: /Manage inventory/ }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Manage Prize Inventory' }))
  return { ...rendered, dialog }
}

describe('Manage Prize Inventory', () => {
  it('takes codes instead where they are what is won, with a verdict for each line', async () => {
    // A file of jsdom cannot be read where a call arrives, on every version of Node.
    const form = vi.spyOn(FormData.prototype, 'set')
    const verdicts = [
      { line: 1, verdict: 'added' as const },
      { line: 2, verdict: 'known' as const },
    ]
    server.use(answers(adminPrizesContract.addCodes, { added: 1, verdicts }))
    const { dialog, user } = await openInventory({ deliversCodes: true })
    expect(dialog.queryByLabelText('Total quantity')).toBeNull()
    await user.type(dialog.getByLabelText('Codes'), 'AAA-1{enter}BBB-2')
    await user.click(dialog.getByRole('button', { name: 'Add codes' }))
    expect(await dialog.findByText('1 code added')).toBeTruthy()
    expect(dialog.getByText('Line 2: already added')).toBeTruthy()
    expect(dialog.getByLabelText('Codes')).toHaveProperty('value', '')
    const [name, file] = form.mock.calls[0] ?? []
    expect([name, await textOf(file as File)]).toEqual(['file', 'AAA-1\nBBB-2'])
  })

  it('keeps codes that are pasted while others are sent, and asks before it closes', async () => {
    const answer = { added: 1, verdicts: [{ line: 1, verdict: 'added' }] }
    const late = holds(adminPrizesContract.addCodes, () => HttpResponse.json(answer))
    server.use(late.handler)
    const { dialog, user } = await openInventory({ deliversCodes: true })
    const codes = dialog.getByLabelText('Codes')
    await user.type(codes, 'AAA-1')
    await user.click(dialog.getByRole('button', { name: 'Add codes' }))
    await user.type(codes, '{enter}BBB-2')
    late.release()
    expect(await dialog.findByText('1 code added')).toBeTruthy()
    expect(codes).toHaveProperty('value', 'AAA-1\nBBB-2')
    await user.keyboard('{Escape}')
    expect(await screen.findByText('Discard your changes?')).toBeTruthy()
  })

  it('takes codes of a file only when it is UTF-8 text', async () => {
    // No file of jsdom can be read.
    const fileOf = (bytes: Uint8Array) =>
      Object.assign(new File([], 'codes.txt'), { arrayBuffer: async () => bytes })
    const { dialog, user } = await openInventory({ deliversCodes: true })
    const input = dialog.getByLabelText('Or import a text file')
    await user.upload(input, fileOf(Uint8Array.of(0x41, 0xe9)))
    expect(await dialog.findByText('The file is not UTF-8 text')).toBeTruthy()
    expect(dialog.getByLabelText('Codes')).toHaveProperty('value', '')
    await user.upload(input, fileOf(new TextEncoder().encode('CAFÉ-1')))
    await waitFor(() => expect(dialog.getByLabelText('Codes')).toHaveProperty('value', 'CAFÉ-1'))
    expect(dialog.queryByText('The file is not UTF-8 text')).toBeNull()
  })

  it('sends the same codes again under their key, and other codes under another', async () => {
    const keys: (string | null)[] = []
    server.use(
      replies(adminPrizesContract.addCodes, ({ headers }) => {
        keys.push(headers.get('Idempotency-Key'))
        return HttpResponse.error()
      }),
    )
    const { dialog, user } = await openInventory({ deliversCodes: true })
    const addTyped = async () => {
      const sent = keys.length
      await user.click(dialog.getByRole('button', { name: 'Add codes' }))
      await waitFor(() => expect(keys).toHaveLength(sent + 1))
      await dialog.findByRole('button', { name: 'Add codes' })
    }
    await user.type(dialog.getByLabelText('Codes'), 'AAA-1')
    await addTyped()
    await addTyped()
    await user.type(dialog.getByLabelText('Codes'), '{enter}BBB-2')
    await addTyped()
    expect(keys[1]).toBe(keys[0])
    expect(keys[2]).not.toBe(keys[0])
  })

  it('shows stock and status, and adds a quantity above 0', async () => {
    const sent: Sent[] = []
    server.use(records(adminPrizesContract.addInventory, samplePrize(), sent))
    const { dialog, user } = await openInventory()
    expect(dialog.getByText('Current stock').nextElementSibling?.textContent).toBe('7')
    expect(dialog.getByText('Status').nextElementSibling?.textContent).toBe('Active')
    const add = dialog.getByRole('button', { name: 'Add Inventory' })
    expect(add).toHaveProperty('disabled', true)
    await user.type(dialog.getByLabelText('Quantity to add'), '0')
    expect(add).toHaveProperty('disabled', true)
    await user.clear(dialog.getByLabelText('Quantity to add'))
    await user.type(dialog.getByLabelText('Quantity to add'), '5')
    expect(dialog.getByText('Stock: 7 → 12')).toBeTruthy()
    await user.click(add)
    await expectDone('Inventory added successfully')
    expect(sent).toMatchObject([
      { path: '/api/admin/prizes/11/add-inventory', body: { quantity: 5 } },
    ])
    expect(sent[0]?.key).toBeTruthy()
  })

  it('cannot add to unlimited stock', async () => {
    const { dialog } = await openInventory({ inventoryQuantity: null })
    expect(dialog.getByRole('button', { name: 'Add Inventory' })).toHaveProperty('disabled', true)
    expect(dialog.getByText('This prize has unlimited stock.')).toBeTruthy()
  })

  it('sets a total, or none', async () => {
    const sent: Sent[] = []
    server.use(records(adminPrizesContract.setInventory, samplePrize(), sent))
    const { dialog, user } = await openInventory()
    const total = dialog.getByLabelText('Total quantity')
    await user.clear(total)
    await user.type(total, '40')
    await user.click(dialog.getByRole('button', { name: 'Set Total Inventory' }))
    await expectDone('Inventory updated successfully')
    await user.click(dialog.getByRole('checkbox', { name: 'Unlimited Stock' }))
    expect(total).toHaveProperty('disabled', true)
    await user.click(dialog.getByRole('button', { name: 'Set Total Inventory' }))
    await waitFor(() => expect(sent).toHaveLength(2))
    expect(sent.map(({ body }) => body)).toEqual([
      { quantity: 40, expected: { quantity: 7 } },
      { quantity: null, expected: { quantity: 7 } },
    ])
    expect(sent[0]?.key).not.toBe(sent[1]?.key)
  })

  it('goes on from the new stock after adding', async () => {
    server.use(
      replies(adminPrizesContract.addInventory, () => {
        server.use(answers(adminPrizesContract.list, [samplePrize({ inventoryQuantity: 12 })]))
        return HttpResponse.json(samplePrize({ inventoryQuantity: 12 }))
      }),
    )
    const { dialog, user } = await openInventory()
    await user.type(dialog.getByLabelText('Quantity to add'), '5')
    await user.click(dialog.getByRole('button', { name: 'Add Inventory' }))
    const total = dialog.getByLabelText<HTMLInputElement>('Total quantity')
    await waitFor(() => expect(total.value).toBe('12'))
    expect(dialog.getByText('Nothing changes.')).toBeTruthy()
  })

  it('says what failed under its own title', async () => {
    server.use(
      refuses(adminPrizesContract.addInventory, 400, 'Prize has unlimited stock'),
      refuses(adminPrizesContract.setInventory, 409, 'Somebody was faster'),
    )
    const { dialog, user } = await openInventory()
    await user.type(dialog.getByLabelText('Quantity to add'), '5')
    await user.click(dialog.getByRole('button', { name: 'Add Inventory' }))
    await expectFailed('Error adding inventory', 'Prize has unlimited stock')
    await user.click(dialog.getByRole('checkbox', { name: 'Unlimited Stock' }))
    await user.click(dialog.getByRole('button', { name: 'Set Total Inventory' }))
    await expectFailed('Error updating inventory', 'Somebody was faster')
  })
})

it('Manage Prize Inventory keeps what is typed while it is added or set', async () => {
  const { addInventory, setInventory } = adminPrizesContract
  const held = [addInventory, setInventory].map((endpoint) =>
    holds(endpoint, () => HttpResponse.json(samplePrize())),
  )
  server.use(...held.map(({ handler }) => handler))
  const { dialog, user } = await openInventory()
  const more = dialog.getByLabelText<HTMLInputElement>('Quantity to add')
  const total = dialog.getByLabelText<HTMLInputElement>('Total quantity')
  await user.type(more, '5')
  await user.click(dialog.getByRole('button', { name: 'Add Inventory' }))
  await user.type(total, '1')
  await user.click(dialog.getByRole('button', { name: 'Set Total Inventory' }))
  await user.type(more, '0')
  await user.type(total, '2')
  for (const { release } of held) release()
  await screen.findByText('Inventory added successfully')
  await screen.findByText('Inventory updated successfully')
  expect([more.value, total.value]).toEqual(['50', '712'])
})

describe('deleting', () => {
  it('is done at once and once, however often it is pressed, and can be taken back', async () => {
    const sent: Sent[] = []
    server.use(
      records(adminPrizesContract.remove, { success: true, message: 'ok' }, sent),
      records(adminPrizesContract.restore, samplePrize(), sent),
    )
    const { card, user } = await renderCard()
    await user.dblClick(card.getByRole('button', { name: 'Delete Hoodie' }))
    await expectUndoable('Prize deleted successfully: Hoodie')
    expect(screen.queryByRole('alertdialog')).toBeNull()
    await pressButton(user, 'Undo')
    await expectDone('Prize restored successfully: Hoodie')
    expect(sent.map(({ path }) => path)).toEqual([
      '/api/admin/prizes/11',
      '/api/admin/prizes/11/restore',
    ])
  })

  it('refreshes packs and store for everyone', async () => {
    server.use(answers(adminPrizesContract.remove, { success: true, message: 'ok' }))
    const { card, user, queryClient } = await renderCard({ isActive: false })
    const stale = leaveAnswers(queryClient, ...shopQueries)
    await user.click(card.getByRole('button', { name: 'Delete Hoodie' }))
    await waitFor(() => expect(stale()).toHaveLength(3))
    expect(queryClient.getQueryState([adminStoreContract.list.path])).toBeUndefined()
  })

  it('says what failed in the words of the server', async () => {
    server.use(
      replies(adminPrizesContract.remove, () =>
        HttpResponse.json({ error: 'Not now' }, { status: 409 }),
      ),
    )
    const { card, user } = await renderCard({ isActive: false })
    await user.click(card.getByRole('button', { name: 'Delete Hoodie' }))
    await expectFailed('Error deleting prize', 'Not now')
  })
})
