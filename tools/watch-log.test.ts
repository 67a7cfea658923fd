// The watcher against the product, and against a log that lies in every way it can.

import { createHash, createHmac, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keepLog } from '../server/src/features/fairness/keep-log.ts'
import { useListeningServer } from '../server/test/listening-server.ts'
import { endWatching, watch, watchAsStranger } from './watch-log-runs.ts'

const folder = mkdtempSync(join(tmpdir(), 'redpack-watch-'))
afterAll(async () => {
  await endWatching()
  rmSync(folder, { recursive: true, force: true })
})

let states = 0
const newState = () => {
  states += 1
  return join(folder, `state-${states}.json`)
}

const evidenceOf = (state: string): string[] =>
  readdirSync(folder)
    .filter((name) => join(folder, name).startsWith(`${state.replace(/\.json$/, '')}.evidence`))
    .map((name) => readFileSync(join(folder, name), 'utf8'))

const sha256 = (...parts: (Buffer | string)[]) =>
  createHash('sha256')
    .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
    .digest()
const hex = (value: Buffer | string) => sha256(value).toString('hex')

describe('the log of the product', () => {
  const w = useListeningServer({ SEED_DEMO: 'off' })

  it('is found right, from its first entry on and then from where it was left', async () => {
    const { t } = w
    const gold = await t.packType('Gold')
    const share = { packTypeIds: [gold], winFrequency: 1, totalPacks: 4 }
    const cap = await t.prize('Größe "L" Cap', { ...share, stock: 30 })
    await t.prize('Coins', { ...share, redCoinAmount: 40 })
    const boss = await t.person('boss', { role: 'admin' })
    const people = await Promise.all(
      ['ana', 'ben', 'cem'].map((name) => t.person(name, { packs: { [gold]: 1000 } })),
    )
    const state = newState()
    const round = async () => {
      for (const person of people) {
        for (const quantity of [50, 7, 1]) {
          const opened = await person.send('POST', '/api/packs/open', {
            packTypeId: gold,
            quantity,
          })
          expect(opened.statusCode, opened.body).toBe(200)
        }
        await person.send('POST', '/api/fairness/rotate', {})
      }
      await keepLog(t.deps)
    }
    await round()
    const first = await watchAsStranger(w.origin, state)
    expect(first).toMatchObject({ code: 0, alarm: '' })
    expect(first.out).toMatch(/174 packs opened from 9 seed pairs; 3 pairs are revealed and 174 /)
    for (const quantity of [null, 0, 25]) {
      await boss.send('POST', `/api/admin/prizes/${cap}/set-inventory`, { quantity })
      await round()
    }
    const second = await watchAsStranger(`${w.origin}/log/`, state)
    expect(second).toMatchObject({ code: 0, alarm: '' })
    expect(second.out).toMatch(/696 packs .* 12 pairs are revealed and 696 packs were drawn again/)
    const third = await watchAsStranger(w.origin, state)
    expect(third.out).toMatch(/\(0 new\)/)
    expect(await watchAsStranger(w.origin, newState())).toMatchObject({ code: 0, alarm: '' })
    expect(evidenceOf(state)).toEqual([])
  }, 120_000)
})

/** A log in memory, built without the product's code, that can be told to lie. */
class FakeLog {
  entries: string[] = []
  origin = 'fake.example.test/log'
  seed = '07'.repeat(32)
  served = (path: string): Buffer | undefined => this.honest(path)
  readonly server: Server
  url = ''

  constructor() {
    this.server = createServer((request, response) => {
      const body = this.served((request.url ?? '').replace('/log/', ''))
      response.writeHead(body === undefined ? 404 : 200)
      response.end(body)
    })
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/log`
  }

  private key() {
    const head = Buffer.from('302e020100300506032b657004220420', 'hex')
    const der = Buffer.concat([head, Buffer.from(this.seed, 'hex')])
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    const raw = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(12)
    const bytes = Buffer.concat([Buffer.of(1), raw])
    return { key, bytes, id: sha256(`${this.origin}\n`, bytes).subarray(0, 4) }
  }

  vkey(): string {
    const { bytes, id } = this.key()
    return `${this.origin}+${id.toString('hex')}+${bytes.toString('base64')}`
  }

  checkpoint(entries = this.entries): string {
    const { key, id } = this.key()
    const text = `${this.origin}\n${entries.length}\n${rootOf(entries).toString('base64')}\n`
    const signature = Buffer.concat([id, sign(null, Buffer.from(text), key)])
    return `${text}\n— ${this.origin} ${signature.toString('base64')}\n`
  }

  honest(path: string, entries = this.entries): Buffer | undefined {
    if (path === 'key') return Buffer.from(`${this.vkey()}\n`)
    if (path === 'checkpoint') return Buffer.from(this.checkpoint(entries))
    const [, level, index, width] = /^tile\/(entries|0)\/(\d{3})(?:\.p\/(\d+))?$/.exec(path) ?? []
    if (level === undefined) return undefined
    const first = Number(index) * 256
    const found = entries.slice(first, first + Number(width ?? 256))
    if (found.length !== Number(width ?? 256)) return undefined
    if (level === '0') return Buffer.concat(found.map((entry) => sha256(Buffer.of(0), entry)))
    return Buffer.concat(
      found.flatMap((entry) => {
        const bytes = Buffer.from(entry)
        return [Buffer.of(bytes.length >> 8, bytes.length & 255), bytes]
      }),
    )
  }

  add(entry: object): void {
    this.entries.push(JSON.stringify(entry))
  }
}

function rootOf(entries: readonly string[]): Buffer {
  if (entries.length === 0) return sha256()
  let row = entries.map((entry) => sha256(Buffer.of(0), entry))
  while (row.length > 1) {
    row = row.flatMap((left, at) => {
      const right = row[at + 1]
      if (at % 2 === 1) return []
      return [right === undefined ? left : sha256(Buffer.of(1), left, right)]
    })
  }
  return row[0] as Buffer
}

const table = JSON.stringify({
  packTypeId: 1,
  consolationRedCoin: 5,
  entries: [
    prize(1, { redCoinAmount: 0, limited: true }),
    prize(2, { redCoinAmount: 70, limited: false }),
  ],
})
const tableHash = hex(table)
function prize(prizeId: number, more: object) {
  return {
    prizeId,
    name: `Prize ${prizeId}`,
    winFrequency: 1,
    totalPacks: 4,
    redCoinAmount: 0,
    rewardPackTypeId: null,
    rewardPackQuantity: 0,
    limited: false,
    ...more,
  }
}
const serverSeed = 'ab'.repeat(32)
const commitment = (pairId = 1, seed = serverSeed) => ({
  type: 'commitment',
  pairId,
  serverSeedHash: hex(Buffer.from(seed, 'hex')),
})
const published = { type: 'table', tableHash, table: JSON.parse(table) }
const stocked = { type: 'stock', prizeId: 1, delta: 1000, after: 1000 }
const revealed = { type: 'reveal', pairId: 1, serverSeed, clientSeed: 'mine' }

/** Honest openings of pair 1; a quarter of the rolls draw prize 1, the next quarter prize 2. */
function openings(count: number, stock = 1000) {
  let left = stock
  return Array.from({ length: count }, (_, nonce) => {
    const digest = createHmac('sha256', Buffer.from(serverSeed, 'hex'))
      .update(`mine:${nonce}:${tableHash}`)
      .digest('hex')
    const drawn = Math.floor((Number.parseInt(digest.slice(0, 13), 16) / 2 ** 52) * 4) + 1
    const isSoldOut = drawn === 1 && left === 0
    if (drawn === 1 && left > 0) left -= 1
    return {
      type: 'opening',
      id: nonce + 1,
      at: '2026-11-21T12:00:00.000Z',
      packTypeId: 1,
      tableHash,
      pairId: 1,
      nonce,
      clientSeedHash: hex('mine'),
      prizeId: drawn > 2 || isSoldOut ? null : drawn,
      soldOutPrizeId: isSoldOut ? 1 : null,
      stockAfter: drawn === 1 ? left : null,
      redCoinEarned: isSoldOut || drawn > 2 ? 5 : drawn === 1 ? 0 : 70,
    }
  })
}

describe('a log that lies', () => {
  let log: FakeLog
  beforeEach(async () => {
    log = new FakeLog()
    await log.start()
  })
  afterEach(
    () =>
      new Promise<void>((resolve) => {
        log.server.closeAllConnections()
        log.server.close(() => resolve())
      }),
  )
  const fill = (...entries: object[]) => {
    for (const entry of entries) log.add(entry)
  }

  it('is not found where there is none, and many tiles are read in order', async () => {
    fill(commitment(), published, stocked, ...openings(1500), revealed)
    const found = await watch(log.url, newState())
    expect(found).toMatchObject({ code: 0, alarm: '' })
    expect(found.out).toMatch(/1500 packs opened from 1 seed pairs; 1 pairs .* 1500 packs were/)
  })

  it('tells the sold-out apart from the won', async () => {
    fill(commitment(), published, { ...stocked, delta: 3, after: 3 }, ...openings(40, 3), revealed)
    expect(await watch(log.url, newState())).toMatchObject({ code: 0, alarm: '' })
  })

  /** The chain of the log before, over packs of pair 1 by scheme 1. */
  function carried(count: number, change: (at: number, fields: object) => object) {
    let previousHash = '0'.repeat(64)
    return Array.from({ length: count }, (_, at) => {
      const prizeIds = [0, 1].map((offset) => {
        const digest = createHmac('sha256', Buffer.from(serverSeed, 'hex'))
          .update(`mine:${at * 2 + offset}`)
          .digest('hex')
        const drawn = Math.floor((Number.parseInt(digest.slice(0, 13), 16) / 2 ** 52) * 4) + 1
        return drawn > 2 ? null : drawn
      })
      const position = at + 1
      const fields = change(at, {
        position,
        openingRequestAt: '2026-11-20T12:00:00.000Z',
        packTypeId: 1,
        tableHash,
        serverSeedHash: commitment().serverSeedHash,
        firstNonce: at * 2,
        quantity: 2,
        prizeIds,
        previousHash,
      })
      const body = JSON.stringify(fields)
      previousHash = hex(body)
      return { type: 'carried', position, body, hash: previousHash }
    })
  }
  const first = { ...commitment(), scheme: 1 }

  it('may begin with the log before it, whose packs are drawn again too', async () => {
    fill(first, published, ...carried(20, (_at, fields) => fields), revealed)
    const found = await watch(log.url, newState())
    expect(found).toMatchObject({ code: 0, alarm: '' })
    expect(found.out).toMatch(/40 packs opened .* 40 packs were drawn again/)
    fill(commitment(2, 'cd'.repeat(32)))
    expect((await watch(log.url, newState())).code).toBe(0)
  })

  it.each<[string, () => object[], RegExp]>([
    [
      'a link of the log before that was exchanged',
      () => {
        const all = carried(3, (_at, fields) => fields)
        const [other] = carried(1, (_at, fields) => ({ ...fields, packTypeId: 2 }))
        return [first, published, other!, ...all.slice(1)]
      },
      /a carried entry does not follow from the one before/,
    ],
    [
      'a draw of the log before that was forged',
      () => {
        const forge = (at: number, fields: object) =>
          at === 1 ? { ...fields, prizeIds: [1, 1] } : fields
        return [first, published, ...carried(9, forge), revealed]
      },
      /WRONG DRAW: pack \d of seed pair 1 gave prize 1/,
    ],
    [
      'a seed that was exchanged',
      () => [commitment(1, 'cd'.repeat(32)), published, stocked, ...openings(3), revealed],
      /SEED EXCHANGED: seed pair 1 reveals another seed/,
    ],
    [
      'a draw that was forged',
      () => {
        const all = openings(30)
        const at = all.findIndex(({ prizeId }) => prizeId === 2)
        const forged = { ...all[at], prizeId: null, redCoinEarned: 5 }
        const told = all.map((one, index) => (index === at ? forged : one))
        return [commitment(), published, stocked, ...told, revealed]
      },
      /WRONG DRAW: pack \d+ of seed pair 1 gave no prize where .* give prize 2/,
    ],
    [
      'a pack that was left out',
      () => [commitment(), published, stocked, ...openings(9).toSpliced(4, 1), revealed],
      /the pack of seed pair 1 is number 5 where 4 comes next/,
    ],
    [
      'a draw before its commitment',
      () => [published, stocked, ...openings(1), commitment()],
      /seed pair 1 was drawn from before it was committed to/,
    ],
    [
      'a draw after its reveal',
      () => [commitment(), published, stocked, revealed, ...openings(1)],
      /seed pair 1 was drawn from after it was revealed/,
    ],
    [
      'a draw with a table that was not published',
      () => [commitment(), stocked, ...openings(1)],
      /its odds table was not published before/,
    ],
    [
      'a table under the hash of another',
      () => [{ ...published, table: { ...published.table, consolationRedCoin: 6 } }],
      /the odds table does not have the hash it is named by/,
    ],
    [
      'a prize won more often than it was there',
      () => [commitment(), published, { ...stocked, delta: 2, after: 2 }, ...openings(60, 60)],
      /prize 1 was won more often than its published stock/,
    ],
    [
      'a prize called sold out that was not',
      () => [commitment(), published, stocked, ...openings(60, 0)],
      /prize 1 was called sold out while 1000 were left/,
    ],
    [
      'a stock that was never published',
      () => [commitment(), published, ...openings(60)],
      /the stock of prize 1 was not published/,
    ],
    [
      'a stock that jumps',
      () => [stocked, { type: 'stock', prizeId: 1, delta: 1, after: 1002 }],
      /prize 1 had 1000, which does not become 1002 by 1/,
    ],
    [
      'a commitment that is made twice',
      () => [commitment(), commitment(1, 'cd'.repeat(32))],
      /seed pair 1 was committed to before/,
    ],
    [
      'a client seed that changes under way',
      () => {
        const [first, second] = openings(2)
        return [commitment(), published, stocked, first!, { ...second, clientSeedHash: hex('x') }]
      },
      /seed pair 1 was drawn from with two client seeds/,
    ],
    [
      'too little paid',
      () => {
        const lost = openings(9).find(({ redCoinEarned }) => redCoinEarned === 5)
        return [commitment(), published, stocked, { ...lost, nonce: 0, redCoinEarned: 4 }]
      },
      /it paid 4 RedCoin where its odds table says 5/,
    ],
    ['an entry of no type', () => [{ type: 'thanks' }], /it is of no known type/],
  ])('is caught: %s', async (_what, entries, why) => {
    fill(...entries())
    const state = newState()
    const caught = await watch(log.url, state)
    expect(caught.alarm).toMatch(why)
    expect(caught.code).toBe(1)
    expect(evidenceOf(state)[0]).toMatch(why)
    // It is not forgotten by looking again.
    expect(await watch(log.url, state)).toMatchObject({ code: 1 })
  })

  it('is caught when an old entry changes, and both checkpoints are kept', async () => {
    fill(commitment(), published, stocked, ...openings(300))
    const state = newState()
    expect((await watch(log.url, state)).code).toBe(0)
    const before = log.checkpoint()
    log.entries[0] = JSON.stringify(commitment(1, 'cd'.repeat(32)))
    fill(...openings(310).slice(300))
    const caught = await watch(log.url, state)
    expect(caught.code).toBe(1)
    expect(caught.alarm).toMatch(/HISTORY WAS CHANGED: the log with 313 entries does not begin/)
    const evidence = JSON.parse(evidenceOf(state)[0] ?? '')
    expect(evidence).toMatchObject({ remembered: before, found: log.checkpoint() })
    // Going back to the old story does not make it good.
    expect(JSON.parse(readFileSync(state, 'utf8')).checkpoint).toBe(before)
  })

  it('is caught when entries vanish', async () => {
    fill(commitment(), published, stocked, ...openings(20))
    const state = newState()
    await watch(log.url, state)
    log.entries.length = 10
    const caught = await watch(log.url, state)
    expect(caught.code).toBe(1)
    expect(caught.alarm).toMatch(/HISTORY WAS CHANGED: the log had 23 entries and now has 10/)
  }, 20_000)

  it('is caught when two stories have one length', async () => {
    fill(commitment(), published)
    const state = newState()
    await watch(log.url, state)
    log.entries[1] = JSON.stringify(stocked)
    expect((await watch(log.url, state)).alarm).toMatch(/HISTORY WAS CHANGED/)
  })

  it('is caught when an entry is served that is not in the tree', async () => {
    fill(commitment(), published, stocked, ...openings(600))
    const other = [...log.entries]
    other[400] = JSON.stringify(stocked)
    log.served = (path) => log.honest(path, path.includes('entries') ? other : log.entries)
    const caught = await watch(log.url, newState())
    expect(caught.alarm).toMatch(/Entry 400 is served with a text whose hash is not the one/)
    expect(caught.code).toBe(1)
  })

  it('is caught when it is signed by another key, which can be accepted', async () => {
    fill(commitment())
    const state = newState()
    await watch(log.url, state)
    log.seed = '08'.repeat(32)
    const caught = await watch(log.url, state)
    expect(caught.code).toBe(1)
    expect(caught.alarm).toMatch(/The log says that its key is fake\.example\.test/)
    expect((await watch(log.url, state, '--key', log.vkey())).code).toBe(0)
    expect((await watch(log.url, state)).code).toBe(0)
    expect((await watch(log.url, newState(), '--key', log.vkey())).code).toBe(0)
  })

  it('is caught when the checkpoint is not signed', async () => {
    fill(commitment())
    const forged = log.checkpoint().replace(/\n1\n/, '\n2\n')
    log.served = (path) => (path === 'checkpoint' ? Buffer.from(forged) : log.honest(path))
    const caught = await watch(log.url, newState())
    expect(caught).toMatchObject({ code: 1 })
    expect(caught.alarm).toMatch(/The checkpoint is not signed by the key/)
  })

  it('is not accused when it cannot be reached', async () => {
    log.served = () => undefined
    expect(await watch(log.url, newState())).toMatchObject({ code: 2 })
    expect(await watch('nonsense', newState())).toMatchObject({ code: 2 })
  })
})
