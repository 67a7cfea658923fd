// An Idempotency-Key makes a call take effect once: replays, refusals, and twins that arrive
// together.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useTestDeps } from '../../../test/deps.ts'
import { hasPostgres, postgresTestDatabase } from '../../../test/test-database.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { type Database, statement } from './database.ts'
import { idempotent, type KeyedCall } from './idempotent.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })
const now = new Date('2026-01-01T00:00:00Z')
const callOf = (userId: number, more: Partial<KeyedCall> = {}): KeyedCall => {
  return { userId, route: 'POST /x', key: 'k', input: [1], now, ...more }
}
const domainErrorOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return error instanceof DomainError ? error.code : error
}

/** A promise that is settled from outside. */
function signal() {
  let resolve: () => void = () => undefined
  let reject: (why: unknown) => void = () => undefined
  const promise = new Promise<void>((onDone, onFail) => {
    resolve = onDone
    reject = onFail
  })
  return { promise, resolve, reject }
}

describe('once', () => {
  it('runs the work of a key one time and answers its text ever after', async () => {
    const { id } = await t.person('ana')
    let runs = 0
    const work = async () => {
      runs += 1
      return { runs, text: 'ü' }
    }
    const first = await idempotent(t.db, callOf(id), work)
    const later = { now: new Date('2026-06-01T00:00:00Z') }
    expect(first).toEqual({ body: '{"runs":1,"text":"ü"}', replayed: false })
    expect(await idempotent(t.db, callOf(id, later), work)).toEqual({ ...first, replayed: true })
    expect(runs).toBe(1)
  })

  it('runs every time without a key', async () => {
    const { id } = await t.person('ana')
    let runs = 0
    const call = callOf(id, { key: undefined })
    const work = async () => {
      runs += 1
      return runs
    }
    expect(await idempotent(t.db, call, work)).toEqual({ body: '1', replayed: false })
    expect(await idempotent(t.db, call, work)).toEqual({ body: '2', replayed: false })
    expect(await t.rows('SELECT key FROM idempotency_keys')).toEqual([])
  })

  it('keeps keys apart by user and by route, and refuses one with other input', async () => {
    const [ana, ben] = [await t.person('ana'), await t.person('ben')]
    const answer = (text: string) => async () => text
    await idempotent(t.db, callOf(ana.id), answer('first'))
    const others = [
      callOf(ben.id),
      callOf(ana.id, { route: 'POST /y' }),
      callOf(ana.id, { key: 'l' }),
    ]
    for (const call of others) {
      expect(await idempotent(t.db, call, answer('own'))).toEqual({
        body: '"own"',
        replayed: false,
      })
    }
    const reused = idempotent(t.db, callOf(ana.id, { input: [2] }), answer('never'))
    expect(await domainErrorOf(reused)).toBe('idempotency_mismatch')
  })

  it('stores nothing of what was refused or failed', async () => {
    const { id } = await t.person('ana')
    const refuse = idempotent(t.db, callOf(id), async () => {
      throw new DomainError('insufficient_packs', 'Insufficient packs')
    })
    expect(await domainErrorOf(refuse)).toBe('insufficient_packs')
    const fail = idempotent(t.db, callOf(id), async (tx) => {
      await tx.run(statement('test_nonsense', 'SELECT 1 / 0'), [])
    })
    expect(await domainErrorOf(fail)).toMatchObject({ code: '22012' })
    expect(await idempotent(t.db, callOf(id, { input: [2] }), async () => 'works')).toEqual({
      body: '"works"',
      replayed: false,
    })
  })

  it('says that a key is in use when its row has no answer yet', async () => {
    const { id } = await t.person('ana')
    await idempotent(t.db, callOf(id), async () => 'x')
    await t.rows('UPDATE idempotency_keys SET body = NULL, status = NULL')
    const twin = idempotent(t.db, callOf(id), async () => 'y')
    expect(await domainErrorOf(twin)).toBe('idempotency_in_flight')
  })
})

describe.skipIf(!hasPostgres)('once on PostgreSQL', () => {
  let db: Database
  let drop: () => Promise<void>
  let id = 0

  beforeAll(async () => {
    const made = await postgresTestDatabase()
    db = made.db
    drop = made.drop
    const addUser = statement(
      'test_add_user',
      `INSERT INTO users (twitch_id, username, display_name) VALUES ('1', 'ana', 'Ana') RETURNING id`,
    )
    id = (await db.run<{ id: number }>(addUser, []))[0]!.id
  })
  afterAll(() => drop())

  it('lets a twin wait for the first and answers both with the same text', async () => {
    let runs = 0
    const work = async () => {
      runs += 1
      await new Promise((resolve) => setTimeout(resolve, 100))
      return { runs }
    }
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => idempotent(db, callOf(id), work)),
    )
    expect(new Set(answers.map(({ body }) => body))).toEqual(new Set(['{"runs":1}']))
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1)
  })

  /** A call that holds its key until `end` is called. */
  async function holding(call: KeyedCall) {
    const [started, held] = [signal(), signal()]
    const answer = idempotent(db, call, () => {
      started.resolve()
      return held.promise
    })
    await started.promise
    return { answer, end: held }
  }

  it('lets a twin take over when the first is refused', async () => {
    const call = callOf(id, { key: 'taken over' })
    const { answer, end } = await holding(call)
    const twin = idempotent(db, call, async () => 'mine')
    await new Promise((resolve) => setTimeout(resolve, 100))
    end.reject(new DomainError('not_found', 'no'))
    expect(await domainErrorOf(answer)).toBe('not_found')
    expect(await twin).toEqual({ body: '"mine"', replayed: false })
  })

  it('says that a key is in use when the first takes longer than a lock is waited for', async () => {
    const call = callOf(id, { key: 'slow' })
    const { answer, end } = await holding(call)
    const twin = idempotent(db, call, async () => 'never')
    expect(await domainErrorOf(twin)).toBe('idempotency_in_flight')
    end.resolve()
    await answer
  }, 20_000)
})
