// The way of an opening to the checkpoint: what its entry must say, told or made again.

import { describe, expect, it } from 'vitest'
import {
  commitmentOf,
  firstSeeds,
  type SampleOpening,
  sampleOpenings,
  sampleTable,
  sampleTableHash,
  sha256,
} from '../../../test/draw-samples.ts'
import { sampleKey, sampleLog } from '../../../test/log-samples.ts'
import { readVerifierKey } from '../../lib/tlog/signed-note.ts'
import { checkLogProof } from './check-log-proof.ts'
import type { DrawProof } from './draw-proof.ts'

const openings = sampleOpenings(firstSeeds, 60, 3)
const log = sampleLog(openings.map((opening) => JSON.stringify(opening)))
const key = readVerifierKey(log.key.text)

function proofOf(entry: SampleOpening, hasExtra = false): DrawProof {
  const { type: _, at: __, pairId, clientSeedHash: ___, stockAfter: ____, ...rest } = entry
  return {
    opening: {
      ...rest,
      createdAt: '2026-11-20T10:00:42.123Z',
      soldOut: entry.soldOutPrizeId !== null,
      seedPairId: pairId,
      serverSeedHash: commitmentOf(firstSeeds),
      clientSeed: firstSeeds.clientSeed,
      clientSeedFrom: 'player',
      serverSeed: firstSeeds.serverSeed,
      scheme: 2,
    },
    table: sampleTable,
    log: log.proof(openings.indexOf(entry), { hasExtra }),
  }
}

const kinds = {
  'a win without limit': openings.find(({ prizeId }) => prizeId === 1)!,
  'a limited win': openings.find(({ prizeId }) => prizeId === 2)!,
  'a sold-out prize': openings.find(({ soldOutPrizeId }) => soldOutPrizeId === 2)!,
  'no prize': openings.find(({ redCoinEarned, soldOutPrizeId }) => {
    return redCoinEarned === 5 && soldOutPrizeId === null
  })!,
}

describe('the entry of an opening', () => {
  for (const hasExtra of [false, true]) {
    it.each(Object.entries(kinds))(
      `with %s is found, ${hasExtra ? 'handed along' : 'made again'}`,
      async (_what, entry) => {
        const finding = await checkLogProof(proofOf(entry, hasExtra), key)
        expect(finding.verdict).toBe('passed')
        expect(finding.entry).toBe(JSON.stringify(entry))
      },
    )
  }

  it.each<[string, Partial<DrawProof['opening']>]>([
    ['number', { id: 5 }],
    ['minute', { createdAt: '2026-11-20T10:01:00.000Z' }],
    ['pack type', { packTypeId: 2 }],
    ['odds', { tableHash: 'ab'.repeat(32) }],
    ['seed pair', { seedPairId: 2 }],
    ['nonce', { nonce: 99 }],
    ['client seed', { clientSeed: 'theirs' }],
    ['prize', { prizeId: 2 }],
    ['sold-out prize', { soldOutPrizeId: 2, soldOut: true }],
    ['amount', { redCoinEarned: 6 }],
  ])('is not that of an opening with another %s', async (_what, change) => {
    for (const hasExtra of [false, true]) {
      const proof = proofOf(kinds['no prize'], hasExtra)
      const bent = { ...proof, opening: { ...proof.opening, ...change } }
      expect((await checkLogProof(bent, key)).verdict).toBe('failed')
    }
  })

  it('may not tell a stock that cannot be', async () => {
    for (const [entry, stockAfter] of [
      [kinds['a sold-out prize'], 1],
      [kinds['a limited win'], null],
      [kinds['a win without limit'], 3],
      [kinds['no prize'], 3],
    ] as const) {
      const bent = sampleLog([JSON.stringify({ ...entry, stockAfter })], log.key)
      for (const hasExtra of [false, true]) {
        const proof = { ...proofOf(entry), log: bent.proof(0, { hasExtra }) }
        expect((await checkLogProof(proof, key)).verdict).toBe('failed')
      }
    }
  })

  it('is not signed when the checkpoint is not', async () => {
    const proof = proofOf(kinds['no prize'])
    const other = readVerifierKey(sampleKey().text)
    expect(await checkLogProof(proof, other)).toMatchObject({
      verdict: 'failed',
      text: 'The checkpoint is not signed by the key of this log.',
    })
    const named = readVerifierKey(sampleKey('other.example.com').text)
    expect((await checkLogProof(proof, named)).text).toBe('The proof is of another log.')
  })

  it('is not called signed where no key is known', async () => {
    const finding = await checkLogProof(proofOf(kinds['no prize']), null)
    expect(finding.verdict).toBe('unchecked')
    expect(finding.text).toContain('was not checked')
  })

  it('fails, and does not throw, for a text that is no proof', async () => {
    const proof = { ...proofOf(kinds['no prize']), log: 'none' }
    expect((await checkLogProof(proof, key)).verdict).toBe('failed')
  })
})

describe('an entry of the first log', () => {
  const body = JSON.stringify({
    openingRequestAt: '2026-11-20T10:00:00.000Z',
    packTypeId: 1,
    tableHash: sampleTableHash,
    serverSeedHash: commitmentOf(firstSeeds),
    firstNonce: 4,
    quantity: 2,
    prizeIds: [null, 1],
  })
  const carried = (text: string, hash = sha256(text)) =>
    sampleLog([JSON.stringify({ type: 'carried', position: 1, body: text, hash })], log.key)
  const old = (nonce: number, prizeId: number | null): DrawProof => {
    const proof = proofOf(kinds['no prize'])
    return { ...proof, opening: { ...proof.opening, scheme: 1, nonce, prizeId } }
  }
  const check = (proof: DrawProof, served = carried(body), hasExtra = true) =>
    checkLogProof({ ...proof, log: served.proof(0, { hasExtra }) }, key)

  it('stands for every pack of its request', async () => {
    expect((await check(old(4, null))).verdict).toBe('passed')
    expect((await check(old(5, 1))).verdict).toBe('passed')
  })

  it('says what each pack held, under its own hash', async () => {
    expect((await check(old(5, 2))).verdict).toBe('failed')
    expect((await check(old(6, null))).verdict).toBe('failed')
    expect((await check(old(4, null), carried(body, 'ab'.repeat(32)))).verdict).toBe('failed')
  })

  it('is left open when the proof does not hand it along', async () => {
    expect((await check(old(4, null), carried(body), false)).verdict).toBe('unchecked')
  })
})
