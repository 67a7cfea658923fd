// Shipping: its filters on a small screen, acts that end a claim or take an act back, and couriers.

import { adminClaimsContract, adminShipmentsContract, authContract } from '@redpack/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { answers, mockServer, replies } from '../../../test/mock-server.ts'
import { renderApp } from '../../../test/render.tsx'
import { sampleUser } from '../../../test/samples.ts'
import { pageOf, row, sampleReading } from '../../../test/shipment-samples.ts'
import { toastStore } from '../../ui/feedback/toast.ts'

const server = mockServer()
let changes: unknown[]

beforeEach(() => {
  changes = []
  server.use(
    answers(authContract.me, sampleUser({ role: 'admin' })),
    answers(adminShipmentsContract.couriers, [
      { id: 1, name: 'DHL', trackingUrlTemplate: 'https://dhl.example/{number}' },
    ]),
    replies(adminShipmentsContract.change, async (request) => {
      const body = (await request.json()) as { claimIds: string[] }
      changes.push(body)
      const verdicts = body.claimIds.map((claimId) => ({ claimId, changed: true }))
      return HttpResponse.json({ verdicts })
    }),
  )
})

it('brings the pressed filter into sight where the filters are longer than the window', async () => {
  server.use(answers(adminShipmentsContract.list, pageOf([])))
  const left = vi.spyOn(HTMLElement.prototype, 'offsetLeft', 'get')
  left.mockImplementation(function (this: HTMLElement) {
    return this.textContent?.startsWith('Returned') ? 600 : 0
  })
  onTestFinished(() => left.mockRestore())
  const { user } = await renderApp('/admin?tab=prize-claims&view=shipping&show=returned')
  const filters = await screen.findByRole('group', { name: 'Show' })
  expect(filters.scrollLeft).toBe(600)
  await user.click(screen.getByRole('button', { name: 'All' }))
  await waitFor(() => expect(filters.scrollLeft).toBe(0))
})

it('takes back what was packed or sent by mistake, and asks before what cannot be', async () => {
  const rows = [row(1), row(2, { state: 'packed', deadline: null }), row(3, { state: 'sent' })]
  server.use(answers(adminShipmentsContract.list, pageOf(rows)))
  const { user } = await renderApp('/admin?tab=prize-claims&view=shipping&show=all')
  const tickAll = () => user.click(screen.getByRole('checkbox', { name: /^Select all/ }))
  await screen.findByText('Hoodie 3')
  await tickAll()
  expect(screen.getByRole('button', { name: 'Extend deadline 1' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Back to packing 2' }))
  await waitFor(() => expect(changes).toEqual([{ claimIds: ['PR-2', 'PR-3'], state: 'ready' }]))
  await tickAll()
  await user.click(screen.getByRole('button', { name: 'Mark as delivered 2' }))
  const question = await screen.findByRole('alertdialog', { name: 'Mark 2 prizes as delivered' })
  expect(changes).toHaveLength(1)
  await user.click(within(question).getByRole('button', { name: 'Mark as delivered' }))
  await waitFor(() =>
    expect(changes[1]).toEqual({ claimIds: ['PR-2', 'PR-3'], state: 'delivered' }),
  )
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
})

it('goes on with the courier of a packing session when the page is loaded anew', async () => {
  server.use(
    answers(adminShipmentsContract.list, pageOf([row(1)])),
    answers(adminClaimsContract.read, sampleReading()),
  )
  const first = await renderApp('/admin?tab=prize-claims&view=packing')
  await screen.findByRole('option', { name: 'DHL' })
  await first.user.selectOptions(screen.getByLabelText('Courier'), 'DHL')
  await waitFor(() => expect(first.router.state.location.search).toHaveProperty('courier'))
  first.unmount()
  const { user } = await renderApp(first.router.state.location.href)
  await user.type(await screen.findByLabelText('Tracking number'), 'RB7{Enter}')
  await waitFor(() => expect(changes[0]).toMatchObject({ courier: 'DHL', trackingNumber: 'RB7' }))
  // Said to readers alone: a message would lie over the buttons of the next card.
  expect(await screen.findByText('1 shipment: Sent')).toBeTruthy()
  expect(toastStore.get().toasts).toEqual([])
})

it('shows who carries a prize also when that courier is in the list no longer', async () => {
  const sent = row(1, { state: 'sent', courier: 'Hermes', trackingNumber: 'H1' })
  server.use(answers(adminShipmentsContract.list, pageOf([sent])))
  const { user } = await renderApp('/admin?tab=prize-claims&view=shipping&show=sent')
  await user.click(await screen.findByRole('button', { name: 'Number of PR-1' }))
  const dialog = within(await screen.findByRole('dialog'))
  await dialog.findByRole('option', { name: 'DHL' })
  const courier = dialog.getByLabelText<HTMLSelectElement>('Courier')
  expect(courier.value).toBe('Hermes')
  await user.selectOptions(courier, 'No courier')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(changes[0]).toMatchObject({ courier: null, trackingNumber: 'H1' }))
})
