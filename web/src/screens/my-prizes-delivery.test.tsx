// My Prizes: what has happened to a claim, and where its prize goes.

import {
  authContract,
  type Claim,
  type ClaimStep,
  claimsContract,
  type Delivery,
  type DeliveryResponse,
  deliveryContract,
} from '@redpack/contract'
import { configure, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import { answers, holds, mockServer, refuses, replies } from '../../test/mock-server.ts'
import { renderApp } from '../../test/render.tsx'
import { sampleOwnClaim, samplePagination, sampleUser } from '../../test/samples.ts'
import { findToast } from '../../test/toasts.ts'

configure({ defaultHidden: true })

const server = mockServer(answers(authContract.me, sampleUser()))

const won: ClaimStep = { kind: 'created', status: null, at: '2026-11-20T10:00:00.000Z' }

function serve(status: Claim['status'], timeline: ClaimStep[], redCoinAmount = 0): void {
  const claim = sampleOwnClaim({ redCoinAmount }, { status, timeline })
  server.use(answers(claimsContract.list, { claims: [claim], pagination: samplePagination(1) }))
}

const ana: Delivery = {
  name: 'Ana Costa',
  addressLines: ['Rua Um 7', '2nd floor'],
  city: 'Porto',
  postalCode: '4000',
  country: 'Portugal',
  phone: null,
  note: null,
}

/** What the server has of Ana's claim, different where the test says so. */
const kept = (change: Partial<DeliveryResponse> = {}): DeliveryResponse => ({
  ...{ claimId: 'PR-ABCDEFGH', delivery: ana, canChange: true, countries: [], questions: [] },
  ...change,
})

const stored = (change?: Partial<DeliveryResponse>) =>
  server.use(answers(deliveryContract.read, kept(change)))

/** Saves, and keeps what was sent. */
function saves(change?: Partial<DeliveryResponse>): unknown[] {
  const sent: unknown[] = []
  server.use(
    replies(deliveryContract.save, async (request) => {
      sent.push(await request.json())
      return HttpResponse.json(kept(change))
    }),
  )
  return sent
}

async function open(name: RegExp) {
  const app = await renderApp('/my-prizes')
  await app.user.click(await screen.findByRole('button', { name }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delivery details' }))
  return { ...app, dialog }
}

const saved: ClaimStep = { kind: 'delivery_saved', status: null, at: '2026-11-20T11:00:00.000Z' }

describe('the timeline of a claim', () => {
  it('tells every step in its order', async () => {
    const at = '2026-11-21T10:00:00.000Z'
    serve('completed', [
      won,
      saved,
      { kind: 'status', status: 'processing', at },
      { kind: 'status', status: 'completed', at },
      { kind: 'delivery_erased', status: null, at },
    ])
    await renderApp('/my-prizes')
    await screen.findByText('Timeline (5 steps)')
    const steps = within(screen.getByRole('list', { name: 'Timeline' })).getAllByRole('listitem')
    expect(steps.map((step) => step.querySelector('p')?.textContent)).toEqual([
      'Won',
      'Delivery details saved',
      'Processing',
      'Completed',
      'Delivery details erased',
    ])
  })
})

describe('a draft of the delivery details', () => {
  it('stays when the screen is taken away, until it is saved', async () => {
    serve('pending', [won])
    stored({ delivery: null })
    const first = await open(/^Add delivery details/)
    await first.user.type(await first.dialog.findByLabelText('Name'), 'Ana Costa')
    first.unmount()
    const { dialog, user } = await open(/^Add delivery details/)
    const name = await dialog.findByLabelText<HTMLInputElement>('Name')
    expect(name.value).toBe('Ana Costa')
    // The form comes after its dialog, and is what is typed into.
    expect(document.activeElement).toBe(name)
    saves()
    await user.type(dialog.getByLabelText('Address'), 'Rua Um 7')
    await user.type(dialog.getByLabelText('City'), 'Porto')
    await user.selectOptions(dialog.getByLabelText('Country'), 'Portugal')
    await user.click(dialog.getByRole('button', { name: 'Save delivery details' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(JSON.stringify(sessionStorage)).not.toContain('Ana')
  })

  it('is nothing else that stands in its place', async () => {
    sessionStorage.setItem('redpack:delivery-draft:PR-ABCDEFGH', '{"name":{"first":1}}')
    serve('pending', [won])
    stored()
    const { dialog } = await open(/^Add delivery details/)
    const name = await dialog.findByLabelText<HTMLInputElement>('Name')
    expect(name.value).toBe('Ana Costa')
  })
})

describe('the delivery form', () => {
  it('says who can read it and when it is erased', async () => {
    serve('pending', [won])
    stored({ delivery: null })
    const { dialog } = await open(/^Add delivery details/)
    expect(await dialog.findByText(/Encrypted.*Only you and the staff/)).toBeTruthy()
    expect(dialog.getByText(/Erased 90 days after your claim is completed/)).toBeTruthy()
  })

  it('refuses what is missing at its field, and sends the rest when it is there', async () => {
    serve('pending', [won])
    stored({ delivery: null })
    const sent = saves()
    const { dialog, user } = await open(/^Add delivery details/)
    await user.type(await dialog.findByLabelText('Name'), 'Ana Costa')
    await user.click(dialog.getByRole('button', { name: 'Save delivery details' }))
    expect(dialog.getByText('Address is required')).toBeTruthy()
    expect(document.activeElement).toBe(dialog.getByLabelText('Address'))
    expect(sent).toEqual([])
    await user.type(dialog.getByLabelText('Address'), 'Rua Um 7{enter}{enter} 2nd floor')
    await user.type(dialog.getByLabelText('Postal code'), '4000')
    await user.type(dialog.getByLabelText('City'), 'Porto')
    await user.selectOptions(dialog.getByLabelText('Country'), 'Portugal')
    serve('pending', [won, saved])
    await user.click(dialog.getByRole('button', { name: 'Save delivery details' }))
    expect((await screen.findAllByText('Delivery details saved')).length).toBeGreaterThan(0)
    expect(sent).toEqual([
      {
        name: 'Ana Costa',
        addressLines: ['Rua Um 7', '2nd floor'],
        city: 'Porto',
        postalCode: '4000',
        country: 'PT',
        phone: '',
        note: '',
        answers: [],
      },
    ])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await screen.findByText('Timeline (2 steps)')).toBeTruthy()
  })

  it('offers the countries that are served, and asks what the prize asks', async () => {
    serve('pending', [won, saved])
    const size = { kind: 'choice' as const, label: 'Size', choices: ['S', 'M'] }
    const answered = [{ question: 'Size', answer: 'S' }]
    const asked = { countries: ['DE', 'ES'], questions: [size] }
    stored({ delivery: { ...ana, answers: answered }, ...asked })
    const sent = saves(asked)
    const { dialog, user } = await open(/^Delivery details/)
    expect(await dialog.findByText('Only sent to Germany, Spain')).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Save delivery details' }))
    expect(dialog.getByText('This prize is only sent to Germany, Spain')).toBeTruthy()
    expect([document.activeElement, sent]).toEqual([dialog.getByLabelText('Country'), []])
    await user.selectOptions(dialog.getByLabelText('Country'), 'Spain')
    await user.selectOptions(dialog.getByLabelText('Size'), 'Choose one')
    await user.click(dialog.getByRole('button', { name: 'Save delivery details' }))
    expect(dialog.getByText('Size is required')).toBeTruthy()
    await user.selectOptions(dialog.getByLabelText('Size'), 'M')
    await user.click(dialog.getByRole('button', { name: 'Save delivery details' }))
    expect((await screen.findAllByText('Delivery details saved')).length).toBeGreaterThan(0)
    expect(sent).toEqual([expect.objectContaining({ country: 'ES', answers: ['M'] })])
  })

  it('shows what was saved, and keeps what was typed when it is closed and opened', async () => {
    serve('processing', [won, saved])
    stored()
    const { dialog, user } = await open(/^Delivery details/)
    const address = await dialog.findByLabelText<HTMLTextAreaElement>('Address')
    expect(address.value).toBe('Rua Um 7\n2nd floor')
    await user.clear(dialog.getByLabelText('City'))
    await user.type(dialog.getByLabelText('City'), 'Lisboa')
    await user.keyboard('{Escape}')
    await user.click(await screen.findByRole('button', { name: /^Delivery details/ }))
    expect((await screen.findByLabelText<HTMLInputElement>('City')).value).toBe('Lisboa')
  })

  it('shows the sentence of the server at its field', async () => {
    serve('pending', [won, saved])
    stored()
    server.use(
      replies(deliveryContract.save, () =>
        HttpResponse.json(
          { message: 'No', errors: [{ path: 'addressLines.1', message: 'Too long' }] },
          { status: 400 },
        ),
      ),
    )
    const { dialog, user } = await open(/^Delivery details/)
    await user.click(await dialog.findByRole('button', { name: 'Save delivery details' }))
    expect(await dialog.findByText('Too long')).toBeTruthy()
  })

  it.each([
    [500, 'Nothing works'],
    [200, 'We only use them to send this prize.'],
  ])('says how saving has ended, also when it was closed meanwhile: %i', async (status, said) => {
    serve('pending', [won, saved])
    stored()
    const body = { ...kept(), message: 'Nothing works' }
    const { handler, release } = holds(deliveryContract.save, () =>
      HttpResponse.json(body, { status }),
    )
    server.use(handler)
    const { dialog, user } = await open(/^Delivery details/)
    await user.click(await dialog.findByRole('button', { name: 'Save delivery details' }))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    release()
    await findToast({ description: said })
  })

  it('only shows once the claim is completed', async () => {
    serve('completed', [won, saved])
    stored({ canChange: false, delivery: { ...ana, addressLines: ['Tower', 'Tower'] } })
    const { dialog } = await open(/^Delivery details/)
    expect((await dialog.findByRole('group')).textContent).toContain('Tower\nTower\n')
    expect(dialog.queryByRole('textbox')).toBeNull()
    expect(dialog.queryByRole('button', { name: 'Save delivery details' })).toBeNull()
  })

  it('says that the details could not be loaded', async () => {
    serve('pending', [won, saved])
    server.use(refuses(deliveryContract.read, 500, 'Nothing works'))
    const { dialog } = await open(/^Delivery details/)
    expect(await dialog.findByText('The delivery details could not be loaded')).toBeTruthy()
  })

  it.each([
    ['a prize that was paid in RedCoin', 'completed', [won], 50],
    ['a completed claim whose details are erased', 'completed', [won], 0],
  ] as const)('is not there for %s', async (_what, status, timeline, redCoinAmount) => {
    serve(status, [...timeline], redCoinAmount)
    await renderApp('/my-prizes')
    await screen.findByText('PR-ABCDEFGH')
    expect(screen.queryByRole('button', { name: /delivery details/i })).toBeNull()
  })
})
