// Checkpoints: signed as the formats say, never against what was signed before, and cosigned.

import { createHash, createPublicKey, verify } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { coded, type Person, useTestDeps } from '../../../test/deps.ts'
import { type ReferenceWitness, startWitness } from '../../../test/reference-witness.ts'
import type { Deps } from '../../adapters/deps.ts'
import { publicLog, type SignedMemory } from '../../adapters/transparency-log/public-log.ts'
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
/** Runs SQL past the triggers, as who owns the database can. */
const tamper = (sql: string) =>
  t.db.script(`SET session_replication_role = replica;
    ${sql}; SET session_replication_role = origin;`)
const forge = `UPDATE log_entries SET leaf_hash = sha256('forged'::bytea) WHERE index = 1`
const forgetSigned = 'DELETE FROM log_cosignatures; DELETE FROM log_checkpoints'

function memory(): SignedMemory & { note: string | undefined } {
  return {
    note: undefined,
    read() {
      return this.note
    },
    keep(note) {
      this.note = note
    },
  }
}
const depsWith = (log: Partial<Deps['publicLog']>): Deps => ({
  ...t.deps,
  publicLog: { ...t.deps.publicLog, ...log },
})
const otherKey = publicLog({ ...settings(), logSigningKey: '20'.repeat(32) }).signer
function settings() {
  return { logSigningKey: undefined, logWitnesses: [], logDiscordChannelId: undefined }
}

const sha256 = (...parts: (Buffer | string)[]) =>
  createHash('sha256')
    .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
    .digest()

/** What a stranger reads out of a note, with a vkey that they were given. */
function opened(note: string, vkey: string): { size: number; root: string; lines: string[] } {
  const text = note.slice(0, note.indexOf('\n\n') + 1)
  const [name = '', id = '', ...encoded] = vkey.trim().split('+')
  const key = Buffer.from(encoded.join('+'), 'base64')
  expect(sha256(`${name}\n`, key).subarray(0, 4).toString('hex')).toBe(id)
  const publicKey = createPublicKey({
    key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), key.subarray(1)]),
    format: 'der',
    type: 'spki',
  })
  const lines = note.slice(text.length + 1).split('\n')
  const ours = lines.find((line) => line.startsWith(`— ${name} `)) ?? ''
  const signature = Buffer.from(ours.split(' ')[2] ?? '', 'base64')
  expect(signature.subarray(0, 4).toString('hex')).toBe(id)
  expect(verify(null, Buffer.from(text), publicKey, signature.subarray(4))).toBe(true)
  const [found, size, root = ''] = text.split('\n')
  expect(found).toBe(origin)
  return { size: Number(size), root, lines }
}
const treeHead = async () => opened((await get('checkpoint')).body, (await get('key')).body)

/** RFC 6962 over bodies. */
function rootOf(bodies: readonly string[]): Buffer {
  if (bodies.length === 0) return sha256()
  if (bodies.length === 1) return sha256(Buffer.of(0), bodies[0] ?? '')
  let k = 1
  while (k * 2 < bodies.length) k *= 2
  return sha256(Buffer.of(1), rootOf(bodies.slice(0, k)), rootOf(bodies.slice(k)))
}

function entriesIn(bundle: Buffer): string[] {
  const entries: string[] = []
  for (let at = 0; at < bundle.length; ) {
    const end = at + 2 + bundle.readUInt16BE(at)
    entries.push(bundle.toString('utf8', at + 2, end))
    at = end
  }
  return entries
}

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
    const { size, root } = await treeHead()
    const bodies = await t.rows<{ body: string }>('SELECT body FROM log_entries ORDER BY index')
    expect(size).toBe(bodies.length)
    expect(root).toBe(rootOf(bodies.map(({ body }) => body)).toString('base64'))
  })

  it('of an empty log is the one of the empty tree', async () => {
    await t.db.script('TRUNCATE log_queue')
    await keepLog(t.deps)
    expect(await treeHead()).toMatchObject({ size: 0, root: sha256().toString('base64') })
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
    await tamper(forge)
    await open(1)
    await keepLog(t.deps)
    expect((await get('checkpoint')).body).toBe(before)
    expect(await trouble()).toBe('inconsistent')
  })

  it('is never contradicted after the database was brought back in time', async () => {
    const kept = memory()
    const deps = depsWith({ memory: kept })
    await open(2)
    await keepLog(deps)
    await open(2)
    const before = await t.value<number>('SELECT size FROM log_checkpoints')
    await keepLog(deps)
    // What a restore of an older dump does: the last entries and their checkpoint are gone.
    await tamper(`DELETE FROM log_entries WHERE index >= ${before};
      DELETE FROM log_checkpoints WHERE size > ${before}`)
    await keepLog(deps)
    expect(await trouble()).toBe('history_lost')
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
    await keepLog(depsWith({ signer: otherKey }))
    expect((await get('checkpoint')).body).toBe(before)
    expect(await trouble()).toBe('key_changed')
    expect(await t.rows('SELECT * FROM log_queue')).toEqual([])
    await keepLog(depsWith({ signer: undefined }))
    expect((await get('checkpoint')).body).toBe(before)
    await keepLog(t.deps)
    expect((await get('checkpoint')).body).not.toBe(before)
    expect(await trouble()).toBe(null)
  })
})

describe('tiles and entries', () => {
  beforeEach(async () => {
    await open(50)
    await t.db.script(`
      INSERT INTO log_queue (kind, ref, body)
      SELECT 'stock', 'filling ' || n, '{"type":"stock","prizeId":1,"delta":0,"after":' || n || '}'
      FROM generate_series(1, 600) n`)
    await keepLog(t.deps)
  })

  it('are what the checkpoint was made of, and can be kept for ever', async () => {
    const { size, root } = await treeHead()
    const bodies: string[] = []
    const leaves: Buffer[] = []
    for (let index = 0; index * 256 < size; index += 1) {
      const width = Math.min(256, size - index * 256)
      const name = `00${index}${width < 256 ? `.p/${width}` : ''}`
      const bundle = await get(`tile/entries/${name}`)
      const tile = await get(`tile/0/${name}`)
      expect([bundle.statusCode, tile.statusCode]).toEqual([200, 200])
      expect(tile.headers).toMatchObject({
        'content-type': 'application/octet-stream',
        'cache-control': `public, max-age=${width < 256 ? 3600 : 31_536_000}, immutable`,
        'access-control-allow-origin': '*',
      })
      bodies.push(...entriesIn(bundle.rawPayload))
      leaves.push(tile.rawPayload)
    }
    expect(bodies).toHaveLength(size)
    expect(rootOf(bodies).toString('base64')).toBe(root)
    const hashes = bodies.map((body) => sha256(Buffer.of(0), body))
    expect(Buffer.concat(leaves).equals(Buffer.concat(hashes))).toBe(true)
    const above = await get(`tile/1/000.p/${Math.floor(size / 256)}`)
    const full = [bodies.slice(0, 256), bodies.slice(256, 512)]
    expect(above.rawPayload.equals(Buffer.concat(full.map(rootOf)))).toBe(true)
  })

  it('travel compressed to whoever takes them so', async () => {
    const plain = await get('tile/entries/000')
    for (let count = 0; count < 2; count += 1) {
      const small = await get('tile/entries/000', { 'accept-encoding': 'gzip, br' })
      expect(small.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
      expect(small.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3)
    }
    const refused = await get('tile/entries/000', { 'accept-encoding': 'gzip;q=0' })
    expect(refused.headers['content-encoding']).toBeUndefined()
  })

  it('are 404 beyond the end of the tree and 400 for other paths', async () => {
    const { size } = await treeHead()
    const beyond = [`tile/0/002.p/${(size % 256) + 1}`, 'tile/0/003', 'tile/1/000']
    for (const path of [
      ...beyond,
      'tile/2/000.p/1',
      'tile/entries/002',
      'tile/63/000',
      'tile/0/x001/x234/067',
    ]) {
      const answer = await get(path, { origin: 'https://stranger.example.test' })
      expect([path, answer.statusCode, answer.json().code]).toEqual([path, 404, 'not_found'])
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'access-control-allow-origin': '*',
      })
    }
    for (const path of [
      'tile/0/0',
      'tile/64/000',
      'tile/0/000.p/0',
      'tile/x/000',
      'tile/0/x00/1',
    ]) {
      const answer = await get(path)
      expect([path, answer.statusCode, answer.json().code]).toEqual([path, 400, 'invalid_input'])
    }
  })

  it('of a partial width stay as they were when the tree has grown', async () => {
    const { size } = await treeHead()
    const path = `tile/entries/002.p/${size % 256}`
    const before = (await get(path)).rawPayload
    await open(10)
    await keepLog(t.deps)
    expect((await get(path)).rawPayload.equals(before)).toBe(true)
  })

  it('leave everything else below /log unknown', async () => {
    for (const path of ['', 'tiles', 'tile', 'tile/0', 'tile/0/000/a/b/c/d']) {
      const answer = await get(path)
      expect([path, answer.statusCode, answer.json().code]).toEqual([path, 404, 'not_found'])
    }
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
    const [, first = '', extra = '', indexText = '', hashes = '', note = ''] =
      /^(c2sp\.org\/tlog-proof@v1)\nextra ([^\n]+)\nindex (\d+)\n((?:[^\n]+\n)*)\n(.*)$/s.exec(
        proof,
      ) ?? []
    expect(first).toBe('c2sp.org/tlog-proof@v1')
    const { size, root } = opened(note, (await get('key')).body)
    const index = Number(indexText)
    const [entry] = await t.rows<{ body: string }>(
      `SELECT body FROM log_entries WHERE index = ${index}`,
    )
    expect(JSON.parse(entry!.body)).toMatchObject({ type: 'opening', id: request!.id })
    expect(Buffer.from(extra, 'base64').toString()).toBe(entry!.body)
    const path = hashes
      .trim()
      .split('\n')
      .map((line) => Buffer.from(line, 'base64'))
    const walk = (at: number, n: number): Buffer => {
      if (n === 1) return sha256(Buffer.of(0), entry!.body)
      let k = 1
      while (k * 2 < n) k *= 2
      const isLeft = at < k
      const sibling = path.pop()!
      const own = isLeft ? walk(at, k) : walk(at - k, n - k)
      return isLeft ? sha256(Buffer.of(1), own, sibling) : sha256(Buffer.of(1), sibling, own)
    }
    expect(walk(index, size).toString('base64')).toBe(root)
    expect(path).toEqual([])
  })
})

describe('witnesses', () => {
  let witness: ReferenceWitness
  let deps: Deps
  beforeEach(async () => {
    witness = await startWitness('witness.example.test/w1', () => logKeys)
    deps = depsWith({
      witnesses: publicLog({
        ...settings(),
        logWitnesses: [{ verifierKey: witness.vkey, url: witness.url }],
      }).witnesses,
    })
    await open(1)
    await keepLog(t.deps)
    logKeys = [(await get('key')).body.trim()]
  })
  afterEach(() => witness.close())
  let logKeys: string[] = []
  const state = async () =>
    (
      await t.rows<{ seen_size: number; problem: string | null; failures_in_row: number }>(
        'SELECT seen_size, problem, failures_in_row FROM log_witnesses',
      )
    )[0]
  const cosigned = async () =>
    (await treeHead()).lines.filter((line) => line.startsWith('— witness.example.test/w1 ')).length

  it('cosign each checkpoint, and what they say stands in it', async () => {
    for (const quantity of [1, 50, 3]) {
      await open(quantity)
      await keepLog(deps)
      expect(witness.seen()).toBe((await treeHead()).size)
      expect(await cosigned()).toBe(1)
    }
    await keepLog(deps)
    expect(witness.answers).toEqual([200, 200, 200])
    expect(await state()).toMatchObject({ problem: null, failures_in_row: 0 })
  })

  it('say what they have seen, and are asked from there', async () => {
    await keepLog(deps)
    await open(5)
    await t.db.script('UPDATE log_witnesses SET seen_size = 0')
    await keepLog(deps)
    expect(witness.answers).toEqual([200, 409, 200])
    expect(await cosigned()).toBe(1)
  })

  it('that have forgotten everything begin anew', async () => {
    await keepLog(deps)
    witness.forget()
    await open(5)
    await keepLog(deps)
    expect(witness.answers).toEqual([200, 409, 200])
  })

  it.each([
    ['hang', 'It does not answer in time'],
    ['fail', 'It answered 500'],
    ['forge', 'Its answer is no cosignature of its key'],
  ] as const)(
    'that %s block nothing, are told to staff, and asked again later',
    async (way, why) => {
      witness.misbehave(way)
      const before = await treeHead()
      await open(2)
      await keepLog(deps)
      expect((await treeHead()).size).toBeGreaterThan(before.size)
      expect(await cosigned()).toBe(0)
      expect(await state()).toMatchObject({ problem: why, failures_in_row: 1 })
      witness.misbehave(undefined)
      await keepLog(deps)
      expect(await cosigned()).toBe(0)
      t.clock.advance(6)
      await keepLog(deps)
      expect(await cosigned()).toBe(1)
      expect(await state()).toMatchObject({ problem: null, failures_in_row: 0 })
    },
  )

  it('that have seen more of the log than there is are believed by staff', async () => {
    for (let count = 0; count < 9; count += 1) await open(1)
    await keepLog(deps)
    const seen = witness.seen()
    await tamper(`DELETE FROM log_entries WHERE index >= 5; ${forgetSigned}`)
    await keepLog(deps)
    expect((await treeHead()).size).toBe(5)
    expect((await state())?.problem).toBe(
      `It has seen ${seen} entries of this log, which has only 5: its history was lost`,
    )
    expect(await cosigned()).toBe(0)
  })

  it('refuse a log whose history is another one', async () => {
    await keepLog(deps)
    await tamper(`${forge}; ${forgetSigned}`)
    await open(1)
    await keepLog(deps)
    expect((await state())?.problem).toBe('It says that this log is not what it has seen before')
    expect(await cosigned()).toBe(0)
  })
})
