// What staff need to send a prize: the claim opened from its row, and the files to export.

import { adminClaimsContract, adminShipmentsContract } from '@redpack/contract'
import { claimHitsMax } from '@redpack/contract/limits'
import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { claimsScene, pending } from '../../../test/claims-scene.ts'
import { answers, refuses, replies } from '../../../test/mock-server.ts'
import { renderApp } from '../../../test/render.tsx'
import { pageOf, row, sampleReading } from '../../../test/shipment-samples.ts'
import { deliveryLines } from './claim-acts.tsx'

const { server, serveClaims, open } = claimsScene()

const reading = sampleReading({
  claimId: 'PR-CLAIM1',
  contactInfo: {
    note: 'Ring twice',
    name: 'Luna Fox',
    addressLines: ['Harbour Road 7', '2nd floor'],
    city: 'Porto',
    phone: null,
    size: 'L',
    // Staff may ask for what the form has a name for already.
    answers: [{ question: 'Name', answer: 'Luna on the mug' }],
  },
  claimInstructions: 'Say a size',
  timeline: [{ kind: 'created', status: null, at: '2026-11-02T10:00:00.000Z' }],
})

describe('a claim that is opened', () => {
  it('shows where the prize goes, what was asked for and what has happened', async () => {
    const asked: string[] = []
    server.use(
      replies(adminClaimsContract.read, (request) => {
        asked.push(new URL(request.url).pathname)
        return HttpResponse.json(reading)
      }),
    )
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: 'PR-CLAIM1' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'PR-CLAIM1' }))
    expect(await dialog.findByText('Porto')).toBeTruthy()
    expect(dialog.getAllByRole('term').map((term) => term.textContent)).toEqual([
      ...['Name', 'Address', 'City', 'Note', 'Name', 'size'],
    ])
    expect(dialog.getByText(/Harbour Road 7/).textContent).toBe('Harbour Road 7\n2nd floor')
    expect(dialog.getByText('Say a size')).toBeTruthy()
    const winner = dialog.getByRole('link', { name: 'Luna Fox (@lunafox)' })
    expect(winner.getAttribute('href')).toBe('/admin?tab=users&user=7')
    expect(dialog.getByText('Timeline (1 step)')).toBeTruthy()
    expect(asked).toEqual([`/api/admin/prize-claims/${pending.id}/reading`])
  })

  it('is opened from Shipping as well, where it is packed', async () => {
    const asked: string[] = []
    server.use(
      answers(adminShipmentsContract.list, pageOf([row(1)])),
      replies(adminClaimsContract.read, (request) => {
        asked.push(new URL(request.url).pathname)
        return HttpResponse.json({ ...reading, claimId: 'PR-1' })
      }),
    )
    const { user } = await renderApp('/admin?tab=prize-claims&view=shipping')
    await user.click(await screen.findByRole('button', { name: 'PR-1' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'PR-1' }))
    expect(await dialog.findByText('Porto')).toBeTruthy()
    expect(asked).toEqual(['/api/admin/prize-claims/PR-1/reading'])
    await user.keyboard('{Escape}')
    await user.click(screen.getByText('Hoodie 1'))
    expect(await screen.findByRole('dialog', { name: 'PR-1' })).toBeTruthy()
  })

  it('says that the winner has not said where to, or why it cannot be shown', async () => {
    server.use(answers(adminClaimsContract.read, { ...reading, contactInfo: null }))
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: 'PR-CLAIM1' }))
    expect(await screen.findByText('No delivery details yet.')).toBeTruthy()
    await user.keyboard('{Escape}')
    server.use(refuses(adminClaimsContract.read, 404, 'Prize claim not found'))
    await user.click(screen.getByRole('button', { name: 'PR-CLAIM2' }))
    expect(await screen.findByText('Error loading the claim')).toBeTruthy()
  })

  it('shows details of any form', () => {
    expect(deliveryLines(null)).toEqual([])
    expect(deliveryLines('to Ana')).toEqual([{ label: 'Details', value: 'to Ana' }])
    expect(deliveryLines({ more: { a: 1 }, city: '' })).toEqual([
      { label: 'more', value: '{"a":1}' },
    ])
  })
})

it('exports with or without addresses', async () => {
  const saved: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push(this.getAttribute('href') ?? '')
  })
  const { user } = await open('/admin?tab=claims&status=all')
  for (const name of ['Without addresses', 'With addresses']) {
    await user.click(await screen.findByRole('button', { name: 'Export CSV' }))
    await user.click(await screen.findByRole('menuitem', { name }))
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  }
  expect(saved).toEqual([
    '/api/admin/prize-claims.csv?status=all&contact=without',
    '/api/admin/prize-claims.csv?status=all&contact=with',
  ])
})

it('says where a search ends', async () => {
  server.use(serveClaims([pending], claimHitsMax, 5_000))
  await open('/admin?tab=claims&q=hood')
  expect(
    screen.getByText(/^Showing 1,000 of 5,000 total claims\. A search finds at most 1,000/),
  ).toBeTruthy()
})
