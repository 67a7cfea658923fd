// Labels on paper: what is on them, however long an address is.

import { adminClaimsContract } from '@redpack/contract'
import { screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { answers, mockServer } from '../../../test/mock-server.ts'
import { renderPart } from '../../../test/render.tsx'
import { row } from '../../../test/shipment-samples.ts'
import { PrintDialog } from './ship-print.tsx'

const server = mockServer()

it('prints an address smaller that its label would cut off', async () => {
  const lines = ['Haus 12, am alten Bahnhof', 'Wohnung 304', 'bei Schmidt']
  const contactInfo = { name: 'Ana Costa', addressLines: lines, city: 'Bonn', country: 'Germany' }
  server.use(
    answers(adminClaimsContract.read, {
      ...{ claimId: 'PR-1', contactInfo, claimInstructions: '', hasCode: false },
      ...{ imageData: null, imageType: null, timeline: [] },
    }),
  )
  // As tall as its letters make it: more than its place down to six points.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(60)
  vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockImplementation(function (this: Element) {
    return 10 * Number.parseFloat((this as HTMLElement).style.fontSize || '9.5')
  })
  const sizes: (string | undefined)[] = []
  vi.spyOn(window, 'print').mockImplementation(() => {
    sizes.push(document.querySelector<HTMLElement>('.print-label')?.style.fontSize)
  })
  const { user } = await renderPart(<PrintDialog shipments={[row(1)]} onClose={() => undefined} />)
  await user.click(await screen.findByRole('button', { name: 'Print' }))
  await waitFor(() => expect(sizes).toEqual(['6pt']))
})

it('reads no address of more than can be read in a minute', async () => {
  const many = Array.from({ length: 301 }, (_, index) => row(index + 1))
  await renderPart(<PrintDialog shipments={many} onClose={() => undefined} />)
  expect(screen.getByText('At most 300 can be printed at once. Untick some of them.')).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Print' }).disabled).toBe(true)
})
