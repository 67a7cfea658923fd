// Openings prove themselves in the browser: an honest server is believed, and each way to cheat is
// seen, at once or once a seed is known.

import {
  authContract,
  drawLogContract,
  fairnessContract,
  type Holding,
  type OpenPacksResponse,
  type PackType,
  packsContract,
  themeContract,
  usersContract,
} from '@redpack/contract'
import { screen, waitFor } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { testNow } from '../../../tools/test-clock.ts'
import {
  answerTo,
  commitmentAt,
  type FairServer,
  fairServer,
  listOf,
  log,
  seedHex,
  table,
  tableHash,
} from '../../test/fairness-samples.ts'
import { servesLog } from '../../test/log-samples.ts'
import { answers, mockServer, refuses } from '../../test/mock-server.ts'
import { renderApp } from '../../test/render.tsx'
import { sampleUser } from '../../test/samples.ts'
import {
  changeMemory,
  drawTerms,
  lookAtChain,
  lookUpOwn,
  noteFailure,
  readMemory,
  saysWhatWasTold,
} from '../features/fairness/own-draws.ts'
import { ApiError } from '../lib/api-error.ts'

const look = {
  id: 1,
  name: 'Crown',
  description: '',
  icon: 'crown',
  color: '#f59e0b',
  imageUrl: null,
}
const type: PackType = { ...look, imageData: null, imageType: null, oddsHash: tableHash }
const holding: Holding = { packTypeId: 1, quantity: 80, oddsHash: tableHash, packType: look }
const userId = sampleUser().id

let fair: FairServer
const server = mockServer()

beforeEach(() => {
  fair = fairServer()
  server.use(
    answers(authContract.me, sampleUser()),
    answers(packsContract.types, [type]),
    answers(packsContract.holdings, [holding]),
    answers(packsContract.stats, { totalPacks: 80, packsOpened: 0 }),
    answers(packsContract.openings, []),
    refuses(usersContract.profile, 404, 'Not found'),
    refuses(themeContract.theme, 404, 'Not found'),
    ...servesLog(() => log),
    listOf(),
    answers(drawLogContract.observed, { packTypes: [] }),
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
const alarmReason = async () => {
  await waitFor(() => expect(document.querySelector('[data-alarm="draw"]')).toBeTruthy())
  const alarm = document.querySelector('[data-alarm="draw"]')
  expect(alarm?.getAttribute('role')).toBe('alert')
  expect(screen.getByRole('button', { name: 'Save the evidence' })).toBeTruthy()
  return alarm?.getAttribute('data-reason')
}
/** What the page lists as withheld. */
async function withheldTexts(count: number): Promise<string[]> {
  await renderApp('/fairness?tab=mine')
  await waitFor(() => expect(document.querySelector(`[data-withheld="${count}"]`)).toBeTruthy())
  const items = document.querySelectorAll('[data-withheld] li')
  return [...items].map((item) => item.textContent ?? '')
}

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
    const app = await open()
    await shown()
    app.unmount()
    const second = await open()
    await shown()
    second.unmount()
    expect(fair.asked.map(({ commitment }) => commitment)).toEqual([
      commitmentAt(0),
      commitmentAt(1),
    ])
    expect(fair.asked[0]?.entropy).not.toBe(fair.asked[1]?.entropy)
  })

  it('asks again by itself when another device has opened in between', async () => {
    const app = await renderApp('/inventory')
    await app.user.click(await screen.findByRole('radio', { name: /Crown/ }))
    await waitFor(async () => expect((await readMemory(userId)).chain).toBeTruthy())
    fair.index = 3
    await app.user.click(screen.getByRole('button', { name: 'Open Packs' }))
    await shown()
    app.unmount()
    expect(fair.asked.map(({ commitment }) => commitment)).toEqual([
      commitmentAt(0),
      commitmentAt(3),
    ])
    expect(await withheldTexts(0)).toEqual([])
  })
})

describe('a server that cheats', () => {
  it.each<[string, string, (answer: OpenPacksResponse) => OpenPacksResponse]>([
    ['another seed', 'seed', (a) => ({ ...a, proof: { ...a.proof, serverSeed: seedHex(9) } })],
    [
      'other entropy',
      'entropy',
      (a) => ({ ...a, proof: { ...a.proof, entropy: 'ab'.repeat(32) } }),
    ],
    ['its own entropy', 'entropy', (a) => ({ ...a, proof: { ...a.proof, entropyFrom: 'server' } })],
    [
      'another table',
      'table',
      (a) => ({ ...a, proof: { ...a.proof, tableHash: 'ab'.repeat(32) } }),
    ],
    ['another quantity', 'quantity', (a) => ({ ...a, results: [...a.results, ...a.results] })],
    ['a repeated index', 'index', (a) => ({ ...a, proof: { ...a.proof, index: 7 } })],
    ['another chain', 'index', (a) => ({ ...a, proof: { ...a.proof, chainId: 7 } })],
    [
      'the same commitment again',
      'seed',
      (a) => ({ ...a, proof: { ...a.proof, nextCommitment: a.proof.commitment } }),
    ],
    [
      'other results',
      'result',
      (a) => ({
        ...a,
        results: [{ won: false, prizeId: null, prize: null, claimId: null, redCoinEarned: 5 }],
      }),
    ],
    [
      'a win that is shown as none',
      'result',
      (a) => ({ ...a, results: a.results.map((one) => ({ ...one, won: false })) }),
    ],
    [
      'another payment',
      'pay',
      (a) => ({ ...a, results: a.results.map((one) => ({ ...one, redCoinEarned: 1 })) }),
    ],
  ])('with %s is found at once, and nothing is celebrated', async (_what, reason, cheat) => {
    fair.cheat = cheat
    await open()
    expect(await alarmReason()).toBe(reason)
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.querySelector('[data-proven]')).toBeNull()
  })

  it.each<[string, string, () => void]>([
    ['another commitment for the same place', 'seed', () => (fair.chainId = 1)],
    ['a chain that goes back', 'index', () => (fair.index = 0)],
    ['two chains at once', 'index', () => (fair.chainId = 2)],
    [
      'an end with another seed',
      'seed',
      () => {
        fair.chainId = 2
        fair.ended = [{ chainId: 1, index: 4, serverSeed: seedHex(9) }]
      },
    ],
  ])('with %s is found when the chain is looked at', async (what, reason, cheat) => {
    fair.index = 4
    await lookAtChain(userId)
    cheat()
    if (what.startsWith('another commitment')) {
      const other = { chainId: 1, index: 4, commitment: 'cd'.repeat(32), ended: [] }
      server.use(answers(fairnessContract.chain, other))
    }
    await lookAtChain(userId)
    await renderApp('/fairness')
    expect(await alarmReason()).toBe(reason)
  })

  it('that shows an old commitment again is found', async () => {
    const app = await open()
    await shown()
    app.unmount()
    const old = { chainId: 1, index: 1, commitment: commitmentAt(0), ended: [] }
    server.use(answers(fairnessContract.chain, old))
    await lookAtChain(userId)
    await renderApp('/fairness')
    expect(await alarmReason()).toBe('seed')
  })
})

describe('what was withheld', () => {
  it('is drawn again when the next opening reveals the seed: a refusal after the draw', async () => {
    fair.cheat = () => {
      fair.index -= 1
      return HttpResponse.json({ code: 'wrong_state', message: 'Not now' }, { status: 409 })
    }
    const app = await open()
    await screen.findByText('Pack Opening Error')
    app.unmount()
    fair.cheat = undefined
    const second = await open()
    await shown()
    second.unmount()
    const [text] = await withheldTexts(1)
    expect(text).toContain('1 pack, would have given Coffee Mug')
  })

  it('is drawn again when the chain ends: a request that was never answered', async () => {
    const asked = { chainId: 1, index: 0, commitment: commitmentAt(0), entropy: 'e1'.repeat(32) }
    const order = {
      tableHash,
      packTypeId: 1,
      quantity: 2,
      key: 'k',
      sentAt: 1,
      outcome: 'sent',
    } as const
    await changeMemory(userId, (memory) => ({ ...memory, requests: [{ ...asked, ...order }] }))
    await lookAtChain(userId)
    const first = await open()
    await shown()
    first.unmount()
    const [text] = await withheldTexts(1)
    expect(text).toContain('2 packs, would have given 2 × Coffee Mug')
  })

  it.each([
    ['odds_changed', 409],
    ['rate_limited', 429],
    ['unauthorized', 401],
    ['forbidden', 403],
    ['not_found', 404],
    ['idempotency_mismatch', 422],
  ] as const)('counts a refusal that could depend on the draw: %s', async (code, status) => {
    await lookAtChain(userId)
    const order = { packTypeId: 1, quantity: 1, oddsHash: tableHash }
    await drawTerms(userId, 'refused', order, undefined)
    await noteFailure(userId, 'refused', new ApiError(status, 'Not now', JSON.stringify({ code })))
    const app = await open()
    await shown()
    app.unmount()
    const [text] = await withheldTexts(1)
    expect(text).toContain('1 pack, would have given')
  })

  const moved = new ApiError(409, 'Moved', JSON.stringify({ code: 'commitment_moved' }))
  const order = { packTypeId: 1, quantity: 1, oddsHash: tableHash }

  it('counts a request that is said to be overtaken while nothing was opened', async () => {
    await lookAtChain(userId)
    await drawTerms(userId, 'moved', order, undefined)
    await noteFailure(userId, 'moved', moved)
    const app = await open()
    await shown()
    app.unmount()
    const [text] = await withheldTexts(1)
    expect(text).toContain('1 pack, would have given')
  })

  it('does not count a request that an opening of another tab has overtaken', async () => {
    await lookAtChain(userId)
    await drawTerms(userId, 'moved', order, undefined)
    const app = await open()
    await shown()
    app.unmount()
    await noteFailure(userId, 'moved', moved)
    expect(await withheldTexts(0)).toEqual([])
  })

  it.each([
    ['insufficient_packs', 'Insufficient packs'],
    ['invalid_input', 'Quantity must be from 1 to 50'],
  ])('does not count what cannot depend on the draw: %s', async (code, message) => {
    server.use(refuses(packsContract.open, 400, message, code as 'invalid_input'))
    const app = await open()
    await screen.findByText('Pack Opening Error')
    app.unmount()
    server.use(...fair.handlers)
    const second = await open()
    await shown()
    second.unmount()
    expect(await withheldTexts(0)).toEqual([])
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
    ['r-99', 'raises the alarm', 'missing'],
    ['r-31', 'is believed when the log itself has it', undefined],
  ])('that the server hides %s of for ten minutes %s', async (requestId, _what, reason) => {
    const told = { ...request.told, proof: { ...request.told.proof, requestId } }
    const sentAt = testNow() - 11 * 60_000
    await changeMemory(userId, (memory) => ({
      ...memory,
      requests: [{ ...request, told, sentAt }],
    }))
    await lookUpOwn(userId, new AbortController().signal)
    expect((await readMemory(userId)).requests[0]?.isLogged).toBe(reason ? undefined : true)
    await renderApp('/fairness')
    if (reason) expect(await alarmReason()).toBe(reason)
  })
})
