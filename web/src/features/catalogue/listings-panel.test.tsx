// The Store tab: the form in the page, the listings as table and cards, the dialog, the switches.

import {
  type AdminListing,
  adminEconomyContract,
  adminPackTypesContract,
  adminStoreContract,
} from '@redpack/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  records,
  type Sent,
  sampleListing,
  samplePackEconomy,
  samplePackType,
  shopQueries,
} from '../../../test/catalogue-samples.ts'
import { answers, mockServer, refuses } from '../../../test/mock-server.ts'
import { fill, pressButton, textOf } from '../../../test/press.ts'
import { leaveAnswers, renderPart } from '../../../test/render.tsx'
import { expectDone, expectFailed, expectUndoable } from '../../../test/toasts.ts'
import { StorePanel } from './listings-panel.tsx'

const server = mockServer()
let sent: Sent[] = []

beforeEach(() => {
  sent = []
  server.use(
    answers(adminPackTypesContract.list, [samplePackType()]),
    answers(adminStoreContract.list, [sampleListing()]),
    records(adminStoreContract.create, sampleListing(), sent),
    records(adminStoreContract.update, sampleListing(), sent),
  )
})

async function renderTab(...listings: AdminListing[]) {
  if (listings.length > 0) server.use(answers(adminStoreContract.list, listings))
  const rendered = await renderPart(<StorePanel />)
  const table = within(await screen.findByRole('table', { name: /^Store listings/ }))
  await screen.findByRole('option', { name: 'Crown Pack' })
  return { ...rendered, table }
}

const form = () => within(screen.getByRole('form', { name: 'Create Store Listing' }))
const isOn = (part: Pick<typeof screen, 'getByRole'>, name: string) =>
  part.getByRole('switch', { name }).getAttribute('aria-checked') === 'true'

describe('Create Store Listing', () => {
  it('tells two pack types of one name apart', async () => {
    const twins = [5, 6].map((id) => samplePackType({ id, name: 'Starter Pack' }))
    server.use(answers(adminPackTypesContract.list, [samplePackType(), ...twins]))
    await renderTab()
    const choices = within(form().getByLabelText('Pack type')).getAllByRole('option').slice(1)
    const names = ['Crown Pack', 'Starter Pack (#5)', 'Starter Pack (#6)']
    expect(choices.map(({ textContent }) => textContent)).toEqual(names)
  })

  it('starts with its defaults, creates a listing and starts over', async () => {
    const { user, queryClient } = await renderTab()
    expect(textOf(form(), 'Price (RedCoin)')).toBe('1')
    expect(textOf(form(), 'Quantity available')).toBe('100')
    expect(textOf(form(), 'Sort order')).toBe('0')
    expect(isOn(form(), 'Unlimited')).toBe(false)
    expect(isOn(form(), 'Active')).toBe(true)
    const stale = leaveAnswers(queryClient, ...shopQueries)
    await user.selectOptions(form().getByLabelText('Pack type'), 'Crown Pack')
    fill(form(), 'Price (RedCoin)', '750')
    await user.click(form().getByRole('button', { name: 'Create listing' }))
    await expectDone('Store listing created successfully')
    expect(sent).toMatchObject([
      {
        path: '/api/admin/store/listings',
        body: {
          packTypeId: 1,
          redCoinPrice: 750,
          quantityAvailable: 100,
          isUnlimited: false,
          isActive: true,
          sortOrder: 0,
        },
      },
    ])
    expect(sent[0]?.key).toBeTruthy()
    expect(textOf(form(), 'Price (RedCoin)')).toBe('1')
    await waitFor(() => expect(stale()).toHaveLength(3))
  })

  it('refuses a missing pack type, an emptied price and an emptied order', async () => {
    const { user } = await renderTab()
    fill(form(), 'Price (RedCoin)', '')
    fill(form(), 'Sort order', '')
    fireEvent.blur(form().getByLabelText('Sort order'))
    await user.click(form().getByRole('button', { name: 'Create listing' }))
    expect(await form().findByText('Pack type is required')).toBeTruthy()
    expect(form().getByText('Price must be at least 1')).toBeTruthy()
    expect(form().getByText('Sort order must be 0 or higher')).toBeTruthy()
    expect(textOf(form(), 'Sort order')).toBe('')
    expect(sent).toEqual([])
  })

  it('takes an emptied quantity as unlimited, and keeps the number of the switch', async () => {
    const { user } = await renderTab()
    const quantity = form().getByLabelText('Quantity available')
    await user.click(form().getByRole('switch', { name: 'Unlimited' }))
    expect(quantity).toHaveProperty('disabled', true)
    expect(textOf(form(), 'Quantity available')).toBe('100')
    await user.click(form().getByRole('switch', { name: 'Unlimited' }))
    await user.clear(quantity)
    await user.tab()
    expect(isOn(form(), 'Unlimited')).toBe(true)
    await user.selectOptions(form().getByLabelText('Pack type'), 'Crown Pack')
    await user.click(form().getByRole('switch', { name: 'Unlimited' }))
    await user.clear(quantity)
    // Enter sends the form before the field is left.
    await user.keyboard('{Enter}')
    await waitFor(() =>
      expect(sent[0]?.body).toMatchObject({ isUnlimited: true, quantityAvailable: 0 }),
    )
  })

  it('cuts a fraction before it is sent by Enter, and sends what is then seen', async () => {
    const { user } = await renderTab()
    await user.selectOptions(form().getByLabelText('Pack type'), 'Crown Pack')
    for (const [label, typed, message] of [
      ['Quantity available', '5.5', 'Counts as 5. Press again to save that.'],
      ['Price (RedCoin)', '2.9', 'Counts as 2. Press again to save that.'],
    ] as const) {
      fill(form(), label, typed)
      await user.type(form().getByLabelText(label), '{Enter}')
      expect(await form().findByText(message)).toBeTruthy()
      expect([textOf(form(), label), sent]).toEqual([typed.slice(0, 1), []])
    }
    await user.keyboard('{Enter}')
    await waitFor(() =>
      expect(sent[0]?.body).toMatchObject({ redCoinPrice: 2, quantityAvailable: 5 }),
    )
  })

  it('warns of a price below what the pack pays', async () => {
    const warning = {
      code: 'pays_more_than_price' as const,
      message: 'It pays more than it costs.',
    }
    const pack = samplePackEconomy()
    server.use(
      answers(adminEconomyContract.preview, {
        packs: [{ before: pack, after: { ...pack, warnings: [warning] } }],
      }),
    )
    const { user } = await renderTab()
    await user.selectOptions(form().getByLabelText('Pack type'), 'Crown Pack')
    expect(await form().findByText('It pays more than it costs.')).toBeTruthy()
  })

  it('reports a failure and keeps what was typed', async () => {
    server.use(refuses(adminStoreContract.create, 404, 'Pack type not found'))
    const { user } = await renderTab()
    await user.selectOptions(form().getByLabelText('Pack type'), 'Crown Pack')
    fill(form(), 'Price (RedCoin)', '750')
    await user.click(form().getByRole('button', { name: 'Create listing' }))
    await expectFailed('Error creating store listing', 'Pack type not found')
    expect(textOf(form(), 'Price (RedCoin)')).toBe('750')
  })
})

describe('the listings', () => {
  it('stand in a table of six columns, which show what they are', async () => {
    const { table, user } = await renderTab(
      sampleListing(),
      sampleListing({
        id: 22,
        packType: { ...samplePackType(), name: '' },
        isUnlimited: true,
        isActive: false,
        sortOrder: 9,
      }),
    )
    await user.type(screen.getByRole('searchbox'), 'unlimited')
    await waitFor(() => expect(table.getAllByRole('row')).toHaveLength(2))
    await user.clear(screen.getByRole('searchbox'))
    await waitFor(() => expect(table.getAllByRole('row')).toHaveLength(3))
    const headers = table.getAllByRole('columnheader').map(({ textContent }) => textContent?.trim())
    expect(headers).toEqual([
      'Pack Type',
      'Price (RedCoin)',
      'Inventory',
      'Order',
      'Status',
      'Actions',
    ])
    const [, first, second] = table.getAllByRole('row').map((row) => within(row))
    for (const text of ['Crown Pack', 'No Image', '2,500 RedCoins', '40 packs', '3', 'Active']) {
      expect(first?.getByText(text)).toBeTruthy()
    }
    for (const text of ['Unknown Pack', 'Unlimited', '9', 'Inactive']) {
      expect(second?.getByText(text)).toBeTruthy()
    }
  })

  it('stand in a grid by choice', async () => {
    const { user } = await renderTab()
    await user.click(screen.getByRole('button', { name: 'Show as grid' }))
    const card = within(await screen.findByRole('article', { name: 'Crown Pack' }))
    for (const text of ['2,500 RedCoins', '40 packs', 'No Image']) {
      expect(card.getByText(text)).toBeTruthy()
    }
    expect(card.getByRole('switch', { name: 'Crown Pack on sale' })).toBeTruthy()
    expect(screen.queryByRole('table')).toBeNull()
  })

  it.each(['table', 'grid'])(
    'show their own picture, else that of the pack, else No Image, in the %s',
    async (form) => {
      const named = (name: string) => samplePackType({ name, imageUrl: '/pack.png' })
      const { user } = await renderTab(
        sampleListing({ id: 1, customImage: '/own.png', packType: named('Own') }),
        sampleListing({ id: 2, packType: named('Shared') }),
        sampleListing({ id: 3, packType: samplePackType({ name: 'Bare' }) }),
      )
      if (form === 'grid') await user.click(screen.getByRole('button', { name: 'Show as grid' }))
      const part = (name: string) =>
        form === 'grid'
          ? screen.getByRole('article', { name })
          : screen.getByRole('row', { name: new RegExp(name) })
      await waitFor(() => part('Own'))
      const pictureOf = (name: string) => part(name).querySelector('img')?.getAttribute('src')
      expect(['Own', 'Shared', 'Bare'].map(pictureOf)).toEqual(['/own.png', '/pack.png', undefined])
      expect(within(part('Bare')).getByText('No Image')).toBeTruthy()
      expect(within(part('Own')).queryByText('No Image')).toBeNull()
    },
  )
})

describe('the dialog', () => {
  it('has the fields of a listing in edit, and its own defaults for a new one', async () => {
    const { user } = await renderTab()
    await user.click(screen.getByRole('button', { name: 'Edit listing of Crown Pack' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Store Listing' }))
    expect(textOf(dialog, 'Pack type')).toBe('1')
    expect(textOf(dialog, 'Price (RedCoin)')).toBe('2500')
    expect(textOf(dialog, 'Quantity available')).toBe('40')
    expect(textOf(dialog, 'Sort order')).toBe('3')
    expect(isOn(dialog, 'Unlimited')).toBe(false)
    expect(isOn(dialog, 'Active')).toBe(true)
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await pressButton(user, 'Add Listing')
    const fresh = within(await screen.findByRole('dialog', { name: 'Add Store Listing' }))
    expect(textOf(fresh, 'Pack type')).toBe('')
    expect(textOf(fresh, 'Price (RedCoin)')).toBe('1000')
    expect(textOf(fresh, 'Sort order')).toBe('0')
  })

  async function edit() {
    const { user } = await renderTab()
    await user.click(screen.getByRole('button', { name: 'Edit listing of Crown Pack' }))
    const dialog = within(await screen.findByRole('dialog'))
    fill(dialog, 'Price (RedCoin)', '3000')
    await user.click(dialog.getByRole('button', { name: 'Save changes' }))
  }

  it('sends only what changed, so that packs sold meanwhile are not put back', async () => {
    await edit()
    await expectDone('Store listing updated successfully')
    expect(sent).toMatchObject([{ path: '/api/admin/store/listings/21' }])
    expect(sent[0]?.body).toEqual({ redCoinPrice: 3000, expected: { redCoinPrice: 2500 } })
  })

  it('reports a failure', async () => {
    server.use(refuses(adminStoreContract.update, 404, 'Listing not found'))
    await edit()
    await expectFailed('Error updating store listing', 'Listing not found')
  })
})

describe('the small steps', () => {
  it('switch a listing off with only its flag, and back again', async () => {
    const { user } = await renderTab()
    await user.click(screen.getByRole('switch', { name: 'Crown Pack on sale' }))
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]).toMatchObject({
      path: '/api/admin/store/listings/21',
      body: { isActive: false },
    })
    await expectUndoable('Store listing updated successfully')
    await pressButton(user, 'Undo')
    await waitFor(() => expect(sent[1]?.body).toEqual({ isActive: true }))
  })

  it('are taken back on screen when they fail', async () => {
    server.use(refuses(adminStoreContract.update, 500, 'Try later'))
    const { user } = await renderTab()
    await user.click(screen.getByRole('switch', { name: 'Crown Pack on sale' }))
    await expectFailed('Error updating store listing status', 'Try later')
    await waitFor(() => expect(isOn(screen, 'Crown Pack on sale')).toBe(true))
  })
})

describe('the order', () => {
  const orderPath = '/api/admin/store/order'
  const shop = [
    sampleListing({ sortOrder: 0 }),
    sampleListing({ id: 22, sortOrder: 4, packType: { ...samplePackType(), name: 'Lucky Pack' } }),
    sampleListing({ id: 23, sortOrder: 9, packType: { ...samplePackType(), name: 'Last Pack' } }),
  ]
  const names = () =>
    screen.getAllByRole('button', { name: /^Reorder / }).map((handle) => nameOf(handle))
  const nameOf = (handle: HTMLElement) =>
    /^Reorder (\w+) Pack/.exec(handle.getAttribute('aria-label') ?? '')?.[1]
  const handle = (name: string) =>
    screen.getByRole('button', { name: new RegExp(`^Reorder ${name} Pack`) })
  beforeEach(() => {
    server.use(records(adminStoreContract.sort, { success: true, message: 'ok' }, sent))
  })

  it('is changed by steps, with one call, and can be taken back', async () => {
    const { user } = await renderTab(...shop)
    const up = screen.getByRole('button', { name: 'Move Crown Pack up' })
    expect(up.getAttribute('aria-disabled')).toBe('true')
    await user.click(screen.getByRole('button', { name: 'Move Lucky Pack up' }))
    await expectUndoable('Lucky Pack is at place 1 of 3')
    await pressButton(user, 'Undo')
    await waitFor(() => expect(sent).toHaveLength(2))
    const moved = [
      { id: 22, sortOrder: 0 },
      { id: 21, sortOrder: 1 },
    ]
    const back = [
      { id: 22, sortOrder: 4 },
      { id: 21, sortOrder: 0 },
    ]
    expect(sent).toMatchObject([
      { path: orderPath, body: { orders: moved } },
      { path: orderPath, body: { orders: back } },
    ])
    await user.click(screen.getByRole('button', { name: 'Price (RedCoin)' }))
    // Rows in another order have no places to be dragged to.
    await waitFor(() => expect(screen.queryAllByRole('button', { name: /^Reorder/ })).toEqual([]))
    expect(screen.getByRole('button', { name: 'Move Last Pack up' })).toBeTruthy()
  })

  it('is changed by keys on a handle: shown while it is lifted, saved once', async () => {
    const { user } = await renderTab(...shop)
    handle('Crown').focus()
    await user.keyboard(' {End}')
    expect(names()).toEqual(['Lucky', 'Last', 'Crown'])
    await user.keyboard('{Escape}')
    expect(names()).toEqual(['Crown', 'Lucky', 'Last'])
    handle('Last').focus()
    await user.keyboard(' ')
    expect(handle('Last').getAttribute('aria-pressed')).toBe('true')
    await user.keyboard('{ArrowUp}')
    expect(names()).toEqual(['Crown', 'Last', 'Lucky'])
    await waitFor(() => expect(screen.getByText('Last Pack, place 2 of 3')).toBeTruthy())
    await user.keyboard('{Home}')
    expect(names()).toEqual(['Last', 'Crown', 'Lucky'])
    expect(document.activeElement).toBe(handle('Last'))
    expect(sent).toEqual([])
    await user.keyboard(' ')
    await expectUndoable('Last Pack is at place 1 of 3')
    expect(sent.map(({ path }) => path)).toEqual([orderPath])
  })

  it('is changed by dragging a handle: saved once, where it is let go', async () => {
    await renderTab(...shop)
    const rows = () => screen.getAllByRole('row').slice(1)
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (
      this: Element,
    ) {
      const top = rows().indexOf(this as HTMLElement) * 50
      return new DOMRect(0, top, 500, 50)
    })
    const point = (type: string, clientY: number) => ({ type, clientX: 10, clientY, pointerId: 1 })
    const grip = handle('Crown')
    fireEvent.pointerDown(grip, { ...point('', 25), button: 0 })
    fireEvent.pointerMove(window, point('', 27))
    expect(handle('Crown').getAttribute('aria-pressed')).toBe('false')
    fireEvent.pointerMove(window, point('', 60))
    expect(names()).toEqual(['Crown', 'Lucky', 'Last'])
    fireEvent.pointerMove(window, point('', 80))
    expect(names()).toEqual(['Lucky', 'Crown', 'Last'])
    fireEvent.pointerMove(window, point('', 140))
    expect(names()).toEqual(['Lucky', 'Last', 'Crown'])
    fireEvent.pointerUp(window, point('', 140))
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]).toMatchObject({ path: orderPath, body: { orders: [{ id: 21 }] } })
  })
})

describe('deleting', () => {
  it('is done at once, and can be taken back', async () => {
    server.use(
      records(adminStoreContract.remove, { success: true, message: 'ok' }, sent),
      records(adminStoreContract.restore, sampleListing(), sent),
    )
    const { user } = await renderTab()
    await user.click(screen.getByRole('button', { name: 'Delete listing of Crown Pack' }))
    await expectUndoable('Store listing deleted successfully: Crown Pack')
    expect(screen.queryByRole('alertdialog')).toBeNull()
    await pressButton(user, 'Undo')
    await expectDone('Store listing restored successfully: Crown Pack')
    expect(sent.map(({ path }) => path)).toEqual([
      '/api/admin/store/listings/21',
      '/api/admin/store/listings/21/restore',
    ])
  })

  it('reports a failure', async () => {
    const { user } = await renderTab(sampleListing({ isActive: false }))
    vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error(''))
    await user.click(screen.getByRole('button', { name: 'Delete listing of Crown Pack' }))
    await expectFailed('Error deleting store listing', 'Failed to delete store listing')
  })
})
