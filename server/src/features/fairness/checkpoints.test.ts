// Checkpoints: signed as the formats say, never against what was signed before, and cosigned.

import { openCheckpoint, openLogProof, parseVerifierKey } from '@redpack/fair/notes'
import { tilePath } from '@redpack/fair/tree'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { signedLog } from '../../../../fair/src/sample-log.fixture.ts'
import { coded, type Person, useTestDeps } from '../../../test/deps.ts'
import { logDeps, otherSigner, signedMemory } from '../../../test/log-deps.ts'
import { type ReferenceWitness, startWitness } from '../../../test/reference-witness.ts'
import type { Deps } from '../../adapters/deps.ts'
import { logHashes, nodeHashing } from '../../adapters/random/hashing.ts'
import { witnessAt } from '../../adapters/transparency-log/public-log.ts'
import { appendLogEntries, keepLog, logProofOf } from './public-log.ts'

const t = useTestDeps({ PUBLIC_URL: 'http://packs.example.test:8080' })
const origin = 'packs.example.test:8080/log'
let gold: number
let ana: Person

beforeEach(async () => {
  gold = await t.packType('Gold')
  await t.prize('Cap', { packTypeIds: [gold], totalPacks: 2, stock: 30 })
  ana = await t.person('ana', { packs: { [gold]: 1000 } })
})

const open = (quantity: number) => ana.open(gold, quantity)
const get = (path: string, headers: Record<string, string> = {}) =>
  t.visitor.get(`/log/${path}`, headers)
const trouble = () => t.value<string | null>('SELECT trouble FROM log_keys')
const forge = `UPDATE log_entries SET leaf_hash = sha256('forged'::bytea) WHERE index = 1`
const forgetSigned = 'DELETE FROM log_cosignatures; DELETE FROM log_checkpoints'

const keyNow = async () => parseVerifierKey((await get('key')).body.trim(), nodeHashing.sha256)!
/** What a stranger reads out of the checkpoint of now. */
const treeHead = async () => openCheckpoint((await get('checkpoint')).body, await keyNow())
/** The log that the entries make. */
const logOfEntries = async () =>
  signedLog(await t.column<string>('SELECT body FROM log_entries ORDER BY index'))

describe('a checkpoint', () => {
  it('is not there before the first round, and then covers every entry', async () => {
    for (const path of ['checkpoint', 'key']) {
      expect(await coded(get(path))).toBe('404 not_found')
    }
    await open(3)
    await keepLog(t.deps)
    const answer = await get('checkpoint')
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'public, max-age=2',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(await treeHead()).toMatchObject({ origin, ...(await logOfEntries()).head })
  })

  it('of an empty log is the one of the empty tree', async () => {
    await t.db.script('TRUNCATE log_queue')
    await keepLog(t.deps)
    expect(await treeHead()).toMatchObject(signedLog([]).head)
  })

  it('keeps its name when the address changes', async () => {
    await keepLog(t.deps)
    await open(1)
    const config = { ...t.deps.config, publicUrl: 'https://elsewhere.example.test' }
    await keepLog({ ...t.deps, config })
    expect((await get('checkpoint')).body.split('\n')[0]).toBe(origin)
  })
})

describe('what was signed', () => {
  it('is never contradicted after an entry was changed in the database', async () => {
    await open(2)
    await keepLog(t.deps)
    const before = (await get('checkpoint')).body
    await t.plant(forge)
    await open(1)
    await keepLog(t.deps)
    expect((await get('checkpoint')).body).toBe(before)
    expect(await trouble()).toBe('inconsistent')
  })

  it('is never contradicted after the database was brought back in time', async () => {
    const deps = logDeps(t, { memory: signedMemory() })
    await open(2)
    await keepLog(deps)
    await open(2)
    const before = await t.value<number>('SELECT size FROM log_checkpoints')
    await keepLog(deps)
    // What a restore of an older dump does: the last entries and their checkpoint are gone.
    await t.plant(`DELETE FROM log_entries WHERE index >= ${before};
      DELETE FROM log_checkpoints WHERE size > ${before}`)
    const { commitment } = await ana.read('/api/fairness')
    await keepLog(deps)
    expect(await trouble()).toBe('history_lost')
    // Seeds that were told in the lost time are not drawn from, and the chains after them stay.
    const fresh = await ana.read('/api/fairness')
    expect(fresh.commitment).not.toBe(commitment)
    await keepLog(deps)
    expect((await ana.read('/api/fairness')).commitment).toBe(fresh.commitment)
    await open(3)
    await keepLog(deps)
    // As long as before by now, but with another history.
    expect(await trouble()).toBe('inconsistent')
    expect((await treeHead()).size).toBe(before)
  })

  it('stays when the key is another one, while entries go on being appended', async () => {
    await open(1)
    await keepLog(t.deps)
    const before = (await get('checkpoint')).body
    await open(4)
    await keepLog(logDeps(t, { signer: otherSigner }))
    expect((await get('checkpoint')).body).toBe(before)
    expect(await trouble()).toBe('key_changed')
    expect(await t.rows('SELECT * FROM log_queue')).toEqual([])
    await keepLog(logDeps(t, { signer: undefined }))
    expect((await get('checkpoint')).body).toBe(before)
    await keepLog(t.deps)
    expect((await get('checkpoint')).body).not.toBe(before)
    expect(await trouble()).toBe(null)
  })
})

describe('tiles and entries', () => {
  it('are what the checkpoint was made of, can be kept for ever, and stay as they were', async () => {
    await t.db.script(`
      INSERT INTO log_queue (kind, ref, body)
      SELECT 'stock', 'filling ' || n, '{"type":"stock","prizeId":1,"delta":0,"after":' || n || '}'
      FROM generate_series(1, 2500) n`)
    // As many rows as one transaction takes; the first is the stock of the beginning.
    expect(await appendLogEntries(t.deps, { batches: 1 })).toBe(2000)
    const run = vi.spyOn(t.deps.db, 'run')
    const leafReads = async (path: string) => {
      run.mockClear()
      await get(path)
      return run.mock.calls.filter(([{ name }]) => name === 'read_leaf_tile').length
    }
    // Nothing of a log is kept before it has its name.
    expect([await leafReads('tile/0/000'), await leafReads('tile/0/000')]).toEqual([1, 1])
    await keepLog(t.deps)
    const log = await logOfEntries()
    expect(await treeHead()).toMatchObject(log.head)
    const last = { index: 9, width: 197 }
    const check = async () => {
      for (const name of [
        ...[
          { level: 0, index: 0, width: 256 },
          { level: 0, index: 0, width: 17 },
          { level: 0, ...last },
        ],
        { level: 1, index: 0, width: 9 },
        ...[
          { level: 'entries', index: 7, width: 256 },
          { level: 'entries', ...last },
        ],
      ] as const) {
        // Browsers add the id of the key, so that they keep the tiles of each log apart.
        const answer = await get(`tile/${tilePath(name)}?c0ffee12`)
        expect(answer.rawPayload.equals(log.tile(name))).toBe(true)
        expect(answer.headers).toMatchObject({
          'content-type': 'application/octet-stream',
          'cache-control': `public, max-age=${name.width < 256 ? 3600 : 31_536_000}, immutable`,
          'access-control-allow-origin': '*',
        })
      }
    }
    await check()
    await open(10)
    await keepLog(t.deps)
    await check()
    // Full ones are read once; what is not full is not kept.
    expect([await leafReads('tile/0/000'), await leafReads('tile/0/000.p/17')]).toEqual([0, 1])
    run.mockRestore()
    const plain = await get('tile/entries/000')
    for (let count = 0; count < 2; count += 1) {
      const small = await get('tile/entries/000', { 'accept-encoding': 'gzip, br' })
      expect(small.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
      expect(small.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3)
    }
    const refused = await get('tile/entries/000', { 'accept-encoding': 'gzip;q=0' })
    expect(refused.headers['content-encoding']).toBeUndefined()
  })

  it('are 404 beyond the end of the tree, as all else below /log, and 400 by another spelling', async () => {
    await open(1)
    await keepLog(t.deps)
    const { size } = await treeHead()
    const beyond = [`0/000.p/${size + 1}`, '0/000', '0/001', '1/000.p/1', 'entries/001', '63/000']
    const spelled = ['0/0', '64/000', '0/000.p/0', 'x/000', '0/x00/1']
    const others = ['', 'tiles', 'tile', 'tile/0', 'tile/0/000/a/b/c/d']
    const paths = [...[...beyond, ...spelled].map((name) => `tile/${name}`), ...others]
    for (const [at, path] of paths.entries()) {
      const isSpelled = at >= beyond.length && at < beyond.length + spelled.length
      const expected = isSpelled ? '400 invalid_input' : '404 not_found'
      expect([path, await coded(get(path))]).toEqual([path, expected])
    }
    const answer = await get('tile/entries/001', { origin: 'https://stranger.example.test' })
    expect(answer.headers).toMatchObject({
      ...{ 'cache-control': 'no-store', 'access-control-allow-origin': '*' },
    })
  })
})

describe('the proof of an opening', () => {
  it('leads from its entry to the checkpoint', async () => {
    await open(20)
    const [request] = await t.rows<{ id: string }>('SELECT id FROM opening_requests')
    expect(await logProofOf(t.db, request!.id)).toBeNull()
    await appendLogEntries(t.deps)
    expect(await logProofOf(t.db, request!.id)).toBeNull()
    await keepLog(t.deps)
    const proof = (await logProofOf(t.db, request!.id)) ?? ''
    const index = await t.value<number>('SELECT index FROM log_requests')
    expect(await openLogProof(proof, await keyNow(), logHashes)).toMatchObject({
      ...{
        index,
        entry: (await logOfEntries()).entries[index],
        note: (await get('checkpoint')).body,
      },
    })
  })
})

describe('witnesses', () => {
  const witnessName = 'witness.example.test/w1'
  let witness: ReferenceWitness
  let deps: Deps
  let logKey = ''
  beforeEach(async () => {
    witness = await startWitness(witnessName, () => logKey)
    const { vkey: verifierKey, url } = witness
    deps = logDeps(t, { witnesses: [witnessAt({ verifierKey, url })] })
    await open(1)
    await keepLog(t.deps)
    logKey = (await get('key')).body.trim()
  })
  afterEach(() => witness.close())
  const state = async () =>
    (
      await t.rows<{ seen_size: number; problem: string | null; failures_in_row: number }>(
        'SELECT seen_size, problem, failures_in_row FROM log_witnesses',
      )
    )[0]
  const cosigned = async () => (await treeHead()).cosigners

  it('cosign each checkpoint, and what they say stands in it', async () => {
    for (const quantity of [1, 50, 3]) {
      await open(quantity)
      await keepLog(deps)
      expect(witness.seen()).toBe((await treeHead()).size)
      expect(await cosigned()).toEqual([witnessName])
    }
    await keepLog(deps)
    expect(witness.answers).toEqual([200, 200, 200])
    expect(await state()).toMatchObject({ problem: null, failures_in_row: 0 })
  })

  it('say what they have seen, be it more or less than is known here, and are asked from there', async () => {
    await keepLog(deps)
    await open(5)
    await t.db.script('UPDATE log_witnesses SET seen_size = 0')
    await keepLog(deps)
    expect(await cosigned()).toEqual([witnessName])
    witness.forget()
    await open(5)
    await keepLog(deps)
    expect(await cosigned()).toEqual([witnessName])
    expect(witness.answers).toEqual([200, 409, 200, 409, 200])
  })

  it.each([
    ['hang', 'It does not answer in time'],
    ['fail', 'It answered 500'],
    ['forge', 'Its answer is no cosignature of its key'],
    ['waver', 'It does not keep what it has cosigned'],
  ] as const)(
    'that %s block nothing, are told to staff, and asked again later',
    async (way, why) => {
      witness.misbehave(way)
      const before = await treeHead()
      await open(2)
      await keepLog(deps)
      expect((await treeHead()).size).toBeGreaterThan(before.size)
      expect(await cosigned()).toEqual([])
      expect(await state()).toMatchObject({ problem: why, failures_in_row: 1 })
      witness.misbehave(undefined)
      await keepLog(deps)
      expect(await cosigned()).toEqual([])
      t.clock.advance(6)
      await keepLog(deps)
      expect(await cosigned()).toEqual([witnessName])
      expect(await state()).toMatchObject({ problem: null, failures_in_row: 0 })
    },
  )

  it('are asked ever less often while they fail', async () => {
    witness.misbehave('fail')
    await open(2)
    const failures = []
    for (const seconds of [0, 6, 6, 5]) {
      t.clock.advance(seconds)
      await keepLog(deps)
      failures.push((await state())?.failures_in_row)
    }
    expect(failures).toEqual([1, 2, 2, 3])
  })

  it('that have seen more of the log than there is are believed by staff', async () => {
    for (let count = 0; count < 9; count += 1) await open(1)
    await keepLog(deps)
    const seen = witness.seen()
    await t.plant(`DELETE FROM log_entries WHERE index >= 5; ${forgetSigned};
      UPDATE log_witnesses SET seen_size = 0`)
    await keepLog(deps)
    expect((await treeHead()).size).toBe(5)
    expect((await state())?.seen_size).toBe(seen)
    expect((await state())?.problem).toBe(
      `It has seen ${seen} entries of this log, which has only 5: its history was lost`,
    )
    expect(await cosigned()).toEqual([])
  })

  it('refuse a log whose history is another one', async () => {
    await keepLog(deps)
    await t.plant(`${forge}; ${forgetSigned}`)
    await open(1)
    await keepLog(deps)
    expect((await state())?.problem).toBe('It says that this log is not what it has seen before')
    expect(await cosigned()).toEqual([])
  })
})
