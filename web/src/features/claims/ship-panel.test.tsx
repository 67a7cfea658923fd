// The filters of Shipping on a small screen.

import { adminShipmentsContract, authContract } from '@redpack/contract'
import { screen, waitFor } from '@testing-library/react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { answers, mockServer } from '../../../test/mock-server.ts'
import { renderApp } from '../../../test/render.tsx'
import { sampleUser } from '../../../test/samples.ts'
import { pageOf } from '../../../test/shipment-samples.ts'

const server = mockServer()

it('brings the pressed filter into sight where the filters are longer than the window', async () => {
  server.use(
    answers(authContract.me, sampleUser({ role: 'admin' })),
    answers(adminShipmentsContract.list, pageOf([])),
  )
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
