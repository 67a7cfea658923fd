// What this browser remembers of its draws, against servers that lie about odds, places and
// answers; and beside a lie the honest server, clock or network that looks like it and raises no
// alarm.

import {
  type ChainResponse,
  fairnessContract,
  type OddsResponse,
  type OpenPacksResponse,
} from '@redpack/contract'
import { faultTexts, type OpeningFault } from '@redpack/fair/draw'
import { entryText, type LogEntry } from '@redpack/fair/entries'
import { disagreementsIn, isMemory } from '@redpack/fair/memory'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type SignedLog, signedLog } from '../../../../fair/src/sample-log.fixture.ts'
import { testNow } from '../../../../tools/test-clock.ts'
import {
  answerTo,
  commitmentAt,
  type FairServer,
  fairServer,
  listOf,
  oddsOf,
  opening,
  proofOf,
  seedHex,
  table,
  tableHash,
} from '../../../test/fairness-samples.ts'
import { servesLog } from '../../../test/log-samples.ts'
import { answers, mockServer, refuses, replies } from '../../../test/mock-server.ts'
import { ApiError } from '../../lib/api-error.ts'
import { acknowledgeAlarm, currentAlarms } from './alarm-queries.ts'
import { forgetLog, openLog } from './log-reader.ts'
import {
  drawTerms,
  lookAtChain,
  noteFailure,
  proveAnswer,
  readMemory,
  savedMemory,
  withheldFrom,
} from './own-draws.ts'
import { lookUpOwn } from './own-entries.ts'

const userId = 7
const order = { packTypeId: 1, quantity: 1, oddsHash: tableHash }
const signal = new AbortController().signal
const tableEntry = entryText({ type: 'table', tableHash, table })

let fair: FairServer
let log: SignedLog
const server = mockServer()

beforeEach(() => {
  fair = fairServer()
  log = signedLog([tableEntry])
  server.use(...servesLog(() => log), listOf(), ...fair.handlers)
})

const later = (minutes: number) => vi.setSystemTime(testNow() + minutes * 60_000)
const lookUp = () => lookUpOwn(userId, signal)
const alarms = async () => (await currentAlarms(userId)).map(({ reason }) => reason)
const firstRequest = async () => (await readMemory(userId)).requests[0]
const logs = (...entries: LogEntry[]) => {
  log = signedLog([tableEntry, ...entries.map(entryText)])
}
const opened = (change: object = {}): LogEntry => ({
  ...{ type: 'opening', id: 'r-31', at: '2026-11-24T12:00:00.000Z', packTypeId: 1, tableHash },
  ...{ chainId: 1, index: 0, serverSeed: seedHex(0), entropy: 'e0'.repeat(32) },
  ...{ entropyFrom: 'player', next: commitmentAt(1), results: [[4, null, null, 0]], ...change },
})

/** Asks as the page does; what an honest server answers. */
async function ask(key: string): Promise<OpenPacksResponse> {
  const terms = await drawTerms(userId, key, order, undefined)
  return answerTo({ ...order, ...terms }, table, fair)
}
/** The entry of such an answer. */
const entryOf = ({ proof }: OpenPacksResponse) =>
  opened({ id: proof.requestId, index: proof.index, entropy: proof.entropy })
/** Asks at a place, and is refused. */
async function askInVain(key: string, index: number) {
  fair.index = index
  await drawTerms(userId, key, order, undefined)
  await noteFailure(userId, key, new ApiError(503, 'Not now', '{}'))
}
async function looks(chain: Partial<ChainResponse>) {
  const shown = { chainId: 1, index: 0, commitment: commitmentAt(9), ended: [], ...chain }
  server.use(answers(fairnessContract.chain, shown))
  await lookAtChain(userId)
}

describe('the odds that were shown', () => {
  const odds = oddsOf(table)
  const rich = odds.entries.map((entry) => ({ ...entry, totalPacks: 2 }))
  it.each<[string, Partial<OddsResponse>]>([
    ['are those of another hash', { entries: rich }],
    [
      'tell a chance that their shares do not give',
      { entries: [{ ...odds.entries[0]!, chance: 0.5 }] },
    ],
    ['have no hash', { tableHash: 'none' }],
  ])('send nothing when they %s', async (_what, lie) => {
    const shown = { ...odds, ...lie }
    const asked = drawTerms(userId, 'k', { ...order, oddsHash: shown.tableHash }, shown)
    await expect(asked).rejects.toThrow('does not prove itself')
    expect([await alarms(), (await readMemory(userId)).requests]).toEqual([['table'], []])
  })

  it('are drawn from when they agree', async () => {
    await drawTerms(userId, 'k', order, odds)
    expect(await firstRequest()).toMatchObject({ tableHash })
  })
})

it('a look that raises an alarm lets no request leave', async () => {
  await looks({ index: 3 })
  server.use(answers(fairnessContract.chain, { ...fair, index: 2, commitment: commitmentAt(2) }))
  later(2)
  await expect(ask('k')).rejects.toThrow('does not prove itself')
  expect([await alarms(), (await readMemory(userId)).requests]).toEqual([['index'], []])
})

describe('a contradiction that was seen', () => {
  const acknowledge = async () => {
    for (const alarm of await currentAlarms(userId)) await acknowledgeAlarm(alarm)
  }
  /** Asks until the answer proves itself; how many alarms had to be seen before. */
  async function opensAfter(key: string) {
    const before = (await alarms()).length
    for (;;) {
      const answer = await ask(key).catch(acknowledge)
      if (answer && (await proveAnswer(userId, key, answer))) break
    }
    fair.index += 1
    return (await alarms()).length - before
  }

  it('by a seed of an ended chain is not seen anew with each opening after it', async () => {
    await askInVain('withheld', 0)
    fair.index = 3
    const ended = [{ chainId: 1, index: 0, serverSeed: seedHex(7) }]
    server.use(
      replies(fairnessContract.chain, () => {
        const { chainId, index } = fair
        return HttpResponse.json({ chainId, index, commitment: commitmentAt(index), ended })
      }),
    )
    later(2)
    expect(await opensAfter('a')).toBe(1)
    later(4)
    expect(await opensAfter('b')).toBe(0)
  })

  it('by a restored dump lets the openings after it be', async () => {
    await looks({ index: 13, commitment: commitmentAt(13) })
    server.use(...fair.handlers)
    fair.index = 8
    later(2)
    expect(await opensAfter('a')).toBe(1)
    for (const [minutes, key] of ['b', 'c', 'd'].entries()) {
      later(4 + 2 * minutes)
      expect(await opensAfter(key)).toBe(0)
    }
  })

  it('in an answer of no form is shown with each other one, and none is in an empty answer', async () => {
    for (const index of [1.5, 2.5]) {
      await expect(looks({ index })).rejects.toThrow('does not prove itself')
      await acknowledge()
    }
    expect(await alarms()).toHaveLength(2)
    server.use(replies(fairnessContract.chain, () => new HttpResponse(null)))
    await expect(lookAtChain(userId)).rejects.toThrow('could not be reached')
    expect(await alarms()).toHaveLength(2)
  })
})

it('a request that was carried out late is missing ten minutes after its answer', async () => {
  const answer = await ask('late')
  later(15)
  await proveAnswer(userId, 'late', answer)
  server.use(listOf(opening()), answers(fairnessContract.proof, { ...proofOf(), log: null }))
  await lookUp()
  expect(await alarms()).toEqual([])
  later(11)
  await lookUp()
  expect(await alarms()).toEqual(['missing'])
})

it('what the log has is found by a clock that is ahead', async () => {
  later(60)
  const answer = await ask('ahead')
  await proveAnswer(userId, 'ahead', answer)
  logs(
    { type: 'chain', chainId: 1, commitment: commitmentAt(0) },
    entryOf(answer),
    opened({ chainId: 9 }),
  )
  later(11)
  await lookUp()
  expect([await alarms(), (await firstRequest())?.isLogged]).toEqual([[], true])
})

describe('a place that the site says was used', () => {
  const mug = '1 pack, would have given Coffee Mug'
  const unknown = '1 pack, its seed is not known yet'
  const lost = '1 pack, its seed was never told: its key was lost'
  const next = { chainId: 2, commitment: commitmentAt(9) }
  const end = { chainId: 1, index: 1, serverSeed: null }
  const began: LogEntry = { type: 'chain', chainId: 1, commitment: commitmentAt(0) }
  const logEnd = (serverSeed: string | null): LogEntry => ({ ...end, type: 'end', serverSeed })
  const used = opened({ index: 1, serverSeed: seedHex(1) })

  it.each<[string, string[], string, Partial<ChainResponse>, LogEntry[]]>([
    ['by another opening, and none is', ['missing'], unknown, { index: 2 }, [began, opened()]],
    [
      'by a later end with any seed',
      ['missing'],
      unknown,
      { ...next, ended: [{ ...end, index: 5, serverSeed: seedHex(7) }] },
      [began, opened()],
    ],
    [
      'by an end without a seed',
      ['missing'],
      unknown,
      { ...next, ended: [end] },
      [began, opened()],
    ],
    ['with another seed', ['log'], unknown, { index: 2 }, [opened({ index: 1 })]],
    // Honest ones.
    ['by another device', [], `${mug}`, { index: 2 }, [began, opened(), used]],
    ['by its end', [], mug, { ...next, ended: [end] }, [began, opened(), logEnd(seedHex(1))]],
    ['by a lost key', [], lost, { ...next, ended: [end] }, [began, opened(), logEnd(null)]],
  ])('%s: the log tells', async (what, reasons, text, shown, entries) => {
    await askInVain(what, 1)
    await looks(shown)
    logs(...entries)
    await lookUp()
    expect(await alarms()).toEqual([])
    later(11)
    await lookUp()
    expect(await alarms()).toEqual(reasons)
    const { withheld, summary } = await withheldFrom(userId)
    expect(withheld.map((one) => one.text)).toEqual([text])
    expect(summary.includes('whose key was lost')).toBe(what === 'by a lost key')
  })

  it('by an end that is told no more is read in the log', async () => {
    await askInVain('old', 1)
    later(40 * 24 * 60)
    await looks(next)
    logs(began, opened(), logEnd(seedHex(1)))
    later(11)
    await lookUp()
    expect(await alarms()).toEqual([])
    expect((await withheldFrom(userId)).withheld[0]?.text).toBe(mug)
  })

  it('and was the first of a chain stands nowhere, and counts as given up', async () => {
    await askInVain('first', 0)
    await looks({ ...next, ended: [{ ...end, index: 0 }] })
    later(11)
    await lookUp()
    expect(await alarms()).toEqual([])
    expect((await withheldFrom(userId)).summary).toBe(
      '1 request whose key was lost: a prize could hide there.',
    )
  })

  it('takes no other seed once the true one was told', async () => {
    await askInVain('told', 1)
    await looks({ ...next, ended: [{ ...end, serverSeed: seedHex(1) }] })
    await looks({ ...next, ended: [{ ...end, serverSeed: seedHex(7) }] })
    expect(await alarms()).toEqual(['seed'])
    expect((await withheldFrom(userId)).withheld[0]?.text).toBe(mug)
  })
})

it('odds that cannot be asked for accuse nobody, and prove the opening once they come', async () => {
  server.use(
    refuses(fairnessContract.odds, 500, 'Not now'),
    refuses(fairnessContract.table, 400, 'Not now', 'insufficient_packs'),
  )
  const answer = await ask('k')
  await expect(proveAnswer(userId, 'k', answer)).rejects.toThrow('could not be reached')
  expect(await alarms()).toEqual([])
  server.use(...fair.handlers)
  expect([await proveAnswer(userId, 'k', answer), await alarms()]).toEqual([true, []])
})

describe('an answer that comes late', () => {
  it('does not bring back a chain that has ended', async () => {
    const answer = await ask('old')
    await looks({ chainId: 2, ended: [{ chainId: 1, index: 1, serverSeed: seedHex(1) }] })
    await proveAnswer(userId, 'old', answer)
    expect((await readMemory(userId)).chain).toMatchObject({ chainId: 2, index: 0 })
  })

  it('is no fresh look at its chain', async () => {
    const answer = await ask('slow')
    later(2)
    await proveAnswer(userId, 'slow', answer)
    const { chain } = await readMemory(userId)
    expect(chain).toMatchObject({ index: 1, seenAt: testNow() - 2 * 60_000 })
  })

  it('of a look says nothing of a chain that began meanwhile', async () => {
    fair.chainId = 2
    await askInVain('newer', 1)
    await looks({ chainId: 1, index: 4, commitment: commitmentAt(4) })
    expect((await firstRequest())?.passedAt).toBeUndefined()
  })

  it('while the log is asked is compared with it too', async () => {
    const answer = await ask('lost')
    await noteFailure(userId, 'lost', new ApiError(503, 'Not now', '{}'))
    logs({ ...entryOf(answer), id: 'another' } as LogEntry)
    server.use(
      listOf(opening()),
      replies(fairnessContract.proof, async () => {
        await proveAnswer(userId, 'lost', answer)
        return HttpResponse.json({ ...proofOf(), log: log.proof(1) })
      }),
    )
    await lookUp()
    await lookUp()
    expect([await alarms(), (await firstRequest())?.isLogged]).toEqual([['log'], false])
  })
})

it.each(['with its proof', 'without'])('a new key of the log is one alarm, %s', async (how) => {
  const answer = await ask('k')
  await proveAnswer(userId, 'k', answer)
  await openLog(signal)
  logs(entryOf(answer))
  if (how === 'with its proof') {
    server.use(
      listOf(opening()),
      answers(fairnessContract.proof, { ...proofOf(), log: log.proof(1) }),
    )
  }
  later(11)
  await expect(lookUp()).rejects.toThrow('another key')
  expect((await currentAlarms(userId)).map((alarm) => alarm.userId)).toEqual([null])
  await forgetLog()
  await lookUp()
  expect([await alarms(), (await firstRequest())?.isLogged]).toEqual([['log'], true])
})

it('a proof that is none accuses its opening, and not the log', async () => {
  const answer = await ask('k')
  await proveAnswer(userId, 'k', answer)
  logs(entryOf(answer))
  const proof = { ...proofOf(), log: 'nonsense' }
  server.use(listOf(opening()), answers(fairnessContract.proof, proof))
  await lookUp()
  const found = (await currentAlarms(userId)).map((alarm) => [alarm.userId, alarm.reason])
  expect(found).toEqual([[userId, 'log']])
})

it.each<[string, RegExp, () => SignedLog['key']]>([
  ['another log of the same key', /entries were changed or taken away/, () => log.key],
  ['a log of another key', /another key/, () => signedLog([]).key],
])('a proof of %s than the proof before is an alarm', async (_what, sentence, keyOf) => {
  for (const key of ['first', 'second']) {
    const answer = await ask(key)
    await proveAnswer(userId, key, answer)
    const others = fair.index > 0 ? [entryText(opened({ chainId: 9 }))] : []
    log = signedLog([tableEntry, ...others, entryText(entryOf(answer))], keyOf())
    const proof = { ...proofOf(), log: log.proof(1 + others.length) }
    server.use(listOf(opening({ index: fair.index })), answers(fairnessContract.proof, proof))
    if (fair.index === 0) await lookUp()
    else await expect(lookUp()).rejects.toThrow(sentence)
    fair.index += 1
  }
  const found = (await currentAlarms(userId)).map((alarm) => [alarm.userId, alarm.text])
  expect(found).toEqual([[null, expect.stringMatching(sentence)]])
  expect((await firstRequest())?.isLogged).toBe(false)
})

describe('what is not of its form', () => {
  const isSaved = async () => isMemory(await savedMemory(userId))

  it.each<[string, object]>([
    ['commitment', { commitment: 'x' }],
    ['index', { index: 1.5 }],
    ['seed', { ended: [{ chainId: 1, index: 0, serverSeed: 'x' }] }],
  ])('is an alarm and not kept: the %s of a chain', async (_what, lie) => {
    await expect(looks(lie)).rejects.toThrow('does not prove itself')
    expect([await alarms(), await isSaved(), (await readMemory(userId)).chain]).toEqual([
      ['seed'],
      true,
      null,
    ])
  })

  it.each<[string, OpeningFault, (answer: OpenPacksResponse) => object | null]>([
    ['half a coin', 'pay', (a) => ({ ...a, results: [{ ...a.results[0], redCoinEarned: 1.5 }] })],
    [
      'less than nothing',
      'pay',
      (a) => ({ ...a, results: [{ ...a.results[0], redCoinEarned: -1 }] }),
    ],
    ['no proof', 'seed', (a) => ({ ...a, proof: undefined })],
    ['no results', 'quantity', (a) => ({ ...a, results: null })],
    ['a result that is none', 'result', (a) => ({ ...a, results: [null] })],
    ['nothing', 'seed', () => null],
  ])('is an alarm that the saved memory shows: an answer with %s', async (_what, reason, lie) => {
    const answer = lie(await ask('k')) as OpenPacksResponse
    await expect(proveAnswer(userId, 'k', answer)).rejects.toThrow('does not prove itself')
    expect([await alarms(), await isSaved()]).toEqual([[reason], true])
    expect(disagreementsIn({ ...(await savedMemory(userId)), alarms: [] })).toEqual([
      expect.stringContaining(faultTexts[reason]),
    ])
  })

  it('is kept as far as a file has room for it', async () => {
    const { proof, ...answer } = await ask('k')
    const lie = { ...answer, proof: { ...proof, serverSeed: 'x'.repeat(6e6) } }
    await expect(proveAnswer(userId, 'k', lie)).rejects.toThrow('does not prove itself')
    expect(JSON.stringify(await savedMemory(userId)).length).toBeLessThan(100_000)
  })

  it('leaves pictures out of the evidence', async () => {
    const { results, ...answer } = await ask('k')
    const prize = { ...results[0]!.prize!, imageData: 'A'.repeat(1000) }
    const lie = { ...answer, results: [{ ...results[0]!, prize, redCoinEarned: 9 }] }
    await expect(proveAnswer(userId, 'k', lie)).rejects.toThrow()
    const evidence = JSON.stringify(await currentAlarms(userId))
    expect([evidence.includes('Coffee Mug'), evidence.includes('AAAA')]).toEqual([true, false])
  })
})
