// A second implementation of the draw, in Python and written from docs/economy.md alone, replays
// more than 1,000 openings from the public log, and agrees about every one. Then the log lies.
// Needs python3, 3.9 or later; where there is none these tests are skipped, and say so.

import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { tableText, thresholdsOf } from '@redpack/fair/odds'
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
  readonly unrevealed: number
  readonly wins: number
  readonly soldOut: number
  readonly tables: number
  readonly scaledTables: number
  readonly carried: number
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
type Played = Awaited<ReturnType<typeof playedOn>>

interface Entry {
  readonly type: string
  readonly id: number
  readonly pairId: number
  readonly nonce: number
  readonly tableHash: string
  readonly serverSeedHash: string
  readonly prizeId: number | null
  readonly soldOutPrizeId: number | null
  readonly stockAfter: number | null
  readonly table?: {
    readonly consolationRedCoin: number
    readonly entries: ReadonlyArray<{
      readonly prizeId: number
      readonly redCoinAmount: number
      readonly limited: boolean
    }>
  }
  readonly parts?: number
}
const entriesOf = (texts: readonly string[]) => texts.map((text) => JSON.parse(text) as Entry)

/** Every draw agrees, and the history held all that it was to hold. */
function expectAgreement({ told, honest, texts }: Played): void {
  expect(honest.problems).toEqual([])
  expect(honest).toMatchObject({ exitCode: 0, draws: told.draws, wins: told.wins, carried: 0 })
  expect(honest.draws).toBeGreaterThanOrEqual(1_000)
  expect(honest.soldOut).toBeGreaterThan(0)
  expect(honest.tables).toBeGreaterThanOrEqual(10)
  expect(honest.scaledTables).toBeGreaterThanOrEqual(2)
  const entries = entriesOf(texts)
  expect(entries.some(({ parts }) => parts !== undefined && parts > 1)).toBe(true)
  // Whoever deleted an account may leave draws that nobody can check; nobody else does.
  const revealed = entries.filter(({ type }) => type === 'reveal').map(({ pairId }) => pairId)
  const dark = entries.filter(
    ({ type, pairId }) => type === 'opening' && !revealed.includes(pairId),
  )
  expect(dark.filter(({ pairId }) => pairId !== told.leftPairId)).toEqual([])
  expect(honest.unrevealed).toBe(dark.length)
}

const isReachable = await isPostgresReachable()

describe.skipIf(!hasPython || !isReachable)(`${title}, on PostgreSQL`, () => {
  it('agrees about every draw while calls truly overlap', async () => {
    const { db, drop } = await postgresTestDatabase()
    try {
      expectAgreement(await playedOn(db))
    } finally {
      await drop()
    }
  }, 240_000)
})

describe.skipIf(!hasPython)(title, () => {
  let played: Played
  let texts: readonly string[]
  let entries: readonly Entry[]

  beforeAll(async () => {
    const db = await embeddedTestDatabase()
    played = await playedOn(db).finally(() => db.close())
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
  const openingsOf = (pair: number) =>
    entries.filter(({ type, pairId }) => type === 'opening' && pairId === pair)
  /** The reveal of the pair that most was drawn from. */
  const busiestReveal = (): number =>
    entries
      .map((entry, index) => ({ entry, index }))
      .filter(({ entry }) => entry.type === 'reveal')
      .sort((a, b) => openingsOf(b.entry.pairId).length - openingsOf(a.entry.pairId).length)[0]!
      .index
  const isRevealed = ({ pairId }: Entry) =>
    entries.some((entry) => entry.type === 'reveal' && entry.pairId === pairId)
  /** A losing opening that can be checked, of a table with a prize that cannot run out. */
  const losingOpening = (): number =>
    contextOf(
      (entry) =>
        entry.type === 'opening' &&
        entry.prizeId === null &&
        entry.soldOutPrizeId === null &&
        isRevealed(entry) &&
        (tableOf(entry.tableHash)?.entries.some(({ limited }) => !limited) ?? false),
    )

  /** The lie is told: exit 1, and one of the sentences is the expected one. */
  async function expectFound(lie: readonly string[], sentence: RegExp): Promise<Replayed> {
    const found = await replayOf(lie)
    expect(found.exitCode).toBe(1)
    expect(found.problems.filter((problem) => sentence.test(problem))).not.toEqual([])
    return found
  }
  const rollDisagrees = /^entry \d+: opening \d+: the roll \d+ draws .+, and the log says /

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
    expectAgreement(played)
  })

  it('reads a served copy as it reads the log itself', async () => {
    expect(await replayOf(texts)).toEqual(played.honest)
  })

  it('finds a losing opening that was turned into a win', async () => {
    const index = losingOpening()
    const { id, tableHash } = entries[index]!
    const { prizeId, redCoinAmount } = tableOf(tableHash)!.entries.find((one) => !one.limited)!
    const lie = changed(index, { prizeId, redCoinEarned: redCoinAmount })
    const { problems } = await expectFound(lie, rollDisagrees)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(`entry ${index}: opening ${id}: `)
    expect(problems[0]).toContain(`draws nothing, and the log says prize ${prizeId}`)
  })

  it('finds a prize said to be sold out while some was left', async () => {
    const index = contextOf(
      ({ type, stockAfter, prizeId }) =>
        type === 'opening' && prizeId !== null && stockAfter !== null && stockAfter > 0,
    )
    const { prizeId, stockAfter, tableHash } = entries[index]!
    const lie = changed(index, {
      prizeId: null,
      soldOutPrizeId: prizeId,
      stockAfter: 0,
      redCoinEarned: tableOf(tableHash)!.consolationRedCoin,
    })
    const left = stockAfter! + 1
    const told = `entry ${index}: says prize ${prizeId} is sold out, of which ${left} are left`
    await expectFound(lie, new RegExp(`^${told}$`))
  })

  it('finds a win of a prize that was sold out', async () => {
    const index = contextOf(
      ({ type, soldOutPrizeId }) => type === 'opening' && soldOutPrizeId !== null,
    )
    const { soldOutPrizeId, tableHash } = entries[index]!
    const prize = tableOf(tableHash)!.entries.find((one) => one.prizeId === soldOutPrizeId)!
    const lie = changed(index, {
      prizeId: soldOutPrizeId,
      soldOutPrizeId: null,
      stockAfter: 0,
      redCoinEarned: prize.redCoinAmount,
    })
    await expectFound(
      lie,
      new RegExp(`^entry ${index}: the stock of prize ${soldOutPrizeId} was 0,`),
    )
  })

  it('finds a revealed seed that was exchanged', async () => {
    const index = busiestReveal()
    const lie = changed(index, { serverSeed: 'ab'.repeat(32) })
    await expectFound(lie, new RegExp(`^entry ${index}: the server seed of pair `))
  })

  it('finds a seed that was exchanged together with its commitment', async () => {
    const index = busiestReveal()
    const { pairId } = entries[index]!
    const commitment = contextOf((entry) => entry.type === 'commitment' && entry.pairId === pairId)
    const serverSeedHash = sha256(Buffer.from('ab'.repeat(32), 'hex'))
    const lie = changed(index, { serverSeed: 'ab'.repeat(32) }).with(
      commitment,
      JSON.stringify({ ...entries[commitment], serverSeedHash }),
    )
    await expectFound(lie, rollDisagrees)
  })

  it('finds a chance that was altered in a table', async () => {
    const { tableHash } = entries[losingOpening()]!
    const index = contextOf((entry) => entry.type === 'table' && entry.tableHash === tableHash)
    const lie = texts.with(index, texts[index]!.replace(/"totalPacks":(\d)/, '"totalPacks":9$1'))
    await expectFound(lie, new RegExp(`^entry ${index}: the table does not hash to ${tableHash}$`))
  })

  it('finds an altered chance also when all hashes are made to fit', async () => {
    const isOfWholeTable = ({ type, prizeId, tableHash }: Entry) =>
      type === 'opening' && prizeId !== null && tableOf(tableHash) !== undefined
    const won = entries[contextOf((entry) => isOfWholeTable(entry) && isRevealed(entry))]!
    const { prizeId, tableHash } = won
    const index = contextOf((entry) => entry.type === 'table' && entry.tableHash === tableHash)
    // So rare that the roll that won it draws something else.
    const altered = texts[index]!.replace(
      new RegExp(`(?<="prizeId":${prizeId},.*?"totalPacks":)\\d+`),
      String(2 ** 31 - 1),
    )
    const fitting = sha256(altered.slice(altered.indexOf('"table":{') + 8, -1))
    const lie = texts.with(index, altered).map((text) => text.replace(tableHash, fitting))
    await expectFound(lie, rollDisagrees)
  })

  it('finds a nonce that was left out', async () => {
    const index = contextOf(
      ({ type, pairId, nonce, prizeId, soldOutPrizeId }) =>
        type === 'opening' &&
        prizeId === null &&
        soldOutPrizeId === null &&
        nonce < openingsOf(pairId).length - 1,
    )
    const { pairId, nonce } = entries[index]!
    const next = contextOf((entry) => entry.pairId === pairId && entry.nonce === nonce + 1)
    const told = `pair ${pairId} has nonce ${nonce + 1} where ${nonce} is due`
    await expectFound(texts.toSpliced(index, 1), new RegExp(`^entry ${next - 1}: ${told}$`))
  })

  it('finds a commitment that came after the first draw', async () => {
    const first = contextOf(({ type }) => type === 'opening')
    const { pairId } = entries[first]!
    const late = contextOf((entry) => entry.type === 'commitment' && entry.pairId === pairId)
    const lie = texts.toSpliced(late, 1).toSpliced(first, 0, texts[late]!)
    await expectFound(
      lie,
      new RegExp(`^entry ${first - 1}: draws with pair ${pairId}, which was not`),
    )
  })

  it('finds a client seed that was exchanged', async () => {
    const index = busiestReveal()
    const lie = changed(index, { clientSeed: 'another' })
    await expectFound(lie, new RegExp(`^entry ${index}: the client seed of pair `))
  })

  it('finds a payment that is not the table’s', async () => {
    const index = losingOpening()
    const lie = changed(index, { redCoinEarned: 4 })
    await expectFound(lie, new RegExp(`^entry ${index}: pays 4 RedCoin where \\d+ are due$`))
  })

  it('finds entries that are not the checkpoint’s', async () => {
    const index = losingOpening()
    const lie = changed(index, { at: 'another time' })
    const { problems } = await whileServed(lie, replay, texts)
    expect(problems).toEqual([
      `the root of the ${texts.length} entries is not the one in the checkpoint`,
    ])
  })
})
