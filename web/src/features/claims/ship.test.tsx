// Shipping: what staff do to send prizes.

import {
  type AdminShipment,
  adminClaimsContract,
  adminShipmentsContract,
  authContract,
} from '@redpack/contract'
import { claimHitsMax } from '@redpack/contract/limits'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { keepFiles, textOf } from '../../../test/fairness-samples.ts'
import { answers, mockServer, refuses, replies } from '../../../test/mock-server.ts'
import { renderApp } from '../../../test/render.tsx'
import { sampleUser } from '../../../test/samples.ts'
import { pageOf, row, sampleReading } from '../../../test/shipment-samples.ts'
import { streamerMode } from '../../lib/streamer-mode.ts'
import { toastStore } from '../../ui/feedback/toast.ts'

const server = mockServer()
let shipments: AdminShipment[]
let asked: URLSearchParams[]
let changes: unknown[]

beforeEach(() => {
  shipments = [row(1), row(2)]
  asked = []
  changes = []
  server.use(
    answers(authContract.me, sampleUser({ id: 99, role: 'admin' })),
    replies(adminShipmentsContract.list, (request) => {
      const query = new URL(request.url).searchParams
      asked.push(query)
      const found = query.get('handler') === 'me' ? [] : shipments
      return HttpResponse.json(pageOf(found))
    }),
    answers(adminShipmentsContract.couriers, [
      { id: 1, name: 'DHL', trackingUrlTemplate: 'https://dhl.example/{number}' },
    ]),
    replies(adminShipmentsContract.change, async (request) => {
      const body = (await request.json()) as { claimIds: string[]; state: AdminShipment['state'] }
      changes.push(body)
      shipments = shipments.flatMap((shipment) => {
        if (!body.claimIds.includes(shipment.claimId)) return [shipment]
        return body.state === 'sent' ? [] : [{ ...shipment, state: body.state }]
      })
      return HttpResponse.json({
        verdicts: body.claimIds.map((claimId) => ({ claimId, changed: true })),
      })
    }),
    answers(adminClaimsContract.read, sampleReading()),
  )
})

const open = (view: string) => renderApp(`/admin?tab=prize-claims&view=${view}`)

describe('the view Shipping', () => {
  it('counts what is to be done and marks one as sent with its number', async () => {
    const { user } = await open('shipping')
    expect(await screen.findByText('Hoodie 2')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Needs packing 2' })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Send PR-1' }))
    const dialog = within(await screen.findByRole('dialog'))
    await dialog.findByRole('option', { name: 'DHL' })
    await user.selectOptions(dialog.getByLabelText('Courier'), 'DHL')
    await user.type(dialog.getByLabelText('Tracking number'), 'RB 1')
    await user.click(dialog.getByRole('button', { name: 'Mark as sent' }))
    await waitFor(() =>
      expect(changes).toEqual([
        { claimIds: ['PR-1'], state: 'sent', courier: 'DHL', trackingNumber: 'RB 1' },
      ]),
    )
    // The focus is back in the table, which stays still under it for changes of others alone.
    await waitFor(() => expect(screen.queryByText('Hoodie 1')).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Overdue 1' }))
    await waitFor(() => expect(asked.at(-1)?.get('overdue')).toBe('true'))
  })

  it('packs one after the other, and a scanner sends with Enter', async () => {
    const { user } = await open('packing')
    expect(await screen.findByText('Ana Costa')).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'Hoodie 1' })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Packed' }))
    expect(await screen.findByText('Needs sending')).toBeTruthy()
    await user.type(screen.getByLabelText('Tracking number'), '{Enter}')
    expect(changes).toHaveLength(1)
    await user.type(screen.getByLabelText('Tracking number'), 'RB7{Enter}')
    expect(await screen.findByRole('heading', { name: 'Hoodie 2' })).toBeTruthy()
    expect(changes.at(-1)).toMatchObject({ state: 'sent', trackingNumber: 'RB7' })
    await user.click(screen.getByRole('button', { name: 'Next' }))
    expect(await screen.findByText(/^Start over to see the ones you skipped/)).toBeTruthy()
    // The focus is where the card was.
    await user.tab()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Start over' }))
    await user.keyboard('{Enter}')
    await user.type(await screen.findByLabelText('Tracking number'), 'RB8{Enter}')
    const back = await screen.findByRole('link', { name: 'Back to Shipping' })
    expect(screen.queryByText(/skipped/)).toBeNull()
    await user.click(back)
    expect(await screen.findByRole('heading', { name: 'Shipping' })).toBeTruthy()
  })

  it('keeps the card in hand when an older prize comes before it, and says a changed address', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    let city = 'Porto'
    server.use(
      replies(adminClaimsContract.read, () =>
        HttpResponse.json(
          sampleReading({ claimId: 'PR-2', contactInfo: { name: 'Ana Costa', city } }),
        ),
      ),
    )
    shipments = [row(2)]
    const { user } = await open('packing')
    await user.type(await screen.findByLabelText('Tracking number'), 'RB')
    expect(screen.queryByText('The winner has changed the address.')).toBeNull()
    shipments = [row(1), row(2)]
    city = 'Faro'
    await vi.advanceTimersByTimeAsync(6_000)
    expect(await screen.findByText('The winner has changed the address.')).toBeTruthy()
    expect(await screen.findByText('2 left')).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'Hoodie 2' })).toBeTruthy()
    expect((screen.getByLabelText('Tracking number') as HTMLInputElement).value).toBe('RB')
    await user.type(screen.getByLabelText('Tracking number'), '7{Enter}')
    await waitFor(() => expect(changes.at(-1)).toMatchObject({ claimIds: ['PR-2'] }))
  })

  it('keeps the card in hand that is packed between the two answers of its list', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    let asks = 0
    server.use(
      replies(adminShipmentsContract.list, (request) => {
        const state = new URL(request.url).searchParams.get('state')
        const found = shipments.filter((shipment) => shipment.state === state)
        asks += 1
        if (asks === 3) shipments = [row(1, { state: 'packed', hasNewerAddress: true }), row(2)]
        return HttpResponse.json(pageOf(found))
      }),
    )
    await open('packing')
    expect(await screen.findByRole('heading', { name: 'Hoodie 1' })).toBeTruthy()
    await vi.advanceTimersByTimeAsync(6_000)
    expect(await screen.findByText('Needs sending')).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'Hoodie 1' })).toBeTruthy()
    expect(screen.getByText('The address was changed after this was packed.')).toBeTruthy()
  })

  it("makes a file for a courier's tool of the columns that were chosen last", async () => {
    const saved: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: Element) {
      saved.push(this.getAttribute('href') ?? '')
    })
    const { user } = await open('shipping')
    const openDialog = async () => {
      await user.click(await screen.findByRole('button', { name: 'Courier files' }))
      return within(await screen.findByRole('dialog'))
    }
    const first = await openDialog()
    for (const name of ['Phone', 'Answers']) {
      await user.click(first.getByRole('checkbox', { name }))
    }
    await user.click(first.getByRole('button', { name: 'Needs packing (CSV)' }))
    expect(decodeURIComponent(saved[0] ?? '')).toBe(
      '/api/admin/shipments.csv?state=ready&columns=claimId,prize,name,address,city,postalCode,country,note,courier,trackingNumber',
    )
    await user.keyboard('{Escape}')
    const second = await openDialog()
    await waitFor(() =>
      expect(second.getByRole('checkbox', { name: 'Phone', checked: false })).toBeTruthy(),
    )
    expect(second.getByRole('checkbox', { name: 'City', checked: true })).toBeTruthy()
  })

  it('prints labels with addresses, from a free label on, and keeps nothing of them', async () => {
    const printed: string[][] = []
    vi.spyOn(window, 'print').mockImplementation(() => {
      const places = document.querySelectorAll('.print-labels > *')
      printed.push([...places].map((place) => place.textContent ?? ''))
      window.dispatchEvent(new Event('afterprint'))
    })
    const { user } = await open('shipping')
    await user.click(await screen.findByRole('checkbox', { name: /^Select all/ }))
    await user.click(screen.getByRole('button', { name: 'Print 2' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.clear(dialog.getByLabelText('First label'))
    await user.type(dialog.getByLabelText('First label'), '21')
    await user.click(dialog.getByRole('button', { name: 'Print' }))
    const label = expect.stringMatching(/^Ana CostaPorto.*PR-/)
    await waitFor(() => expect(printed).toEqual([[...Array(20).fill(''), label, label]]))
    await waitFor(() => expect(document.querySelector('.print-pages')).toBeNull())
  })

  it('prints a packing list with what winners have answered, and details of another form', async () => {
    let printed = ''
    vi.spyOn(window, 'print').mockImplementation(() => {
      printed = document.querySelector('.print-pages')?.textContent ?? ''
      window.dispatchEvent(new Event('afterprint'))
    })
    server.use(
      answers(
        adminClaimsContract.read,
        sampleReading({
          contactInfo: {
            ...{ name: 'Ana Costa', street: 'Rua 1', zip: '4000' },
            answers: [{ question: 'Size', answer: 'M' }],
          },
        }),
      ),
    )
    const { user } = await open('shipping')
    await user.click(await screen.findByRole('checkbox', { name: /^Select all/ }))
    await user.click(screen.getByRole('button', { name: 'Print 2' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.selectOptions(dialog.getByLabelText('Paper'), 'list')
    await user.click(dialog.getByRole('button', { name: 'Print' }))
    await waitFor(() => expect(printed).toMatch(/Ana Costa.*Rua 1.*4000.*Size: M/))
  })
})

it("Shipping looks at the courier's file chosen last, then applies it, then shows the receipt", async () => {
  let tell = () => {}
  const isOther = new Promise<void>((resolve) => {
    tell = resolve
  })
  const asked = vi.fn()
  server.use(
    replies(adminShipmentsContract.previewFile, async () => {
      asked()
      await isOther
      return HttpResponse.json({ message: 'No such file' }, { status: 400 })
    }),
  )
  const { user } = await open('shipping')
  await user.click(await screen.findByRole('button', { name: 'Courier files' }))
  const dialog = within(await screen.findByRole('dialog'))
  const upload = async (name: string) => {
    const other = dialog.queryByRole('button', { name: 'Choose another file' })
    if (other) await user.click(other)
    const file = new File(['claimId,courier,trackingNumber\nPR-1,DHL,A1'], name)
    await user.upload(dialog.getByLabelText('File from the courier'), file)
  }
  await upload('slow.csv')
  await waitFor(() => expect(asked).toHaveBeenCalled())
  server.use(
    answers(adminShipmentsContract.previewFile, {
      token: 'abc',
      rows: [
        { row: 2, claimId: 'PR-1', courier: 'DHL', trackingNumber: 'A1' },
        { row: 3, claimId: 'PR-9', courier: 'DHL', trackingNumber: 'A2' },
      ],
      verdicts: [
        { claimId: 'PR-1', changed: true, remark: 'The address was changed' },
        { claimId: 'PR-9', changed: false, reason: 'Prize claim not found' },
      ],
    }),
    answers(adminShipmentsContract.applyFile, {
      ...{ batchId: 'b1', sent: 1, skipped: 1 },
      leftOut: [{ row: 3, claimId: 'PR-9', reason: 'Prize claim not found' }],
    }),
  )
  await upload('dhl.csv')
  expect(await dialog.findByText(/Prize claim not found/)).toBeTruthy()
  const remarks = within(dialog.getByRole('list', { name: 'Rows to check' }))
  expect(remarks.getByText(/The address was changed/)).toBeTruthy()
  // The one that was replaced is refused late, and that says nothing of this one.
  tell()
  await expect(dialog.findByText('No such file', {}, { timeout: 200 })).rejects.toThrow()
  await user.click(dialog.getByRole('button', { name: 'Mark 1 as sent' }))
  const receipt = () => dialog.findByRole('region', { name: 'Receipt' })
  expect((await receipt()).textContent).toContain('1 prize marked as sent, 1 row skipped.')
  expect(dialog.queryByRole('button', { name: 'Mark 1 as sent' })).toBeNull()
  expect(document.activeElement).toBe(await receipt())
  const files = keepFiles()
  await user.click(dialog.getByRole('button', { name: 'Download CSV' }))
  expect(await textOf(files[0]!)).toContain(
    'row,claimId,reason\r\n3,PR-9,Prize claim not found\r\n',
  )
  const inLog = dialog.getByRole('link', { name: 'Show in the audit log' })
  expect(inLog.getAttribute('href')).toBe('/admin?tab=audit&batch=b1')
})

it('Shipping keeps what was entered and ticked of what was not changed', async () => {
  const { user } = await open('shipping')
  await user.click(await screen.findByRole('checkbox', { name: /^Select all/ }))
  server.use(refuses(adminShipmentsContract.change, 503, 'Not now'))
  const failed = (times: number) => waitFor(() => expect(toastStore.get().log).toHaveLength(times))
  await user.click(screen.getByRole('button', { name: 'Mark as packed 2' }))
  await failed(1)
  await user.click(screen.getByRole('button', { name: 'Extend deadline 2' }))
  await user.type(await screen.findByLabelText('Last day'), '2026-12-24')
  await user.click(screen.getByRole('button', { name: 'Extend' }))
  await failed(2)
  const lastDay = () => screen.findByLabelText<HTMLInputElement>('Last day')
  expect((await lastDay()).value).toBe('2026-12-24')
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  // The next question knows nothing of it.
  await user.click(screen.getByRole('button', { name: 'Extend deadline 2' }))
  expect((await lastDay()).value).toBe('')
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await user.click(screen.getByRole('button', { name: 'Mark as sent 2' }))
  const dialog = within(await screen.findByRole('dialog'))
  await dialog.findByRole('option', { name: 'DHL' })
  await user.selectOptions(dialog.getByLabelText('Courier'), 'DHL')
  const send = () => user.click(dialog.getByRole('button', { name: 'Mark as sent' }))
  await send()
  await failed(3)
  const verdicts = ['PR-1', 'PR-2'].map((claimId) => ({ claimId, changed: claimId === 'PR-1' }))
  server.use(answers(adminShipmentsContract.change, { verdicts }))
  await send()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.getByText('1 selected')).toBeTruthy()
})

it('Shipping names no Claim ID in streamer mode, nor why it was not sent', async () => {
  streamerMode.set(true)
  const verdicts = [{ claimId: 'PR-1', changed: false, reason: 'No address' }]
  server.use(answers(adminShipmentsContract.change, { verdicts }))
  const { user } = await open('shipping')
  await user.click(await screen.findByRole('button', { name: 'Send Hoodie 1 of viewer1' }))
  const dialog = within(await screen.findByRole('dialog', { name: /^Send / }))
  await user.click(dialog.getByRole('button', { name: 'Mark as sent' }))
  await waitFor(() =>
    expect(toastStore.get().log[0]?.content.description).toBe(
      '0 of 1 changed.\nHoodie 1 of viewer1: No address',
    ),
  )
  expect(new XMLSerializer().serializeToString(document.body)).not.toContain('PR-1')
  streamerMode.set(false)
})

it('A packing session has the number of each following card ready for the scanner', async () => {
  shipments = [row(1), row(2), row(3)]
  const { user, router } = await open('packing')
  const field = () => screen.getByLabelText<HTMLInputElement>('Tracking number')
  await user.click(await screen.findByRole('button', { name: 'Packed' }))
  await waitFor(() => expect(document.activeElement).toBe(field()))
  for (const [number, next] of [
    ['GS1', 'Hoodie 2'],
    ['GS2', 'Hoodie 3'],
  ] as const) {
    await user.keyboard(`${number}{Enter}`)
    await screen.findByRole('heading', { name: next })
    expect(changes.at(-1)).toMatchObject({ state: 'sent', trackingNumber: number })
    await waitFor(() => expect(document.activeElement).toBe(field()))
  }
  expect(router.state.location.pathname).toBe('/admin')
  expect(await screen.findByText('1 left')).toBeTruthy()
})

it('A packing session says that the card in hand was taken, and gives no scan to the next', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { user } = await open('packing')
  await user.type(await screen.findByLabelText('Tracking number'), 'RB')
  shipments = [row(2)]
  await vi.advanceTimersByTimeAsync(6_000)
  const next = await screen.findByRole('heading', { name: 'Hoodie 2' })
  expect(screen.getByText(/Hoodie 1 for Viewer 1 no longer needs packing/)).toBeTruthy()
  expect(document.activeElement).toBe(next)
  await user.keyboard('7{Enter}')
  expect(changes).toEqual([])
})

it('Shipping says before it sends that an address was changed after the packing', async () => {
  shipments = [row(1, { state: 'packed', hasNewerAddress: true }), row(2, { state: 'packed' })]
  const { user } = await open('shipping')
  expect(await screen.findAllByText('New address')).toHaveLength(1)
  await user.click(screen.getByRole('checkbox', { name: /^Select all/ }))
  await user.click(screen.getByRole('button', { name: 'Mark as sent 2' }))
  expect(await screen.findByText('The address was changed after packing: PR-1')).toBeTruthy()
  await user.keyboard('{Escape}')
  await user.click(screen.getByRole('button', { name: 'Send PR-1' }))
  expect(await screen.findByText(/^The address was changed after this was packed/)).toBeTruthy()
})

it('Shipping says what to check of what was changed', async () => {
  const remark = 'The same tracking number is on Cap for Ben'
  const verdicts = [{ claimId: 'PR-1', changed: true, remark }]
  server.use(answers(adminShipmentsContract.change, { verdicts }))
  const { user } = await open('packing')
  await user.type(await screen.findByLabelText('Tracking number'), 'RB7{Enter}')
  expect(await screen.findByText('Please check')).toBeTruthy()
  expect(screen.getAllByText(new RegExp(`PR-1: ${remark}$`))).not.toHaveLength(0)
  expect(await screen.findByRole('heading', { name: 'Hoodie 2' })).toBeTruthy()
})

it('Shipping sends what came back under a number of its own', async () => {
  const carried = { courier: 'DHL', trackingNumber: 'A1' }
  const sent = row(2, { state: 'sent', deadline: '2026-12-04T10:00:00.000Z', ...carried })
  shipments = [row(1, { state: 'packed', ...carried }), sent]
  const { user } = await open('shipping')
  expect(await screen.findAllByText('DHL A1')).toHaveLength(1)
  // For what is sent no deadline runs any more.
  expect(document.querySelectorAll('tbody time')).toHaveLength(1)
  for (const [name, number, save] of [
    ['Send PR-1', '', 'Mark as sent'],
    ['Number of PR-2', 'A1', 'Save'],
  ] as const) {
    await user.click(screen.getByRole('button', { name }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByLabelText<HTMLInputElement>('Tracking number').value).toBe(number)
    await dialog.findByRole('option', { name: 'DHL' })
    await user.type(dialog.getByLabelText('Tracking number'), '2')
    await user.click(dialog.getByRole('button', { name: save }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  }
  expect(changes).toEqual([
    { claimIds: ['PR-1'], state: 'sent', courier: null, trackingNumber: '2' },
    { claimIds: ['PR-2'], state: 'sent', ...carried, trackingNumber: 'A12', replacesNumber: 'A1' },
  ])
})

it('the dialogs of Shipping ask before they lose what was typed', async () => {
  const { user } = await open('shipping')
  await user.click(await screen.findByRole('button', { name: 'Send PR-1' }))
  await user.type(await screen.findByLabelText('Tracking number'), 'A1')
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await user.click(await screen.findByRole('button', { name: 'Discard' }))
  await user.click(await screen.findByRole('button', { name: 'Couriers' }))
  const link = await screen.findByLabelText<HTMLInputElement>('Link')
  await user.type(screen.getByLabelText('Name'), 'GLS')
  await user.keyboard('{Escape}')
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
  fireEvent.change(link, { target: { value: 'http://gls.example' } })
  await user.click(await screen.findByRole('button', { name: 'Add courier' }))
  await waitFor(() => expect(link.getAttribute('aria-invalid')).toBe('true'))
  fireEvent.change(link, { target: { value: 'https://gls.example/{number}' } })
  const errors = [{ path: 'trackingUrlTemplate', message: 'Not this one' }]
  server.use(
    replies(adminShipmentsContract.addCourier, () =>
      HttpResponse.json({ message: 'Not this one', errors }, { status: 400 }),
    ),
  )
  await user.click(screen.getByRole('button', { name: 'Add courier' }))
  await waitFor(() => expect(toastStore.get().log[0]?.content.title).toBe('Error adding courier'))
  expect(link.getAttribute('aria-invalid')).toBe('true')
})

it('a courier that is deleted keeps its place, and comes back with its link', async () => {
  const named = (id: number, name: string) => ({
    id,
    name,
    trackingUrlTemplate: `https://${name.toLowerCase()}.example/{number}`,
  })
  let couriers = [named(1, 'DHL'), named(2, 'GLS'), named(3, 'UPS')]
  const removed: string[] = []
  server.use(
    replies(adminShipmentsContract.couriers, () => HttpResponse.json(couriers)),
    replies(adminShipmentsContract.removeCourier, ({ url }) => {
      const id = new URL(url).pathname.split('/').at(-1)!
      removed.push(id)
      couriers = couriers.filter((courier) => String(courier.id) !== id)
      return HttpResponse.json(couriers)
    }),
    replies(adminShipmentsContract.addCourier, async (request) => {
      const body = (await request.json()) as { name: string; trackingUrlTemplate: string }
      const added = { id: 4, ...body }
      couriers = [...couriers, added].sort((one, other) => one.name.localeCompare(other.name))
      return HttpResponse.json(added, { status: 201 })
    }),
  )
  const { user } = await open('shipping')
  await user.click(await screen.findByRole('button', { name: 'Couriers' }))
  const list = within(await screen.findByRole('list', { name: 'Couriers' }))
  const places = () => list.getAllByRole('listitem').map(({ textContent }) => textContent)
  const before = places()
  const press = await list.findByRole('button', { name: 'Delete GLS' })
  await user.dblClick(press)
  expect(await list.findByText('Deleted GLS.')).toBeTruthy()
  expect(places()).toHaveLength(3)
  expect(removed).toEqual(['2'])
  await user.click(list.getByRole('button', { name: 'Undo the deletion of GLS' }))
  await waitFor(() => expect(couriers[1]).toEqual({ ...named(2, 'GLS'), id: 4 }))
  await waitFor(() => expect(places()).toEqual(before))
})

it('Shipping says where a search ends', async () => {
  const page = { ...pageOf(shipments), total: claimHitsMax, totalPages: 20 }
  server.use(answers(adminShipmentsContract.list, page))
  await open('shipping&q=hood')
  const line = /^Showing 2 of 1,000\. A search finds at most 1,000: narrow it to find others$/
  expect(await screen.findByText(line)).toBeTruthy()
})

it('Shipping counts no filter that stands above what the button Filters folds', async () => {
  const listening = { addEventListener() {}, removeEventListener() {} }
  vi.stubGlobal('matchMedia', (media: string) => ({
    matches: media.includes('45rem'),
    ...listening,
  }))
  await open('shipping&show=sent')
  const filters = await screen.findByRole('button', { name: 'Filters' })
  expect(filters.getAttribute('aria-expanded')).toBe('false')
})
