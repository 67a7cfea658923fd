// A second implementation of the draw, in Python and written from docs/economy.md alone, replays
// more than 1,000 openings from the public log, and agrees about every one. Then the log lies.
// Needs python3, 3.9 or later; where there is none these tests are skipped, and say so.

import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { tableText, thresholdsOf } from '@redpack/fair/draw'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../src/adapters/db/database.ts'
import { createScheduler } from '../src/adapters/jobs/scheduler.ts'
import { productJobs } from '../src/jobs.ts'
import { createTestDeps } from './deps.ts'
import { freePort } from './product-process.ts'
import { entriesAt, whileServed } from './second-implementation/doctored-log.ts'
import { playHistory } from './second-implementation/played-history.ts'
import { embeddedTestDatabase, isPostgresReachable, postgresTestDatabase } from './test-database.ts'

const program = fileURLToPath(new URL('second-implementation/replay.py', import.meta.url))
const tooOld = 'import sys; sys.exit(sys.version_info < (3, 9))'
const hasPython = spawnSync('python3', ['-c', tooOld]).status === 0
const title = hasPython
  ? 'a second implementation, in Python'
  : 'a second implementation, in Python (skipped: there is no python3 of 3.9 or later here)'

interface Replayed {
  readonly exitCode: number
  readonly draws: number
  readonly wins: number
  readonly soldOut: number
  readonly tables: number
  readonly scaledTables: number
  readonly chains: number
  readonly ended: number
  readonly byServer: number
  readonly shipments: number
  readonly steps: number
  readonly problems: readonly string[]
}

const anyAmount = fc.oneof(fc.nat(12), fc.nat(2 ** 31 - 1), fc.constant(2 ** 53 - 1))
const anyCount = fc.oneof(
  fc.integer({ min: 1, max: 12 }),
  fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  fc.constantFrom(2 ** 30, 1_000_000, 999_999, 2 ** 31 - 1),
)
const anyTable = fc
  .record({
    packTypeId: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
    consolationRedCoin: anyAmount,
    entries: fc.array(
      fc.record({
        prizeId: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
        name: fc.string({ unit: 'binary' }),
        winFrequency: anyCount,
        totalPacks: anyCount,
        redCoinAmount: anyAmount,
        rewardPackTypeId: fc.constantFrom(null, 1, 2 ** 31 - 1),
        rewardPackQuantity: fc.nat(3),
        limited: fc.boolean(),
      }),
    ),
  })
  .map(({ entries, ...table }) => {
    const byId = new Map(entries.map((entry) => [entry.prizeId, entry]))
    return { ...table, entries: [...byId.values()].sort((a, b) => a.prizeId - b.prizeId) }
  })

/** Runs the program against a log, as anybody would. */
function replay(origin: string): Promise<Replayed> {
  // A proxy of the machine has no part in this.
  const env = { ...process.env, no_proxy: '*' }
  return new Promise((resolve, reject) => {
    execFile(
      'python3',
      ['-B', program, origin],
      { env, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (stdout === '') return reject(new Error(stderr, { cause: error }))
        const exitCode = error === null ? 0 : Number(error.code)
        resolve({ exitCode, ...JSON.parse(stdout) })
      },
    )
  })
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const replayOf = (texts: readonly string[]) => whileServed(texts, replay)

/** Plays a history on the database; answers what the program and the log say of it. */
async function playedOn(db: Database) {
  const port = await freePort()
  const t = await createTestDeps(db, { PORT: String(port) })
  try {
    const origin = `http://127.0.0.1:${port}`
    await t.app.listen({ port, host: '127.0.0.1' })
    const scheduler = createScheduler(t.deps, productJobs())
    const told = await playHistory(t, async () => {
      for (let times = 0; times < 3; times += 1) {
        t.clock.advance(61)
        await scheduler.runDueJobs()
      }
    })
    return { told, honest: await replay(origin), texts: await entriesAt(origin) }
  } finally {
    await t.app.close()
  }
}

async function embeddedOne() {
  const db = await embeddedTestDatabase()
  return { db, drop: () => db.close() }
}

type Played = Awaited<ReturnType<typeof playedOn>>

type Result = [
  prizeId: number | null,
  soldOutPrizeId: number | null,
  left: number | null,
  paid: number,
]

interface Entry {
  readonly type: string
  readonly chainId: number
  readonly index: number
  readonly commitment: string
  readonly serverSeed: string
  readonly entropy: string
  readonly next: string
  readonly tableHash: string
  readonly results: readonly Result[]
  readonly table?: {
    readonly consolationRedCoin: number
    readonly entries: ReadonlyArray<{
      readonly prizeId: number
      readonly redCoinAmount: number
      readonly limited: boolean
    }>
  }
  readonly parts?: number
  readonly step?: string
}
const entriesOf = (texts: readonly string[]) => texts.map((text) => JSON.parse(text) as Entry)

describe.skipIf(!hasPython)(title, () => {
  let played: Played
  let texts: readonly string[]
  let entries: readonly Entry[]

  beforeAll(async () => {
    // Only there do calls truly overlap.
    const { db, drop } = (await isPostgresReachable())
      ? await postgresTestDatabase()
      : await embeddedOne()
    played = await playedOn(db).finally(drop)
    texts = played.texts
    entries = entriesOf(texts)
  }, 240_000)

  const contextOf = (is: (entry: Entry, index: number) => boolean): number => {
    const index = entries.findIndex(is)
    expect(index).toBeGreaterThanOrEqual(0)
    return index
  }
  const changed = (index: number, fields: Record<string, unknown>) =>
    texts.with(index, JSON.stringify({ ...entries[index], ...fields }))
  const tableOf = (hash: string) =>
    entries.find(({ type, tableHash, table }) => type === 'table' && tableHash === hash && table)
      ?.table
  /** The first opening with a pack of this kind, and the place of the pack. */
  const packWhere = (is: (result: Result, entry: Entry) => boolean): [number, number] => {
    const index = contextOf(({ type, results }, at) => {
      return type === 'opening' && results.some((result) => is(result, entries[at]!))
    })
    return [index, entries[index]!.results.findIndex((result) => is(result, entries[index]!))]
  }
  /** A losing pack of a table with a prize that cannot run out. */
  const losingPack = () =>
    packWhere(
      ([won, soldOut], { tableHash }) =>
        won === null &&
        soldOut === null &&
        (tableOf(tableHash)?.entries.some(({ limited }) => !limited) ?? false),
    )
  const withResult = (index: number, at: number, result: Result) =>
    changed(index, { results: entries[index]!.results.with(at, result) })

  /** The lie is told: exit 1, and one of the sentences is the expected one. */
  async function expectFound(lie: readonly string[], sentence: RegExp): Promise<Replayed> {
    const found = await replayOf(lie)
    expect(found.exitCode).toBe(1)
    expect(found.problems.filter((problem) => sentence.test(problem))).not.toEqual([])
    return found
  }
  const rollDisagrees = /^entry \d+: pack \d+: the roll \d+ draws .+, and the log says /

  it('agrees about hash and thresholds of any table, to the last unit', () => {
    const tables = fc.sample(anyTable, 1_000)
    const input = tables.map((table) => `${JSON.stringify(table)}\n`).join('')
    const options = { input, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const
    const { stdout, stderr } = spawnSync('python3', ['-B', program, '--tables'], options)
    expect(stderr).toBe('')
    const answers = stdout.trimEnd().split('\n')
    expect(answers.map((line) => JSON.parse(line))).toEqual(
      tables.map((table) => ({
        tableHash: sha256(tableText(table)),
        thresholds: thresholdsOf(table.entries),
      })),
    )
  }, 60_000)

  it('agrees about every draw of a history of all kinds', () => {
    const { told, honest } = played
    expect(honest.problems).toEqual([])
    expect(honest).toMatchObject({ exitCode: 0, draws: told.draws, wins: told.wins })
    expect(honest.draws).toBeGreaterThanOrEqual(1_000)
    for (const count of [honest.soldOut, honest.byServer]) expect(count).toBeGreaterThan(0)
    expect(honest.tables).toBeGreaterThanOrEqual(10)
    expect(honest.scaledTables).toBeGreaterThanOrEqual(2)
    expect([honest.chains, honest.ended]).toEqual([14, 8])
    expect(honest.steps).toBeGreaterThan(honest.shipments + 9)
    expect(entries.some(({ parts }) => parts !== undefined && parts > 1)).toBe(true)
  })

  it('reads a served copy as it reads the log itself', async () => {
    expect(await replayOf(texts)).toEqual(played.honest)
  })

  it('finds a losing pack that was turned into a win', async () => {
    const [index, at] = losingPack()
    const { prizeId, redCoinAmount } = tableOf(entries[index]!.tableHash)!.entries.find(
      (one) => !one.limited,
    )!
    const lie = withResult(index, at, [prizeId, null, null, redCoinAmount])
    const { problems } = await expectFound(lie, rollDisagrees)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(`draws nothing, and the log says prize ${prizeId}`)
  })

  it('finds a prize said to be sold out while some was left', async () => {
    const [index, at] = packWhere(([won, , left]) => won !== null && left !== null && left > 0)
    const { results, tableHash } = entries[index]!
    const [won, , left] = results[at]!
    const { consolationRedCoin } = tableOf(tableHash)!
    const lie = withResult(index, at, [null, won, 0, consolationRedCoin])
    const told = `entry ${index}: says prize ${won} is sold out, of which ${left! + 1} are left`
    await expectFound(lie, new RegExp(`^${told}$`))
  })

  it('finds a win of a prize that was sold out', async () => {
    const [index, at] = packWhere(([, soldOut]) => soldOut !== null)
    const { results, tableHash } = entries[index]!
    const [, soldOut] = results[at]!
    const prize = tableOf(tableHash)!.entries.find((one) => one.prizeId === soldOut)!
    const lie = withResult(index, at, [soldOut, null, 0, prize.redCoinAmount])
    await expectFound(lie, new RegExp(`^entry ${index}: the stock of prize ${soldOut} was 0,`))
  })

  it('finds a seed that was exchanged, also with its commitment', async () => {
    const [index] = losingPack()
    const { chainId } = entries[index]!
    const other = 'ab'.repeat(32)
    const lie = changed(index, { serverSeed: other })
    await expectFound(lie, /its seed is another than the one committed to$/)
    const before = contextOf(
      (entry) =>
        entry.chainId === chainId &&
        (entries[index]!.index === 0
          ? entry.type === 'chain'
          : entry.type === 'opening' && entry.index === entries[index]!.index - 1),
    )
    const commitment = sha256(Buffer.from(other, 'hex'))
    const fields = entries[before]!.type === 'chain' ? { commitment } : { next: commitment }
    const fitting = lie.with(before, JSON.stringify({ ...entries[before], ...fields }))
    await expectFound(fitting, rollDisagrees)
  })

  it('finds entropy that was exchanged', async () => {
    const index = contextOf(({ type, results }) => type === 'opening' && results.length > 20)
    await expectFound(changed(index, { entropy: 'ab'.repeat(32) }), rollDisagrees)
  })

  it('finds a chance that was altered in a table, also when all hashes are made to fit', async () => {
    const [opening, at] = packWhere(
      ([won], { tableHash }) => won !== null && tableOf(tableHash) !== undefined,
    )
    const { tableHash, results } = entries[opening]!
    const index = contextOf((entry) => entry.type === 'table' && entry.tableHash === tableHash)
    // So rare that the roll that won it draws something else.
    const altered = texts[index]!.replace(
      new RegExp(`(?<="prizeId":${results[at]![0]},.*?"totalPacks":)\\d+`),
      String(2 ** 31 - 1),
    )
    const lie = texts.with(index, altered)
    await expectFound(lie, new RegExp(`^entry ${index}: the table does not hash to ${tableHash}$`))
    const fitting = sha256(altered.slice(altered.indexOf('"table":{') + 8, -1))
    await expectFound(
      lie.map((text) => text.replace(tableHash, fitting)),
      rollDisagrees,
    )
  })

  it('finds an opening that was left out', async () => {
    const index = contextOf(({ type, index: at }) => type === 'opening' && at === 1)
    const { chainId } = entries[index]!
    const told = `chain ${chainId} has index 2 where 1 is due`
    await expectFound(texts.toSpliced(index, 1), new RegExp(`^entry \\d+: ${told}$`))
  })

  it('finds an opening before its chain, after its end, and a chain that begins twice', async () => {
    const chain = contextOf(({ type }) => type === 'chain')
    const { chainId } = entries[chain]!
    const notOpen = new RegExp(`draws from chain ${chainId}, which is not open$`)
    await expectFound(texts.toSpliced(chain, 1), notOpen)
    const end = contextOf((entry) => entry.type === 'end' && entry.chainId === chainId)
    const early = texts.toSpliced(end, 1).toSpliced(chain + 2, 0, texts[end]!)
    await expectFound(early, notOpen)
    await expectFound([...texts, texts[chain]!], /begins a second time$/)
  })

  it('finds an end with another seed, and a commitment that occurs twice', async () => {
    const end = contextOf(({ type }) => type === 'end')
    await expectFound(changed(end, { serverSeed: 'ab'.repeat(32) }), /ends with another seed/)
    const [index] = losingPack()
    const { commitment } = entries[contextOf(({ type }) => type === 'chain')]!
    await expectFound(changed(index, { next: commitment }), /occurred before$/)
  })

  it('finds an entry of no kind, and one with a key too many', async () => {
    await expectFound([...texts, '{"type":"note"}'], /is none of the six kinds$/)
    await expectFound(changed(0, { more: 1 }), /is none of the six kinds$/)
  })

  it('finds shipments that are left out, out of order, or keep their unit', async () => {
    // Not the first of all: what was won before that is excused.
    const first = contextOf(({ step }) => step === 'wanted')
    const wanted = contextOf(
      ({ step }, at) => step === 'wanted' && at > first + 50 && entries[at - 1]?.type === 'opening',
    )
    await expectFound(texts.toSpliced(wanted, 1), /the shipment of .+ did not begin before it$/)
    const delivered = contextOf(({ step }) => step === 'delivered')
    await expectFound(changed(delivered, { step: 'sent' }), /a shipment is sent after wanted$/)
    const late = changed(delivered, { day: '2020-01-01' })
    await expectFound(late, /a shipment goes from .+ back to 2020-01-01$/)
    const extended = contextOf(
      (entry, at) => entry.step === 'wanted' && texts[at]!.includes('2099'),
    )
    const past = changed(extended, { due: '2020-01-01' })
    await expectFound(past, /a deadline moves from 20.+ to 2020-01-01/)
    const place = texts[extended]!.slice(0, texts[extended]!.indexOf(',"step"'))
    const begun = contextOf((_entry, at) => texts[at]!.startsWith(place))
    const endless = texts.with(begun, JSON.stringify({ ...entries[begun], due: null }))
    await expectFound(endless, /a deadline of 2099-.+ where the win had none$/)
    const given = contextOf(
      ({ step }, at) => step === 'declined' && entries[at + 1]?.type === 'stock',
    )
    await expectFound(texts.toSpliced(given + 1, 1), /a unit of prize \d+ did not go back/)
  })

  it('finds a payment that is not the table’s', async () => {
    const [index, at] = losingPack()
    const lie = withResult(index, at, [null, null, null, 4])
    await expectFound(lie, new RegExp(`^entry ${index}: pays 4 RedCoin where \\d+ are due$`))
  })

  it('finds entries that are not the checkpoint’s', async () => {
    const [index] = losingPack()
    const lie = changed(index, { at: '2020-01-01T00:00:00.000Z' })
    const { problems } = await whileServed(lie, replay, texts)
    expect(problems).toEqual([
      `the root of the ${texts.length} entries is not the one in the checkpoint`,
    ])
  })
})
