// A stranger's replay agrees with an honest log, and finds each lie.

import { describe, expect, it } from 'vitest'
import { textOf } from './bytes.ts'
import { portableHashing } from './hashing.ts'
import { openCheckpoint, openLogProof } from './notes.ts'
import { Replay } from './replay.ts'
import { honestLog, lies, parts } from './sample-lies.fixture.ts'
import { SampleLog, sampleKey, signedLog } from './sample-log.fixture.ts'
import {
  beginning,
  continues,
  type Followed,
  follow,
  type TileName,
  type TreeEdge,
  treeHashes,
} from './tree.ts'

function replayed(texts: readonly string[]): Replay {
  const replay = new Replay(portableHashing)
  for (const text of texts) replay.take(text)
  return replay
}
const faultsOf = (log: SampleLog) => replayed(log.texts()).faults.map(({ text }) => text)

describe('an honest log', () => {
  it('agrees, and is counted', () => {
    const { faults, counts, size } = replayed(honestLog().texts())
    expect(faults).toEqual([])
    expect(counts).toEqual({
      ...{ openings: 4, packs: 65, wins: 18, soldOut: 28, tables: 1, stockChanges: 1 },
      ...{ chains: 2, ended: 1, givenUp: 0, byServer: 0 },
    })
    expect(size).toBe(9)
  })

  it('can be followed further from what was kept', () => {
    const texts = honestLog().texts()
    for (let cut = 0; cut <= texts.length; cut += 1) {
      const first = replayed(texts.slice(0, cut))
      const second = new Replay(portableHashing, JSON.parse(JSON.stringify(first.state())))
      for (const text of texts.slice(cut)) second.take(text)
      expect(second).toEqual(replayed(texts))
    }
  })

  it('counts ends whose seed was given up', () => {
    const { faults, counts } = replayed(new SampleLog().open(1, 1).end(1, null).texts())
    expect([faults, counts.givenUp]).toEqual([[], 1])
  })

  it('names sold-outs that follow a reduction by staff within ten minutes', () => {
    const after = (minute: string) =>
      replayed(
        new SampleLog().open(1, 1).restock(0).open(2, 1, '12:30').open(1, 20, minute).texts(),
      )
    expect(after('12:40').cutStocks).toMatchObject([{ prizeId: 2 }])
    expect(after('12:41').cutStocks).toEqual([])
    expect(after('12:41').faults).toEqual([])
    const refilled = new SampleLog().restock(1).restock(2).open(1, 20).texts()
    expect(replayed(refilled).cutStocks).toMatchObject([{ prizeId: 2 }])
  })
})

describe('a lie', () => {
  it.each(lies)('is found: %s', (_what, tell, words) => {
    const log = honestLog()
    tell(log)
    expect(faultsOf(log).some((text) => words.test(text))).toBe(true)
  })

  it('is not that a log ends between the parts of a table', () => {
    const log = honestLog()
    for (const part of parts) {
      log.entries.push(part)
      expect(faultsOf(log)).toEqual([])
    }
  })

  it.each(['{"type":"note"}', 'no JSON', '{"type":"reveal","pairId":1}', ''])(
    'is found: the entry %s',
    (text) => {
      const { faults, faultCount } = replayed([...honestLog().texts(), ...Array(21).fill(text)])
      expect(faults[0]).toEqual({ index: 9, text: 'is not one of the six kinds of entries' })
      expect([faults.length, faultCount]).toEqual([20, 21])
    },
  )
})

const hashes = treeHashes(portableHashing)
const key = sampleKey()
const served = (texts: readonly string[]) => {
  const log = signedLog(texts, key)
  return { ...log, load: async (name: TileName) => log.tile(name) }
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
  it('takes entries to the letter, so that none has two spellings', async () => {
    const [entry] = many(1)
    const { texts } = await readAll(served([`\uFEFF${entry}`]))
    expect(replayed(texts).faults).toHaveLength(1)
    expect(textOf(Uint8Array.of(0x41, 0xff))).toBe('')
  })

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
    const proof = log.proof(321)
    expect(await openLogProof(proof, key, hashes)).toEqual({
      ...{ entry: texts[321], index: 321, size: 700, note: log.checkpoint() },
    })
    const lies = [
      ['index 321', 'index 320', 'does not lead'],
      ['extra ', 'extra AAAA', 'does not lead'],
      ['\n700\n', '\n701\n', 'signature under the checkpoint is false'],
      ['tlog-proof@v1', 'tlog-proof@v2', 'cannot be read'],
      [/(index 321\n).+\n/, '$1', 'does not lead'],
      [/(index 321\n)(.{8}).+\n/, '$1$2\n', 'cannot be read'],
    ] as const
    for (const [told, lie, words] of lies) {
      const changed = openLogProof(proof.replace(told, lie), key, hashes)
      await expect(changed).rejects.toThrow(words)
    }
    const other = sampleKey(key.name)
    await expect(openCheckpoint(log.checkpoint(), other)).rejects.toThrow('not signed by the key')
  })
})
