// Faults of a real PostgreSQL: whatever breaks, a change of value happens wholly, once, or not at
// all.

import type { LightMyRequestResponse } from 'fastify'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import type { Deps } from '../src/adapters/deps.ts'
import { unfinishedPerAddressMax } from '../src/adapters/http/json-body.ts'
import { redCoinAnswer } from '../src/features/grants/distribute.ts'
import { distribute, purchasePacks } from './commands.ts'
import { type Person, usePostgresDeps } from './deps.ts'
import { faultyDatabase } from './faulty-database.ts'
import { openingProcess } from './opening.ts'
import { hasPostgres } from './test-database.ts'
import { testPostgresUrl } from './test-services.ts'

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))
const connections = 2

const t = usePostgresDeps(connections, { SEED_DEMO: 'off' })

async function scene() {
  const gold = await t.packType('Gold')
  const iron = await t.packType('Iron')
  const third = { packTypeIds: [gold], winFrequency: 1, totalPacks: 3 }
  await t.prize('Hoodie', { ...third, stock: 1_000 })
  await t.prize('Coins', { ...third, redCoinAmount: 9 })
  await t.prize('More', { ...third, rewardPackTypeId: iron, rewardPackQuantity: 2 })
  return {
    gold,
    listingId: await t.listing(gold, { price: 3, stock: 1_000 }),
    boss: await t.person('boss', { role: 'admin' }),
    ana: await t.person('ana', { coins: 10_000, packs: { [gold]: 5_000 } }),
  }
}

/** How often each kind of change is in the books. */
async function effects() {
  const [row] = await t.rows<Record<'opened' | 'bought' | 'granted' | 'audited', number>>(
    `SELECT (SELECT count(*)::int FROM opening_requests) AS opened,
       (SELECT count(*)::int FROM store_purchases) AS bought,
       (SELECT count(*)::int FROM red_coin_transactions WHERE type = 'admin_grant') AS granted,
       (SELECT count(*)::int FROM audit_log) AS audited`,
  )
  return row!
}

/** Counts answers by status; a 503 must say when to come back. */
function statusesOf(answers: readonly LightMyRequestResponse[]): Record<string, number> {
  const statuses: Record<string, number> = {}
  for (const { statusCode, headers } of answers) {
    statuses[statusCode] = (statuses[statusCode] ?? 0) + 1
    if (statusCode === 503) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  }
  return statuses
}

/** A connection to the database beside those of the product. */
async function connectBeside(): Promise<pg.Client> {
  const { href } = new URL(`/${await t.value('SELECT current_database()')}`, testPostgresUrl)
  const client = new pg.Client({ connectionString: href })
  await client.connect()
  return client
}

async function recoversWithin(millisMax: number, person: Person): Promise<void> {
  const status = async () => (await person.get('/api/user/packs')).statusCode
  await expect.poll(status, { timeout: millisMax }).toBe(200)
}

describe.skipIf(!hasPostgres)('on PostgreSQL', () => {
  it('a fault after any statement leaves everything or nothing, and a retry gives the one result', async () => {
    const { gold, listingId, boss, ana } = await scene()
    const works: Record<string, (deps: Deps, key: string) => Promise<{ body: string }>> = {
      opened: (deps, idempotencyKey) =>
        openingProcess(deps).open(ana.id, { packTypeId: gold, quantity: 5, idempotencyKey }),
      bought: (deps, idempotencyKey) =>
        purchasePacks(deps, ana.id, { listingId, quantity: 2, idempotencyKey }),
      granted: (deps, idempotencyKey) =>
        distribute(
          deps,
          { actorId: boss.id, requestId: 'r', route: 'grant', idempotencyKey },
          { packTypeId: undefined, target: { kind: 'all' }, amount: 4, description: 'x' },
          redCoinAnswer,
        ),
    }
    const counted: Record<string, number> = {}
    for (const [name, work] of Object.entries(works)) {
      const once = name === 'granted' ? 2 : 1
      const countOf = async () => (await effects())[name as 'opened']
      for (let failsAfter = 1; ; failsAfter += 1) {
        const before = await countOf()
        const db = faultyDatabase(t.db, failsAfter)
        const key = `${name}-${failsAfter}`
        const outcome = await work({ ...t.deps, db }, key).catch((error: Error) => error)
        if (!db.hasFailed()) break
        expect(outcome).toMatchObject({ code: '57P01' })
        const after = await countOf()
        expect([before, before + once]).toContain(after)
        await t.expectTrueBooks()
        const retried = await work(t.deps, key)
        expect(await work(t.deps, key)).toEqual({ body: retried.body, replayed: true })
        expect(await countOf()).toBe(before + once)
        counted[name] = failsAfter
      }
    }
    // An opening is a read and one statement, and the table of odds the first time.
    expect(counted['opened']).toBeGreaterThanOrEqual(4)
    expect(counted['bought']).toBeGreaterThanOrEqual(8)
    expect(counted['granted']).toBeGreaterThanOrEqual(6)
    expect((await effects()).audited).toBe(counted['granted']! + 1)
    await t.expectTrueBooks()
  })

  it('first grants of a type at the same moment write the quantities that they left', async () => {
    const { boss } = await scene()
    const ben = await t.person('ben')
    const fresh = await t.packType('Fresh')
    const order = { userId: ben.id, packTypeId: fresh, quantity: 3 }
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => boss.send('POST', '/api/admin/distribute-packs', order)),
    )
    const steps = Array.from({ length: 12 }, (_, index) => 3 * (index + 1))
    const sorted = (values: number[]) => values.sort((left, right) => left - right)
    expect(sorted(answers.map((answer) => answer.json().newQuantity))).toEqual(steps)
    const history = await t.rows<{ quantity_after: number }>(
      "SELECT quantity_after FROM pack_transactions WHERE type = 'admin_grant' ORDER BY id",
    )
    expect(history.map(({ quantity_after }) => quantity_after)).toEqual(steps)
    await t.expectTrueBooks()
  })

  it('a pool that is used up is a polite refusal, and passes', async () => {
    const { gold, ana } = await scene()
    const people = [ana]
    for (let index = 0; index < 19; index += 1) {
      people.push(await t.person(`p${index}`, { packs: { [gold]: 100 } }))
    }
    // As many as one address may have on their way: here none is complete before its answer.
    const openMany = () =>
      Promise.all(
        Array.from({ length: unfinishedPerAddressMax }, (_, index) =>
          people[index % 20]!.open(gold),
        ),
      )
    const crowded = statusesOf(await openMany())
    expect(Object.keys(crowded)).toEqual(expect.not.arrayContaining(['500', '400']))
    expect(crowded['200']).toBeGreaterThan(unfinishedPerAddressMax / 2)
    // Sessions are not kept longer than two seconds of the product's clock.
    t.clock.advance(5)
    let release: () => void = () => undefined
    const isOver = new Promise<void>((resolve) => {
      release = resolve
    })
    const holders = Array.from({ length: connections }, () => t.db.transaction(() => isOver))
    const startMillis = performance.now()
    const refused = statusesOf(await openMany())
    const millis = performance.now() - startMillis
    release()
    await Promise.all(holders)
    expect(refused).toEqual({ 503: unfinishedPerAddressMax })
    expect(millis).toBeLessThan(6_500)
    await recoversWithin(2_000, ana)
    await t.expectTrueBooks()
  })

  it('connections that the server ends are 503 while it lasts, and nothing is lost', async () => {
    const { gold, listingId, boss, ana } = await scene()
    const killer = await connectBeside()
    let isRunning = true
    const answers: LightMyRequestResponse[] = []
    const acknowledged: { key: string; url: string; body: unknown; answer: string; who: Person }[] =
      []
    const calls: [string, Person, unknown][] = [
      ['/api/packs/open', ana, { packTypeId: gold, quantity: 3 }],
      ['/api/store/purchase', ana, { storePackListingId: listingId, quantity: 1 }],
      ['/api/admin/distribute-redcoin', boss, { userId: ana.id, amount: 2 }],
    ]
    let number = 0
    const lane = async () => {
      while (isRunning) {
        number += 1
        const [path, who, body] = calls[number % calls.length]!
        const key = `key-${number}`
        const answer = await who.send('POST', path, body, { 'idempotency-key': key })
        answers.push(answer)
        // Refusals at once would leave the program no moment to find the database again.
        if (answer.statusCode === 503) await pause(10)
        if (answer.statusCode === 200) {
          acknowledged.push({ key, url: path, body, answer: answer.body, who })
        }
      }
    }
    const lanes = Array.from({ length: 6 }, lane)
    for (let kills = 0; kills < 25; kills += 1) {
      await pause(80)
      await killer.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'redpack'`,
      )
    }
    isRunning = false
    await Promise.all(lanes)
    await killer.end()
    await recoversWithin(2_000, ana)
    const statuses = statusesOf(answers)
    expect(Object.keys(statuses).sort()).toEqual(['200', '503'])
    for (const { key, url: path, body, answer, who } of acknowledged) {
      const again = await who.send('POST', path, body, { 'idempotency-key': key })
      expect([again.statusCode, again.body]).toEqual([200, answer])
    }
    const kept = await t.value('SELECT count(*)::int FROM idempotency_keys')
    expect(kept).toBeGreaterThanOrEqual(acknowledged.length)
    await t.expectTrueBooks()
  })

  it('a row that is locked too long is 503 within the time-out, and stops nobody else', async () => {
    const { gold, listingId, boss, ana } = await scene()
    const holder = await connectBeside()
    await holder.query('BEGIN')
    await holder.query('SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [ana.id])
    const key = { 'idempotency-key': 'patient' }
    const openOne = () => ana.open(gold, 1, key)
    const startMillis = performance.now()
    const opening = openOne()
    expect((await boss.get('/api/user/packs')).statusCode).toBe(200)
    expect(statusesOf([await opening])).toEqual({ 503: 1 })
    expect(performance.now() - startMillis).toBeLessThan(4_500)
    const others = await Promise.all([
      ana.send('POST', '/api/store/purchase', { storePackListingId: listingId, quantity: 1 }),
      boss.send('POST', '/api/admin/distribute-redcoin', { userId: ana.id, amount: 1 }),
    ])
    expect(statusesOf(others)).toEqual({ 503: 2 })
    await holder.query('ROLLBACK')
    await holder.end()
    expect(await effects()).toEqual({ opened: 0, bought: 0, granted: 0, audited: 0 })
    expect((await openOne()).statusCode).toBe(200)
    expect((await openOne()).headers['idempotency-replayed']).toBe('true')
    expect((await effects()).opened).toBe(1)
    await t.expectTrueBooks()
  })
})
