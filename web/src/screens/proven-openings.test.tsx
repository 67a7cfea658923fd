// Openings prove themselves in the browser: an honest server is believed, and each way to cheat is
// seen, at once or once a seed is known.

import {
  authContract,
  fairnessContract,
  type OddsResponse,
  type OpenPacksResponse,
  packsContract,
} from '@redpack/contract'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { testNow } from '../../../tools/test-clock.ts'
import {
  answerTo,
  commitmentAt,
  type FairServer,
  fairServer,
  keepFiles,
  listOf,
  log,
  oddsOf,
  opening,
  proofOf,
  seedHex,
  table,
  tableHash,
  textOf,
} from '../../test/fairness-samples.ts'
import { holdWaits } from '../../test/held-waits.ts'
import { servesLog } from '../../test/log-samples.ts'
import { answers, later, mockServer, refuses, replies } from '../../test/mock-server.ts'
import { renderApp } from '../../test/render.tsx'
import { samplePagination, sampleUser } from '../../test/samples.ts'
import { currentAlarms, raiseAlarm } from '../features/fairness/alarm-queries.ts'
import {
  changeMemory,
  drawTerms,
  lookAtChain,
  noteFailure,
  proveAnswer,
  readMemory,
  withheldFrom,
} from '../features/fairness/own-draws.ts'
import { lookUpOwn, saysWhatWasTold } from '../features/fairness/own-entries.ts'
import { sampleHolding, sampleType } from '../features/packs/opening-samples.fixture.ts'
import { ApiError } from '../lib/api-error.ts'
import { browserMemory } from '../lib/browser-memory.ts'

const type = sampleType({ oddsHash: tableHash })
const userId = sampleUser().id

let fair: FairServer
const server = mockServer()

beforeEach(() => {
  fair = fairServer()
  server.use(
    answers(authContract.me, sampleUser()),
    answers(packsContract.types, [type]),
    answers(packsContract.holdings, [sampleHolding(80, type)]),
    ...servesLog(() => log),
    listOf(),
    ...fair.handlers,
  )
})

async function open() {
  const app = await renderApp('/inventory')
  await app.user.click(await screen.findByRole('radio', { name: /Crown/ }))
  await app.user.click(screen.getByRole('button', { name: 'Open Packs' }))
  return app
}
const shown = () => screen.findByRole('dialog')

const order = { packTypeId: 1, quantity: 1, oddsHash: tableHash }
type Cheat = (answer: OpenPacksResponse) => OpenPacksResponse
/** Asks as the page does, and judges what the server answers. */
async function ask(key: string, cheat: Cheat = (answer) => answer) {
  const terms = await drawTerms(userId, key, order, undefined)
  const answer = answerTo({ ...order, ...terms }, table, fair)
  fair.index += 1
  return proveAnswer(userId, key, cheat(answer))
}
const moved = new ApiError(409, 'Moved', JSON.stringify({ code: 'commitment_moved' }))
/** Asks, and is refused. */
async function askInVain(key: string, status: number, code: string) {
  await drawTerms(userId, key, order, undefined)
  await noteFailure(userId, key, new ApiError(status, 'Not now', JSON.stringify({ code })))
}
const alarms = async () => (await currentAlarms(userId)).map(({ reason }) => reason)
const withheld = async () => (await withheldFrom(userId)).withheld.map(({ text }) => text)
const mugWithheld = ['1 pack, would have given Coffee Mug']
const notLookedUp =
  '1 pack, the site says that another opening came first; its seed is not looked up yet'
const lookUp = () => lookUpOwn(userId, new AbortController().signal)

describe('an honest opening', () => {
  it('is proven before the pack tears, with fresh entropy and the commitment that was shown', async () => {
    await open()
    await shown()
    await waitFor(() => expect(document.querySelector('[data-proven="true"]')).toBeTruthy())
    expect(fair.asked[0]).toMatchObject({ oddsHash: tableHash, commitment: commitmentAt(0) })
    expect(fair.asked[0]?.entropy).toMatch(/^[0-9a-f]{64}$/)
    expect((await readMemory(userId)).requests[0]).toMatchObject({ outcome: 'proven', index: 0 })
    expect(document.querySelector('[data-alarm]')).toBeNull()
  })

  it('goes on from the commitment it was told, without a look in between', async () => {
    expect(await ask('one')).toBe(true)
    server.use(refuses(fairnessContract.chain, 500, 'Not asked'))
    expect(await ask('two')).toBe(true)
    const [two, one] = (await readMemory(userId)).requests
    expect([one?.commitment, two?.commitment]).toEqual([commitmentAt(0), commitmentAt(1)])
    expect(one?.entropy).not.toBe(two?.entropy)
  })

  it('of another tab does not make a liar of an answer that was on its way', async () => {
    await ask('one')
    const late = fair.index
    const { given, give: answer } = later()
    server.use(replies(fairnessContract.chain, () => given))
    const look = lookAtChain(userId)
    await ask('two')
    const chain = { chainId: 1, index: late, commitment: commitmentAt(late), ended: [] }
    answer(HttpResponse.json(chain))
    await look
    expect(await alarms()).toEqual([])
    expect((await readMemory(userId)).chain?.index).toBe(late + 1)
  })

  it('is not begun where what is remembered breaks while it is prepared', async () => {
    vi.spyOn(browserMemory, 'change').mockRejectedValue(new Error('broken'))
    await open()
    expect(await screen.findByText(/^Failed to start pack opening/)).toBeTruthy()
    expect(fair.asked).toEqual([])
  })

  it('asks again by itself when another device has opened in between', async () => {
    const app = await renderApp('/inventory')
    await app.user.click(await screen.findByRole('radio', { name: /Crown/ }))
    await waitFor(async () => expect((await readMemory(userId)).chain).toBeTruthy())
    fair.index = 3
    await app.user.click(screen.getByRole('button', { name: 'Open Packs' }))
    await shown()
    expect(fair.asked.map(({ commitment }) => commitment)).toEqual([
      commitmentAt(0),
      commitmentAt(3),
    ])
    expect(await withheld()).toEqual([notLookedUp])
  })
})

describe('a server that cheats', () => {
  const proof =
    (lie: object): Cheat =>
    (answer) => ({ ...answer, proof: { ...answer.proof, ...lie } })
  const results =
    (lie: object): Cheat =>
    (answer) => ({ ...answer, results: answer.results.map((one) => ({ ...one, ...lie })) })
  const prizes =
    (lie: object): Cheat =>
    (answer) =>
      results({ prize: { ...answer.results[0]!.prize, ...lie } })(answer)
  const nothing = { won: false, prizeId: null, prize: null, claimId: null, redCoinEarned: 5 }

  it('is found before anything is celebrated', async () => {
    fair.cheat = proof({ serverSeed: seedHex(9) })
    await open()
    await waitFor(() => expect(document.querySelector('[data-alarm="draw"]')).toBeTruthy())
    const alarm = document.querySelector('[data-alarm="draw"]')
    expect(alarm?.getAttribute('role')).toBe('alert')
    expect(alarm?.getAttribute('data-reason')).toBe('seed')
    const files = keepFiles()
    fireEvent.click(screen.getByRole('button', { name: 'Save the evidence' }))
    await waitFor(() => expect(files).toHaveLength(1))
    expect(await textOf(files[0]!)).toContain(seedHex(9))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.querySelector('[data-proven]')).toBeNull()
  })

  it.each<[string, string, Cheat]>([
    ['another seed', 'seed', proof({ serverSeed: seedHex(9) })],
    ['a next commitment that was used', 'seed', proof({ nextCommitment: commitmentAt(0) })],
    ['other entropy', 'entropy', proof({ entropy: 'ab'.repeat(32) })],
    ['entropy of its own', 'entropy', proof({ entropyFrom: 'server' })],
    ['another table', 'table', proof({ tableHash: 'ab'.repeat(32) })],
    ['another chain', 'index', proof({ chainId: 7 })],
    ['another place', 'index', proof({ index: 70 })],
    ['a pack less', 'quantity', (answer) => ({ ...answer, results: [] })],
    ['other results', 'result', results(nothing)],
    ['a win that is shown as none', 'result', results({ won: false })],
    ['the name of another prize', 'result', prizes({ name: 'Gold Bar' })],
    ['the picture of another prize', 'result', prizes({ id: 5 })],
    ['another amount beside the prize', 'result', prizes({ redCoinAmount: 900 })],
    ['another payment', 'pay', results({ redCoinEarned: 1 })],
  ])('with %s is found at once', async (_what, reason, cheat) => {
    await expect(ask('one', cheat)).rejects.toThrow('does not prove itself')
    expect(await alarms()).toEqual([reason])
  })

  const end = { chainId: 1, index: 4, serverSeed: seedHex(9) }
  it.each<[string, string, object]>([
    ['another commitment for the same place', 'seed', { commitment: 'cd'.repeat(32) }],
    ['a chain that goes back', 'index', { index: 2, commitment: commitmentAt(8) }],
    ['two chains at once', 'index', { chainId: 2, commitment: commitmentAt(8) }],
    [
      'an end with another seed',
      'seed',
      { chainId: 2, commitment: commitmentAt(8), index: 0, ended: [end] },
    ],
    ['an old commitment', 'seed', { index: 5, commitment: commitmentAt(3) }],
  ])('with %s is found when the chain is looked at', async (_what, reason, lie) => {
    fair.index = 3
    await ask('one')
    expect(await alarms()).toEqual([])
    const chain = { chainId: 1, index: 4, commitment: commitmentAt(4), ended: [], ...lie }
    server.use(answers(fairnessContract.chain, chain))
    await lookAtChain(userId)
    expect(await alarms()).toEqual([reason])
  })
})

describe('an alarm', () => {
  const exchanged = { reason: 'seed', title: 'Exchanged', text: 'It was.', evidence: {} } as const

  it('stops openings until it has been seen', async () => {
    await raiseAlarm({ name: 'x', userId, ...exchanged })
    const { user } = await open()
    const toast = await screen.findByText('Pack Opening Error')
    expect(toast.parentElement?.textContent).toContain('Read the warning on this page first.')
    expect([fair.asked, await withheld()]).toEqual([[], []])
    await user.click(screen.getByRole('button', { name: 'I have seen this' }))
    await waitFor(() => expect(screen.queryByText('Exchanged')).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Open Packs' }))
    await shown()
    expect(fair.asked).toHaveLength(1)
  })

  it('of another person on this device stops nobody else', async () => {
    await raiseAlarm({ name: 'x', userId: userId + 1, ...exchanged })
    await open()
    await shown()
    expect(screen.queryByText('Exchanged')).toBeNull()
  })

  it('is raised where odds of another pack were shown', async () => {
    const other = oddsOf({ ...table, packTypeId: 2 })
    server.use(answers(fairnessContract.odds, other))
    const app = await renderApp('/inventory')
    await app.user.click(await screen.findByRole('radio', { name: /Crown/ }))
    const seen = () => app.queryClient.getQueryData<OddsResponse>(['seen-odds', 1])
    await waitFor(() => expect(seen()?.tableHash).toBe(other.tableHash))
    await app.user.click(screen.getByRole('button', { name: 'Open Packs' }))
    await waitFor(async () => expect(await alarms()).toEqual(['table']))
    expect(fair.asked).toEqual([])
  })
})

describe('what was withheld', () => {
  it('is listed once the next opening reveals the seed: a refusal after the draw', async () => {
    fair.cheat = () => {
      fair.index -= 1
      return HttpResponse.json({ code: 'wrong_state', message: 'Not now' }, { status: 409 })
    }
    const app = await open()
    await screen.findByText('Pack Opening Error')
    app.unmount()
    await ask('next')
    await renderApp('/fairness?tab=mine')
    await waitFor(() => expect(document.querySelector('[data-withheld="1"]')).toBeTruthy())
    const items = [...document.querySelectorAll('[data-withheld] li')]
    expect(items.map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining(mugWithheld[0]!),
    ])
  })

  it('is drawn again when its seed is told: a request that was never answered', async () => {
    await drawTerms(userId, 'lost', { ...order, quantity: 2 }, undefined)
    expect(await withheld()).toEqual(['2 packs, its seed is not known yet'])
    await ask('next')
    expect(await withheld()).toEqual(['2 packs, would have given 2 × Coffee Mug'])
  })

  it.each([
    ['odds_changed', 409, mugWithheld],
    ['rate_limited', 429, mugWithheld],
    ['unauthorized', 401, mugWithheld],
    ['forbidden', 403, mugWithheld],
    ['not_found', 404, mugWithheld],
    ['idempotency_mismatch', 422, mugWithheld],
    // Said while nothing was opened.
    ['commitment_moved', 409, mugWithheld],
    ['invalid_input', 400, mugWithheld],
    // This cannot depend on the draw.
    ['insufficient_packs', 400, []],
  ])('is told of a refusal: %s', async (code, status, texts) => {
    await askInVain('refused', status, code)
    await ask('next')
    expect(await withheld()).toEqual(texts)
  })

  it('is nothing where an opening of another tab was first', async () => {
    await drawTerms(userId, 'moved', order, undefined)
    await ask('other tab')
    await noteFailure(userId, 'moved', moved)
    expect(await withheld()).toEqual([])
  })

  it('stays listed when it is asked for again after another opening', async () => {
    await askInVain('lost', 503, 'unavailable')
    await ask('next')
    await noteFailure(userId, 'lost', moved)
    expect(await withheld()).toEqual(mugWithheld)
  })

  it.each([
    ['list', 0, [opening()]],
    ['log', 11, []],
  ])('is drawn again where an opening of the %s took its place', async (by, minutes, openings) => {
    await askInVain(by, 409, 'commitment_moved')
    expect(await withheld()).toEqual([notLookedUp])
    await changeMemory(userId, ({ requests, ...memory }) => ({
      ...memory,
      requests: requests.map((one) => ({ ...one, sentAt: one.sentAt - minutes * 60_000 })),
    }))
    server.use(listOf(...openings), answers(fairnessContract.proof, proofOf()))
    await lookUp()
    expect(await withheld()).toEqual([`${mugWithheld[0]}; another opening took its place`])
    const { summary } = await withheldFrom(userId)
    expect(summary).toBe('1 request overtaken by another opening, 1 prize in them.')
    expect(await alarms()).toEqual([])
  })
})

describe('the public log', () => {
  const asked = {
    packTypeId: 1,
    quantity: 1,
    entropy: 'e0'.repeat(32),
    commitment: commitmentAt(0),
  }
  const { proof, results } = answerTo(asked, table, { chainId: 1, index: 0 })
  const request = {
    ...{ chainId: 1, index: 0, ...asked, tableHash, key: 'k', outcome: 'proven' as const },
    sentAt: 0,
    told: { proof: { ...proof, requestId: 'r-31' }, results: [[4, 0]] as [number, number][] },
  }

  /** Whoever looks through it again fails. */
  const logIsGone = http.get('/log/checkpoint', () => HttpResponse.error())
  const remember = (change: object) =>
    changeMemory(userId, (memory) => ({ ...memory, requests: [{ ...request, ...change }] }))

  it('says of an opening what its answer told, or is found out', () => {
    const text = log.entries[2]!
    expect(results).toHaveLength(1)
    expect(saysWhatWasTold(text, request)).toBe(true)
    for (const lie of [
      text.replace('"index":0', '"index":1'),
      text.replace('e0e0', 'e1e0'),
      text.replace('[4,null,null,0]', '[null,null,null,5]'),
      text.replace('"player"', '"server"'),
      text.replace(commitmentAt(1), commitmentAt(2)),
      log.entries[1]!,
    ]) {
      expect(saysWhatWasTold(lie, request)).toBe(false)
    }
  })

  it.each([
    [7, 'raises the alarm', 'missing'],
    [0, 'is believed when the log itself has it', undefined],
  ])('that the server hides index %i of for two days %s', async (index, _what, reason) => {
    const sentAt = testNow() - 2 * 24 * 60 * 60_000
    await remember({ index, sentAt })
    server.use(refuses(fairnessContract.openings, 500, 'Not now'))
    await lookUp()
    expect((await readMemory(userId)).requests[0]?.isLogged).toBe(reason ? undefined : true)
    expect(await alarms()).toEqual(reason ? [reason] : [])
    server.use(logIsGone)
    await lookUp()
  })

  const logNumber = { ...proofOf(), log: 5 as unknown as string }
  it.each([
    ['no proof', listOf(opening()), refuses(fairnessContract.proof, 500, 'Not now')],
    ['a proof of no form', listOf(opening()), answers(fairnessContract.proof, logNumber)],
    ['a list of no form', listOf(null as never), answers(fairnessContract.proof, proofOf())],
  ])('is asked when the server hands out %s', async (_what, ...handlers) => {
    await remember({ sentAt: testNow() - 11 * 60_000 })
    server.use(...handlers)
    await lookUp()
    expect((await readMemory(userId)).requests[0]?.isLogged).toBe(true)
  })

  it('is asked on every page in idle time, for openings of earlier pages of the list too', async () => {
    await remember({})
    const pages: unknown[] = []
    server.use(
      replies(fairnessContract.openings, ({ url }) => {
        pages.push(new URL(url).searchParams.get('page'))
        const openings = pages.length < 3 ? [opening({ index: 3 - pages.length })] : [opening()]
        return HttpResponse.json({ openings, pagination: samplePagination(3) })
      }),
      answers(fairnessContract.proof, proofOf()),
    )
    const pass = holdWaits('Interval', 20_000)
    const idle: (() => void)[] = []
    vi.stubGlobal('requestIdleCallback', (run: () => void) => idle.push(run))
    await renderApp('/nowhere')
    await screen.findByRole('button', { name: /^Account of/ })
    await pass()
    await waitFor(() => expect(idle).toHaveLength(1))
    expect(pages).toEqual([])
    for (const run of idle) run()
    await waitFor(async () => {
      expect((await readMemory(userId)).requests[0]?.isLogged).toBe(true)
    })
    expect(pages).toEqual(['1', '2', '3'])
  })

  const refusal = () => HttpResponse.json({}, { status: 500 })
  const unanswered = { outcome: 'refused' as const, sentAt: testNow() }
  it('is looked through once for a place that was not used', async () => {
    const sentAt = testNow() - 11 * 60_000
    await remember({ ...unanswered, index: 7, sentAt })
    await lookUp()
    server.use(logIsGone)
    await lookUp()
    expect(await alarms()).toEqual([])
  })

  it.each([
    ['came to nothing', { ...unanswered, index: 7 }, []],
    ['has no proof', {}, [replies(fairnessContract.proof, refusal, { once: true })]],
  ])('is asked for one also when another that %s cannot be found', async (_what, lost, first) => {
    const other = { ...request, ...lost, key: 'o', sentAt: 1 }
    await changeMemory(userId, (memory) => ({ ...memory, requests: [other, request] }))
    server.use(
      http.get('/log/tile/entries/*', () => HttpResponse.error()),
      listOf(opening()),
      ...first,
      answers(fairnessContract.proof, proofOf()),
    )
    await expect(Promise.all([lookUp(), lookUp()])).rejects.toThrow()
    expect((await readMemory(userId)).requests.map(({ isLogged }) => isLogged)).toContain(true)
  })

  it('tells that a request was opened whose answer was lost', async () => {
    await remember({ ...unanswered, key: 'lost' })
    expect(await withheld()).toHaveLength(1)
    server.use(listOf(opening()), answers(fairnessContract.proof, proofOf()))
    await lookUp()
    expect(await withheld()).toEqual([])
    // What the answer tells when it comes after all was not compared yet.
    await proveAnswer(userId, 'lost', { proof, results, updatedBalance: 0 })
    const [late] = (await readMemory(userId)).requests
    expect(late).toMatchObject({ outcome: 'proven', isLogged: false })
  })
})
