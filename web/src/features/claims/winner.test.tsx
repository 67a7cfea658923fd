// What winners see and say of a prize that is sent to them.

import { authContract, claimsContract, type Shipment, shipmentsContract } from '@redpack/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import { answers, mockServer, replies } from '../../../test/mock-server.ts'
import { renderApp } from '../../../test/render.tsx'
import { sampleOwnClaim, samplePagination, sampleUser } from '../../../test/samples.ts'
import { wanted, wonAt } from '../../../test/shipment-samples.ts'
import { streamerMode } from '../../lib/streamer-mode.ts'

const server = mockServer()
const sent: Shipment = {
  ...wanted,
  state: 'sent',
  courier: 'DHL',
  trackingNumber: 'RB1',
  trackingUrl: 'https://dhl.example/RB1',
  sentAt: wonAt,
  canDecline: false,
}

function serveClaim(shipment: Shipment): void {
  const claim = sampleOwnClaim({}, { timeline: [], shipment })
  server.use(
    answers(authContract.me, sampleUser()),
    answers(claimsContract.list, { claims: [claim], pagination: samplePagination(1) }),
  )
}

describe('a prize of mine', () => {
  it('says until when an address is wanted, and is given up after a question', async () => {
    let declined = 0
    // It came back once.
    serveClaim({ ...wanted, countries: ['ES'], courier: 'DHL', trackingNumber: 'RB1' })
    server.use(
      replies(shipmentsContract.decline, () => {
        declined += 1
        return HttpResponse.json({ ...wanted, state: 'declined', canDecline: false })
      }),
    )
    const { user } = await renderApp('/my-prizes')
    const until = /^Until Dec 4, 2026, .+\. After that the prize is no longer yours\.$/
    expect(await screen.findByText(until)).toBeTruthy()
    expect(screen.getByText('Only sent to Spain')).toBeTruthy()
    expect(screen.queryByText('DHL RB1')).toBeNull()
    await user.click(screen.getByRole('button', { name: "I don't want it: Hoodie" }))
    const question = within(await screen.findByRole('alertdialog'))
    expect(question.getByText(/You will not receive this prize/)).toBeTruthy()
    expect(declined).toBe(0)
    await user.click(question.getByRole('button', { name: 'Give it up' }))
    expect(await screen.findByText('You gave up your Hoodie')).toBeTruthy()
    expect(declined).toBe(1)
  })

  it('shows the code it was given once it is asked for, covered in streamer mode', async () => {
    serveClaim({ ...sent, state: 'delivered', sentAt: null, hasCode: true })
    let asked = 0
    server.use(
      replies(shipmentsContract.code, () => {
        asked += 1
        return HttpResponse.json({ code: 'AAA-1' })
      }),
    )
    streamerMode.set(true)
    const { user } = await renderApp('/my-prizes')
    const show = await screen.findByRole('button', { name: 'Show the code: Hoodie' })
    expect([asked, screen.queryByRole('button', { name: /delivery details/ })]).toEqual([0, null])
    await user.click(show)
    expect(document.activeElement?.tagName).toBe('DIV')
    await user.click(await screen.findByRole('button', { name: /^Code\s*hidden/ }))
    expect(await screen.findByText('AAA-1')).toBeTruthy()
    expect(asked).toBe(1)
    streamerMode.set(false)
  })

  it('is followed at its courier and said to be here', async () => {
    serveClaim({ ...sent, countries: ['ES'] })
    const here: Shipment = { ...sent, state: 'delivered' }
    server.use(
      replies(shipmentsContract.received, () => {
        serveClaim(here)
        return HttpResponse.json(here)
      }),
    )
    const { user } = await renderApp('/my-prizes')
    const link = await screen.findByRole('link', { name: /^DHL RB1/ })
    expect(link.getAttribute('href')).toBe('https://dhl.example/RB1')
    expect(screen.queryByText(/Spain/)).toBeNull()
    expect(screen.queryByRole('button', { name: /don't want/ })).toBeNull()
    await user.click(screen.getByRole('button', { name: "It's here: Hoodie" }))
    expect(await screen.findByText('Enjoy your Hoodie')).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('button', { name: /It's here/ })).toBeNull())
    expect(document.activeElement?.tagName).toBe('DIV')
  })
})
