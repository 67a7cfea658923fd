// Opening packs with the odds that were seen.

import {
  authContract,
  claimsContract,
  fairnessContract,
  type OddsResponse,
  packsContract,
} from '@redpack/contract'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { testNow } from '../../../tools/test-clock.ts'
import { holdWaits } from '../../test/held-waits.ts'
import { answers, later, mockServer, refuses, replies } from '../../test/mock-server.ts'
import { renderApp } from '../../test/render.tsx'
import { samplePagination, sampleUser } from '../../test/samples.ts'
import { answerWithinMs } from '../features/packs/opening-records.ts'
import {
  answerOf,
  losing,
  sampleHolding,
  sampleOddsEntry,
  sampleType,
} from '../features/packs/opening-samples.fixture.ts'

// What openings prove is the matter of another file.
vi.mock('../features/fairness/own-draws.ts', async (original) => ({
  ...(await original<typeof import('../features/fairness/own-draws.ts')>()),
  ...(await import('../features/packs/opening-samples.fixture.ts')).takenForProven,
}))

const oldHash = '0d'.repeat(32)
const newHash = '1e'.repeat(32)

const packType = sampleType({ oddsHash: oldHash })
const holding = sampleHolding(80, packType)

const hoodie = sampleOddsEntry({ limited: true })
const oldOdds: OddsResponse = {
  packTypeId: 1,
  tableHash: oldHash,
  scaled: false,
  entries: [hoodie, { ...hoodie, prizeId: 2, name: 'Mug' }],
  noPrizeChance: 0.98,
  consolationRedCoin: 5,
}
const newOdds: OddsResponse = {
  ...oldOdds,
  tableHash: newHash,
  entries: [
    { ...hoodie, totalPacks: 200, chance: 0.005 },
    { ...hoodie, prizeId: 3, name: 'Headset', rewardPackTypeId: 1, rewardPackQuantity: 2 },
  ],
  consolationRedCoin: 4,
}

interface Sent {
  readonly key: string | null
  readonly body: { readonly oddsHash?: string; readonly quantity: number }
}

let sent: Sent[]
let odds: OddsResponse
const server = mockServer()

/** Answers openings, and keeps what they sent. */
function openBy(answer: (body: Sent['body']) => Response | Promise<Response>) {
  server.use(
    replies(packsContract.open, async (request) => {
      const body = (await request.json()) as Sent['body']
      sent.push({ key: request.headers.get('idempotency-key'), body })
      return answer(body)
    }),
  )
}

/** A server that opens packs only with the odds in force. */
function openStrictly() {
  openBy(({ oddsHash, quantity }) => {
    if (oddsHash === odds.tableHash) {
      const results = Array.from({ length: quantity }, () => losing(5))
      return HttpResponse.json(answerOf(results, 1205))
    }
    const message = 'The odds have changed'
    const problem = { code: 'odds_changed', message, error: 'x', requestId: 'r' }
    return HttpResponse.json(problem, { status: 409 })
  })
}

beforeEach(() => {
  sent = []
  odds = oldOdds
  server.use(
    answers(authContract.me, sampleUser()),
    answers(packsContract.types, [packType]),
    answers(packsContract.holdings, [holding]),
    replies(fairnessContract.odds, () => HttpResponse.json(odds)),
    answers(claimsContract.list, { claims: [], pagination: samplePagination(0) }),
  )
  openStrictly()
})

async function choosePacks(quantity: number) {
  const app = await renderApp('/inventory')
  await app.user.click(await screen.findByRole('radio', { name: /Crown Pack/ }))
  fireEvent.change(screen.getByRole('spinbutton', { name: 'Quantity' }), {
    target: { value: String(quantity) },
  })
  // The odds that the player chooses by are there.
  await waitFor(() => expect(app.queryClient.getQueryData(['seen-odds', 1])).toBeTruthy())
  return app
}

const press = (app: Awaited<ReturnType<typeof choosePacks>>) =>
  app.user.click(screen.getByRole('button', { name: 'Open Packs' }))
const question = async () => within(await screen.findByRole('alertdialog'))

describe('an opening', () => {
  it('names those of the holding when the odds could not be loaded', async () => {
    server.use(refuses(fairnessContract.odds, 500, 'Nothing works'))
    const app = await renderApp('/inventory')
    await app.user.click(await screen.findByRole('radio', { name: /Crown Pack/ }))
    await press(app)
    await screen.findByRole('dialog')
    expect(sent[0]?.body).toMatchObject({ packTypeId: 1, quantity: 1, oddsHash: oldHash })
  })

  it('names the odds that were seen also when others came in quietly meanwhile', async () => {
    const app = await choosePacks(1)
    odds = newOdds
    server.use(answers(packsContract.holdings, [{ ...holding, oddsHash: newHash }]))
    await app.queryClient.invalidateQueries()
    await press(app)
    await question()
    expect(sent[0]?.body.oddsHash).toBe(oldHash)
  })

  it('names the newer odds once they were looked at', async () => {
    const app = await choosePacks(1)
    odds = newOdds
    await app.user.click(screen.getByRole('button', { name: 'Odds of Crown Pack' }))
    await screen.findByText('Headset')
    await app.user.keyboard('{Escape}')
    await press(app)
    await screen.findByRole('heading', { name: /Opening Crown Pack/ })
    expect(sent.map(({ body }) => body.oddsHash)).toEqual([newHash])
  })
})

describe('odds that have changed', () => {
  it('are shown, with what they were, and packs are opened only after a yes', async () => {
    const app = await choosePacks(50)
    odds = newOdds
    await press(app)
    const asks = await question()
    expect(asks.getByText('The odds of Crown Pack have changed')).toBeTruthy()
    expect(asks.getByText(/Nothing was opened and nothing was spent/)).toBeTruthy()
    const rows = asks.getAllByRole('listitem').map((row) => row.textContent)
    expect(rows).toEqual([
      'Hoodiebefore: 1 in 100 packs (1%)now: 1 in 200 packs (0.5%)',
      'Headset · newnow: 1 in 100 packs (1%), 2 packs of Crown Pack',
      'Mug · no longer in this packbefore: was 1 in 100 packs (1%)',
      'A pack without a prizebefore: pays 5 RedCoinnow: pays 4 RedCoin',
    ])
    expect(screen.queryByText('Pack Opening Error')).toBeNull()
    await app.user.click(asks.getByRole('button', { name: 'Open 50 packs with the new odds' }))
    await screen.findByRole('dialog')
    expect(sent.map(({ body }) => [body.quantity, body.oddsHash])).toEqual([
      [50, oldHash],
      [50, newHash],
    ])
    expect(sent[1]?.key).not.toBe(sent[0]?.key)
  })

  it('can be declined with the keyboard: everything stays as it was', async () => {
    const app = await choosePacks(3)
    odds = newOdds
    await press(app)
    await question()
    await app.user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(sent).toHaveLength(1)
    expect(screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Quantity' }).value).toBe('3')
    expect(document.activeElement).not.toBe(document.body)
    expect(Object.keys(localStorage).filter((key) => key.includes('opening'))).toEqual([])
    // They were shown and not agreed to: the next try asks again.
    await press(app)
    await question()
    expect(sent[1]?.body.oddsHash).toBe(oldHash)
  })

  it('ask again when they change while the question is open', async () => {
    const app = await choosePacks(1)
    odds = newOdds
    await press(app)
    const yes = await (await question()).findByRole<HTMLButtonElement>('button', {
      name: /^Open 1/,
    })
    await waitFor(() => expect(yes.disabled).toBe(false))
    odds = oldOdds
    await app.user.click(yes)
    await waitFor(() => expect(sent).toHaveLength(2))
    const again = await question()
    expect(await again.findByText('Mug')).toBeTruthy()
    await app.user.click(again.getByRole('button', { name: /^Open 1/ }))
    await screen.findByRole('dialog')
    expect(sent.map(({ body }) => body.oddsHash)).toEqual([oldHash, newHash, oldHash])
    expect(new Set(sent.map(({ key }) => key)).size).toBe(3)
  })

  it('do not touch a request whose answer was lost: it is repeated word for word', async () => {
    openBy(() => HttpResponse.error())
    const app = await choosePacks(2)
    await press(app)
    await screen.findByText(/No answer came/)
    odds = newOdds
    openBy(() => HttpResponse.json(answerOf([losing(5), losing(5)], 1205)))
    await app.user.click(screen.getByRole('button', { name: 'Ask again' }))
    await screen.findByRole('dialog')
    expect(sent).toHaveLength(3)
    for (const request of sent) expect(request).toEqual(sent[0])
  })

  it('say so when the new ones cannot be loaded, and open nothing', async () => {
    const app = await choosePacks(1)
    odds = newOdds
    server.use(refuses(fairnessContract.odds, 500, 'Nothing works'))
    await press(app)
    const asks = await question()
    expect(await asks.findByText('The new odds could not be loaded')).toBeTruthy()
    expect(asks.getByRole<HTMLButtonElement>('button', { name: /^Open/ }).disabled).toBe(true)
  })
})

/** Presses, and goes to another screen before the answer is there. */
async function leaveWhileOpening() {
  const { given, give: answer } = later()
  openBy(() => given)
  const app = await choosePacks(1)
  await press(app)
  await waitFor(() => expect(sent).toHaveLength(1))
  await act(() => app.router.navigate({ to: '/my-prizes' }))
  await screen.findByRole('heading', { name: 'My Prizes' })
  return { app, answer }
}

describe('an opening whose screen was left meanwhile', () => {
  it.each(['odds_changed', 'commitment_moved'])(
    'says that nothing was opened: %s',
    async (code) => {
      const { answer } = await leaveWhileOpening()
      const problem = { code, message: 'Nothing was opened.', error: 'x', requestId: 'r' }
      answer(HttpResponse.json(problem, { status: 409 }))
      expect(await screen.findByText('Nothing was opened.')).toBeTruthy()
      expect(sent).toHaveLength(1)
    },
  )
})

describe('an opening whose answer is on its way', () => {
  it('is not said to have none after its screen was left and found again', async () => {
    const { app, answer } = await leaveWhileOpening()
    vi.setSystemTime(testNow() + 60_000)
    await act(() => app.router.navigate({ to: '/inventory' }))
    await screen.findByText('Waiting for the answer to your opening of 1 pack')
    expect(screen.queryByText(/No answer came/)).toBeNull()
    answer(HttpResponse.json(answerOf([losing(5)], 1205)))
    expect(await screen.findByText('You have 1 result you have not seen yet')).toBeTruthy()
  })

  it('from another tab is given half a minute', async () => {
    const order = { packTypeId: 1, quantity: 2 }
    const sentAt = testNow()
    const record = JSON.stringify({ key: 'k', userId: 7, order, sentAt, answer: null })
    localStorage.setItem('redpack:opening:k', record)
    const endWait = holdWaits('Timeout', answerWithinMs)
    await renderApp('/inventory')
    await screen.findByText('Waiting for the answer to your opening of 2 packs')
    expect(screen.queryByText(/No answer came/)).toBeNull()
    expect(screen.queryByRole('button', { name: 'Dismiss unanswered opening' })).toBeNull()
    vi.setSystemTime(sentAt + answerWithinMs)
    await endWait()
    const dismiss = screen.getByRole('button', { name: 'Dismiss unanswered opening' })
    fireEvent.click(dismiss)
    expect(document.activeElement?.className).toContain('opening-layout')
  })
})
