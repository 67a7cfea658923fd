// A stranger's replay agrees with an honest log, and finds each lie.

import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { utf8 } from './bytes.ts'
import { tableHash, tableText } from './draw.ts'
import type { Entry, LogEntry } from './entries.ts'
import { portableHashing } from './hashing.ts'
import {
  checkpointText,
  logProofText,
  openCheckpoint,
  openLogProof,
  signatureLine,
  verifierKey,
} from './notes.ts'
import { Replay } from './replay.ts'
import { commitmentAt, offered, SampleLog, seedHex } from './sample-log.fixture.ts'
import {
  beginning,
  bundleOf,
  continues,
  type Followed,
  follow,
  growTree,
  inclusionRanges,
  rangeRoots,
  rootOfEdge,
  runsOfTiles,
  type TileName,
  type TreeEdge,
  treeHashes,
} from './tree.ts'

const honest = () => new SampleLog().open(1, 20).open(2, 10).open(1, 30).end(1).open(2, 5)
function replayed(texts: readonly string[]): Replay {
  const replay = new Replay(portableHashing)
  for (const text of texts) replay.take(text)
  return replay
}
const faultsOf = (log: SampleLog) => replayed(log.texts()).faults.map(({ text }) => text)

describe('an honest log', () => {
  it('agrees, and is counted', () => {
    const { faults, counts, size } = replayed(honest().texts())
    expect(faults).toEqual([])
    expect(counts).toMatchObject({ openings: 4, packs: 65, chains: 2, ended: 1, givenUp: 0 })
    expect(counts.soldOut).toBeGreaterThan(5)
    expect(size).toBe(9)
  })

  it('can be followed further from what was kept', () => {
    const texts = honest().texts()
    for (let cut = 0; cut <= texts.length; cut += 1) {
      const first = replayed(texts.slice(0, cut))
      const second = new Replay(portableHashing, JSON.parse(JSON.stringify(first.state())))
      for (const text of texts.slice(cut)) second.take(text)
      expect(second.faults).toEqual([])
      expect(second.state()).toEqual(replayed(texts).state())
    }
  })

  it('counts ends whose seed was given up', () => {
    const { faults, counts } = replayed(new SampleLog().open(1, 1).end(1, null).texts())
    expect([faults, counts.givenUp]).toEqual([[], 1])
  })

  it('names sold-outs that follow a reduction by staff within ten minutes', () => {
    const after = (minute: string) =>
      replayed(
        new SampleLog().open(1, 1).restock(0).open(1, 1, '12:30').open(1, 20, minute).texts(),
      )
    expect(after('12:31').cutStocks).toMatchObject([{ prizeId: 2 }])
    expect(after('12:31').faults).toEqual([])
    const isFirstSoldOut = after('12:59').cutStocks.length === 0
    expect(isFirstSoldOut || after('12:59').cutStocks[0]?.at.includes('12:30')).toBe(true)
  })
})

const opening = (log: SampleLog, at: number) =>
  log.entries.filter(({ type }) => type === 'opening')[at] as {
    -readonly [K in keyof Entry<'opening'>]: Entry<'opening'>[K]
  }
const at = (log: SampleLog, type: LogEntry['type']) =>
  log.entries.findIndex((entry) => entry.type === type)

describe('a lie', () => {
  it.each<[string, (log: SampleLog) => unknown, RegExp]>([
    ['another seed', (log) => (opening(log, 0).serverSeed = seedHex(9, 9)), /another seed/],
    ['other entropy', (log) => (opening(log, 0).entropy = 'ab'.repeat(32)), /not what its seed/],
    ['another result', (log) => (opening(log, 0).results = opening(log, 2).results), /not what/],
    [
      'another payment',
      (log) => {
        const { results } = opening(log, 0)
        opening(log, 0).results = results.map(([p, s, left, pay]) => [p, s, left, pay + 1])
      },
      /pays another amount/,
    ],
    [
      'a request left out',
      (log) => log.entries.splice(at(log, 'opening'), 1),
      /comes next|another seed/,
    ],
    [
      'a repeated index',
      (log) => log.entries.push(opening(log, 3)),
      /where 2 comes next|committed to before/,
    ],
    ['no chain', (log) => log.entries.splice(at(log, 'chain'), 1), /not open/],
    ['a chain twice', (log) => log.entries.push(log.entries[at(log, 'chain')]!), /second time/],
    [
      'a commitment of another chain',
      (log) => log.entries.push({ type: 'chain', chainId: 7, commitment: commitmentAt(2, 0) }),
      /committed to before/,
    ],
    [
      'a seed used twice',
      (log) => (opening(log, 1).next = commitmentAt(1, 1)),
      /committed to before/,
    ],
    ['a draw after the end', (log) => log.end(2).open(2, 1), /not open/],
    [
      'an end at another place',
      (log) => log.entries.push({ type: 'end', chainId: 2, index: 1, serverSeed: seedHex(2, 1) }),
      /does not stand/,
    ],
    ['an end with another seed', (log) => log.end(2, seedHex(9, 9)), /ends chain 2 with another/],
    ['no table', (log) => log.entries.splice(at(log, 'table'), 1), /not in the log before/],
    ['a table twice', (log) => log.entries.push(log.entries[at(log, 'table')]!), /second time/],
    [
      'a table under another hash',
      (log) => log.entries.push({ type: 'table', tableHash: '0'.repeat(64), table: offered }),
      /hash does not name/,
    ],
    [
      'the table of another pack type',
      (log) => {
        const other = { ...offered, packTypeId: 2 }
        const hash = tableHash(tableText(other), portableHashing)
        log.entries.push({ type: 'table', tableHash: hash, table: other })
        log.open(2, 1)
        opening(log, 4).tableHash = hash
      },
      /another pack type/,
    ],
    [
      'a stock that does not follow',
      (log) => log.entries.push({ type: 'stock', prizeId: 2, delta: 1, after: 9 }),
      /changes the stock/,
    ],
    [
      'sold out while some are left',
      (log) =>
        log.entries.splice(at(log, 'chain') + 1, 0, {
          type: 'stock',
          prizeId: 2,
          delta: 50,
          after: 53,
        }),
      /of which 53 were there/,
    ],
    ['a stock that nobody told', (log) => log.entries.splice(0, 1), /nobody was told/],
    [
      'something between a chain and its first opening',
      (log) =>
        log.entries.splice(at(log, 'chain') + 1, 0, {
          ...{ type: 'stock', prizeId: 1, delta: 0, after: null },
        }),
      /first opening of chain 1 has to follow/,
    ],
    [
      'a chain between a chain and its first opening',
      (log) => {
        const [chain] = log.entries.splice(4, 1)
        expect(chain?.type).toBe('chain')
        log.entries.splice(at(log, 'chain') + 1, 0, ...(chain ? [chain] : []))
      },
      /first opening of chain 1 has to follow/,
    ],
    [
      'a first stock that is not its change',
      (log) => log.entries.push({ type: 'stock', prizeId: 3, delta: 1, after: 4 }),
      /changes the stock of prize 3 from 0 by 1 to 4/,
    ],
    [
      'the end of a limit that takes another number',
      (log) => log.entries.push({ type: 'stock', prizeId: 2, delta: -1, after: null }),
      /changes the stock of prize 2 from 0 by -1/,
    ],
    [
      'a limited prize whose stock has no limit',
      (log) => {
        log.entries.splice(at(log, 'chain'), 0, {
          ...{ type: 'stock', prizeId: 2, delta: -3, after: null },
        })
      },
      /nobody was told how many/,
    ],
  ])('is found: %s', (_what, lie, words) => {
    const log = honest()
    expect(faultsOf(log)).toEqual([])
    lie(log)
    expect(faultsOf(log).some((text) => words.test(text))).toBe(true)
  })

  const long = { ...offered, packTypeId: 3 }
  const longHash = tableHash(tableText(long), portableHashing)
  const texts = [1, 2, 3].map((part) => tableText(long).slice((part - 1) * 99, part * 99))
  texts[2] += tableText(long).slice(297)
  const piece = (part: number, parts = 3, hash = longHash): LogEntry => ({
    ...{ type: 'table', tableHash: hash, part, parts, text: texts[part - 1] ?? '' },
  })
  const stock: LogEntry = { type: 'stock', prizeId: 1, delta: 0, after: null }

  it('may not come between the parts of a table, which a log may end between', () => {
    const log = new SampleLog()
    log.entries.push(piece(1), piece(2))
    expect(faultsOf(log)).toEqual([])
    log.entries.push(piece(3), stock)
    expect(faultsOf(log)).toEqual([])
  })

  it.each<[string, LogEntry[], RegExp]>([
    [
      'another entry between parts',
      [piece(1), stock, piece(2), piece(3)],
      /part 2 .* has to follow/,
    ],
    ['a part left out', [piece(1), piece(3)], /part 2 .* has to follow/],
    ['a part twice', [piece(1), piece(1), piece(2)], /part 2 .* has to follow/],
    ['no first part', [piece(2), piece(3)], /out of its order/],
    ['another number of parts', [piece(1), piece(2, 4)], /part 2 .* has to follow/],
    ['another table between', [piece(1), piece(1, 3, '0'.repeat(64))], /has to follow/],
  ])('is found: %s', (_what, entries, words) => {
    const log = new SampleLog()
    log.entries.push(...entries)
    expect(faultsOf(log).some((text) => words.test(text))).toBe(true)
  })

  it.each(['{"type":"note"}', 'no JSON', '{"type":"reveal","pairId":1}', ''])(
    'is found: the entry %s',
    (text) => {
      expect(replayed([...honest().texts(), text]).faults).toEqual([
        { index: 9, text: 'is not one of the six kinds of entries' },
      ])
    },
  )
})

const hashes = treeHashes(portableHashing)
const { leafHash, nodeHash } = hashes
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const rawKey = Uint8Array.from(publicKey.export({ type: 'spki', format: 'der' }).subarray(-32))
const key = verifierKey('packs.example/log', 1, rawKey, portableHashing.sha256)

/** What a server of this log serves. */
function served(texts: readonly string[]) {
  const entries = texts.map(utf8)
  const leaves = entries.map(leafHash)
  const grown = growTree(0, [], leaves, nodeHash)
  const root = rootOfEdge(grown.edge, hashes)
  const text = checkpointText({ origin: key.name, size: texts.length, root })
  const note = `${text}\n${signatureLine(key, sign(null, utf8(text), privateKey))}`
  const load = async ({ level, index, width }: TileName): Promise<Uint8Array> => {
    if (level === 'entries') return bundleOf(entries.slice(index * 256, index * 256 + width))
    const row =
      level === 0
        ? leaves
        : grown.subtrees.filter((each) => each.level === level).map(({ hash }) => hash)
    return Buffer.concat(row.slice(index * 256, index * 256 + width))
  }
  return { head: { size: texts.length, root }, note, load }
}
const many = (count: number) =>
  Array.from({ length: count }, (_, n) => `{"type":"stock","prizeId":1,"delta":0,"after":${n}}`)
const readAll = async (log: ReturnType<typeof served>, from: Followed = beginning) => {
  const texts: string[] = []
  let reached = from
  for await (const step of follow(log.head, from, log.load, hashes)) {
    texts.push(...step.entries)
    reached = step.reached
  }
  return { texts, reached }
}

describe('following a log', () => {
  it('reads every entry once, also from where an earlier reading came to', async () => {
    const first = await readAll(served(many(300)))
    expect(first.texts).toEqual(many(300))
    const { texts } = await readAll(served(many(777)), first.reached)
    expect(texts).toEqual(many(777).slice(300))
    expect((await readAll(served([]))).texts).toEqual([])
  })

  it('finds entries that are not those that were signed', async () => {
    const log = served(many(300))
    const other = served([...many(299), 'x'])
    await expect(readAll({ ...log, load: other.load })).rejects.toThrow('do not give the root')
    const kept: TreeEdge = (await readAll(other)).reached.edge
    await expect(readAll(served(many(400)), { size: 300, edge: kept })).rejects.toThrow('root')
    await expect(readAll(log, { size: 301, edge: [] })).rejects.toThrow('shorter')
  })

  it('finds a fork between what two readers were shown', async () => {
    const log = served(many(900))
    for (const size of [1, 255, 256, 257, 600, 900]) {
      const before = served(many(size)).head
      expect(await continues(before, log.head, log.load, hashes)).toBe(true)
      const fork = served([...many(size - 1), 'x']).head
      expect(await continues(fork, log.head, log.load, hashes)).toBe(false)
    }
    expect(await continues(served(many(901)).head, log.head, log.load, hashes)).toBe(false)
  })
})

describe('the proof of an entry', () => {
  it('leads to the signed checkpoint, and is none once anything of it is changed', async () => {
    const texts = many(700)
    const log = served(texts)
    const path = await rangeRoots(inclusionRanges(321, 700), runsOfTiles(700, log.load), hashes)
    const proof = logProofText({ index: 321, entry: utf8(texts[321]!) }, path, log.note)
    expect(await openLogProof(proof, key, hashes)).toEqual({
      ...{ entry: texts[321], index: 321, size: 700, note: log.note },
    })
    const lies = [
      proof.replace('index 321', 'index 320'),
      proof.replace('extra ', 'extra AAAA'),
      proof.replace('\n700\n', '\n701\n'),
      proof.replace('tlog-proof@v1', 'tlog-proof@v2'),
      logProofText({ index: 321, entry: utf8(texts[321]!) }, path.slice(1), log.note),
    ]
    for (const lie of lies) {
      await expect(openLogProof(lie, key, hashes)).rejects.toThrow(/log|checkpoint/)
    }
    const other = verifierKey(
      'packs.example/log',
      1,
      Uint8Array.from({ length: 32 }),
      portableHashing.sha256,
    )
    await expect(openCheckpoint(log.note, other)).rejects.toThrow('not signed by the key')
  })
})
