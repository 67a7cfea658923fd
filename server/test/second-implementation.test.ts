// A second implementation of the draw, in Python and written from docs/economy.md alone, finds each
// lie of a log, and replays more than 1,000 openings from the public log without finding one.
// Needs python3, 3.9 or later; where there is none these tests are skipped, and say so.

import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { tableHash, tableText, thresholdsOf } from '@redpack/fair/draw'
import { entryOfText } from '@redpack/fair/entries'
import { Replay } from '@redpack/fair/replay'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { honestLog, lies } from '../../fair/src/sample-lies.fixture.ts'
import { type SignedLog, signedLog } from '../../fair/src/sample-log.fixture.ts'
import { tables } from '../../fair/src/sample-tables.fixture.ts'
import type { Database } from '../src/adapters/db/database.ts'
import { createScheduler } from '../src/adapters/jobs/scheduler.ts'
import { nodeHashing } from '../src/adapters/random/hashing.ts'
import { createTestDeps } from './deps.ts'
import { jobsNamed } from './jobs.ts'
import { freePort } from './product-process.ts'
import { playHistory } from './second-implementation/played-history.ts'
import { whileServed } from './second-implementation/served-log.ts'
import { embeddedTestDatabase, hasPostgres, postgresTestDatabase } from './test-database.ts'

const nothingNamed = '"rewardPackTypeId":null,"rewardPackQuantity":1,"limited"'

const program = fileURLToPath(new URL('second-implementation/replay.py', import.meta.url))
const tooOld = 'import sys; sys.exit(sys.version_info < (3, 9))'
const hasPython = spawnSync('python3', ['-c', tooOld]).status === 0
const title = hasPython
  ? 'a second implementation, in Python'
  : 'a second implementation, in Python (skipped: there is no python3 of 3.9 or later here)'

interface Replayed {
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
  readonly problem: string | null
}

/** Runs the program against logs, as anybody would. */
function replay(origins: readonly string[]): Promise<Replayed[]> {
  // A proxy of the machine has no part in this.
  const env = { ...process.env, no_proxy: '*' }
  return new Promise((resolve, reject) => {
    execFile('python3', ['-B', program, ...origins], { env }, (error, stdout, stderr) => {
      if (stdout === '') return reject(new Error(stderr, { cause: error }))
      const replayed = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Replayed)
      expect(error === null).toBe(replayed.every(({ problem }) => problem === null))
      resolve(replayed)
    })
  })
}

const problemsIn = async (...logs: SignedLog[]) =>
  (await whileServed(logs, replay)).map(({ problem }) => problem)

/** Plays a history on the database; answers what the program and the log say of it. */
async function playedOn(db: Database) {
  const port = await freePort()
  const t = await createTestDeps(db, { PORT: String(port) })
  try {
    await t.app.listen({ port, host: '127.0.0.1' })
    const scheduler = createScheduler(t.deps, jobsNamed('draw-log-', 'end-draw-', 'delivery-'))
    const told = await playHistory(t, async () => {
      for (let times = 0; times < 3; times += 1) {
        t.clock.advance(61)
        await scheduler.runDueJobs()
      }
    })
    const rows = await t.rows<{ body: string }>('SELECT body FROM log_entries ORDER BY index')
    const [honest] = await replay([`http://127.0.0.1:${port}`])
    return { told, honest: honest!, texts: rows.map(({ body }) => body) }
  } finally {
    await t.app.close()
  }
}

async function embeddedOne() {
  const db = await embeddedTestDatabase()
  return { db, drop: () => db.close() }
}

interface Entry {
  readonly type: string
  readonly parts?: number
  readonly step?: string
  readonly due?: string | null
}

describe.skipIf(!hasPython)(title, () => {
  it('agrees about hash and thresholds of any table, to the last unit', () => {
    const sample = fc.sample(tables, 1_000)
    const input = sample.map((table) => `${JSON.stringify(table)}\n`).join('')
    const options = { input, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const
    const { stdout, stderr } = spawnSync('python3', ['-B', program, '--tables'], options)
    expect(stderr).toBe('')
    const answers = stdout.trimEnd().split('\n')
    expect(answers.map((line) => JSON.parse(line))).toEqual(
      sample.map((table) => ({
        tableHash: tableHash(tableText(table), nodeHashing),
        thresholds: thresholdsOf(table.entries),
      })),
    )
  }, 60_000)

  it('finds nothing in an honest log, and what is none', async () => {
    const texts = honestLog().texts()
    const { checkpoint } = signedLog(texts)
    const elsewhere = signedLog(texts.with(5, texts[5]!.replace('12:00', '12:01')))
    const found = await problemsIn(
      signedLog(texts),
      { ...elsewhere, checkpoint },
      signedLog([...texts, '{"type":"note"}']),
      signedLog([...texts, texts[0]!.replace('}', ',"more":1}')]),
    )
    expect(found).toEqual([
      null,
      'the root of the 9 entries is not the one in the checkpoint',
      'entry 9: is none of the six kinds',
      'entry 9: is none of the six kinds',
    ])
  })

  it.each([
    ['an id of 0', 'chain', /"chainId":1/, '"chainId":0'],
    ['an opening without an id', 'opening', /"id":"[^"]+"/, '"id":""'],
    ['a pack that won and found it sold out', 'opening', /\[\[[^\]]*\]/, '[[1,1,null,0]'],
    ['packs of no type', 'table', /"rewardPackTypeId":[^}]*,"limited"/, nothingNamed],
    ['a table in one part', 'table', /"table":.*$/, '"part":1,"parts":1,"text":"{}"}'],
  ])('reads no entry with %s, as the product does not', async (_, type, part, other) => {
    const texts = honestLog().texts()
    const text = texts.find((line) => line.startsWith(`{"type":"${type}"`))!
    const wrong = text.replace(part, other)
    expect(wrong).not.toBe(text)
    expect(entryOfText(wrong)).toBeUndefined()
    expect(await problemsIn(signedLog([...texts, wrong]))).toEqual([
      `entry ${texts.length}: is none of the six kinds`,
    ])
  })

  it('finds every lie at the entry at which the product finds it', async () => {
    const told = lies.map(([what, tell]) => {
      const log = honestLog()
      tell(log)
      const product = new Replay(nodeHashing)
      for (const text of log.texts()) product.take(text)
      return { what, log: signedLog(log.texts()), entry: product.faults[0]?.index }
    })
    const problems = await problemsIn(...told.map(({ log }) => log))
    for (const [at, { what, entry }] of told.entries()) {
      expect(problems[at], what).toMatch(new RegExp(`^entry ${entry}: `))
    }
  })
})

describe.skipIf(!hasPython)('a history of all kinds', () => {
  let played: Awaited<ReturnType<typeof playedOn>>
  let entries: readonly Entry[]

  beforeAll(async () => {
    // Only there do calls truly overlap.
    const { db, drop } = hasPostgres ? await postgresTestDatabase() : await embeddedOne()
    played = await playedOn(db).finally(drop)
    entries = played.texts.map((text) => JSON.parse(text) as Entry)
  }, 240_000)

  it('is drawn as the second implementation draws it', () => {
    const { told, honest } = played
    expect(honest).toMatchObject({ problem: null, draws: told.draws, wins: told.wins })
    expect(honest.draws).toBeGreaterThanOrEqual(1_000)
    for (const count of [honest.soldOut, honest.byServer]) expect(count).toBeGreaterThan(0)
    expect(honest.tables).toBeGreaterThanOrEqual(10)
    expect(honest.scaledTables).toBeGreaterThanOrEqual(2)
    expect([honest.chains, honest.ended]).toEqual([14, 8])
    expect(honest.steps).toBeGreaterThan(honest.shipments + 9)
    expect(entries.some(({ parts }) => parts !== undefined && parts > 1)).toBe(true)
  })

  it('may not leave shipments out, turn their order, or keep their units', async () => {
    const { texts } = played
    const placeOf = (is: (entry: Entry, at: number) => boolean): number => {
      const place = entries.findIndex(is)
      expect(place).toBeGreaterThanOrEqual(0)
      return place
    }
    const changed = (at: number, fields: object) =>
      texts.with(at, JSON.stringify({ ...entries[at], ...fields }))
    const expectFound = async (lie: readonly string[], sentence: RegExp) =>
      expect((await problemsIn(signedLog(lie)))[0]).toMatch(sentence)
    // Not the first of all: what was won before that is excused.
    const first = placeOf(({ step }) => step === 'wanted')
    const wanted = placeOf(
      ({ step }, at) => step === 'wanted' && at > first + 50 && entries[at - 1]?.type === 'opening',
    )
    await expectFound(texts.toSpliced(wanted, 1), /the shipment of .+ did not begin before it$/)
    const delivered = placeOf(({ step }) => step === 'delivered')
    await expectFound(changed(delivered, { step: 'sent' }), /a shipment is sent after wanted$/)
    const late = changed(delivered, { day: '2020-01-01' })
    await expectFound(late, /a shipment goes from .+ back to 2020-01-01$/)
    // Ids may have any digits, a year's too.
    const extended = placeOf(({ step, due }) => step === 'wanted' && !!due?.startsWith('2099'))
    const past = changed(extended, { due: '2020-01-01' })
    await expectFound(past, /a deadline moves from 20.+ to 2020-01-01/)
    const place = texts[extended]!.slice(0, texts[extended]!.indexOf(',"step"'))
    const begun = placeOf((_entry, at) => texts[at]!.startsWith(place))
    const endless = texts.with(begun, JSON.stringify({ ...entries[begun], due: null }))
    await expectFound(endless, /a deadline of 2099-.+ where the win had none$/)
    const given = placeOf(
      ({ step }, at) => step === 'declined' && entries[at + 1]?.type === 'stock',
    )
    await expectFound(texts.toSpliced(given + 1, 1), /a unit of prize \d+ did not go back/)
  })
})
