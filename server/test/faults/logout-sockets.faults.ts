// A session that ends in one process closes its sockets in the other within two seconds, whatever
// carries events between them: Redis, a Redis that was killed or hangs, PostgreSQL's
// notifications, or nothing at all. And a Redis that hangs holds up no request.

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { usePrograms } from '../programs.ts'
import { hasPostgres } from '../test-database.ts'
import { expectTrueBooks, tell } from './fault-table.ts'
import { hasRedisServer, type OwnRedis, ownRedis } from './own-redis.ts'
import { callAs, signedIn, socketOf, startTwo, type TwoPrograms } from './two-programs.ts'

const promiseMillis = 2_000
const policyViolation = 1008
/** Far below the time that a request would wait for Redis, far above what it takes. */
const callMillisMax = 150

const programs = usePrograms('two-programs')
let two: TwoPrograms
let redis: OwnRedis | undefined

/** The ways in which somebody's sessions end, each called on the first program. */
const endings = {
  async logout(person) {
    await expectOk(callAs(person, two.programs[0], 'POST', '/api/auth/logout'))
  },
  async 'role change'({ id }) {
    const boss = await signedIn(two, 'admin')
    const path = `/api/admin/users/${id}/role`
    await expectOk(callAs(boss, two.programs[0], 'PUT', path, { role: 'admin' }))
  },
  async leaving(person) {
    const body = { confirm: person.name }
    await expectOk(callAs(person, two.programs[0], 'DELETE', '/api/user', body))
  },
  // Another version of the program, or an operator: no event tells of it.
  async 'end of all sessions in the database'({ id }) {
    await two.sql.query('DELETE FROM sessions WHERE user_id = $1', [id])
  },
} satisfies Record<string, (person: Awaited<ReturnType<typeof signedIn>>) => Promise<void>>

async function expectOk(calling: Promise<Response>): Promise<void> {
  const answer = await calling
  expect(`${answer.status} ${answer.ok ? '' : await answer.text()}`).toBe('200 ')
}

/** A socket that has just opened has its session looked at once within this time. */
const firstLookMillis = 1_500

/** Ends sessions in every way while `fault` holds; answers the longest time to the close. */
async function slowestClose(fault: () => Promise<unknown>): Promise<number> {
  const origin = two.settings['PUBLIC_URL'] ?? ''
  const scenes = []
  for (const [name, end] of Object.entries(endings)) {
    const person = await signedIn(two)
    scenes.push({ name, end, person, page: await socketOf(person, two.programs[1], origin) })
  }
  const stays = await socketOf(await signedIn(two), two.programs[1], origin)
  await new Promise((resolve) => setTimeout(resolve, firstLookMillis))
  await fault()
  let slowest = 0
  for (const { name, end, person, page } of scenes) {
    await end(person)
    const endedAtMillis = Date.now()
    const { atMillis, code } = await page.closed
    const took = Math.max(0, atMillis - endedAtMillis)
    const inTime = took < promiseMillis ? 'in time' : took
    expect([name, code, inTime]).toEqual([name, policyViolation, 'in time'])
    slowest = Math.max(slowest, took)
  }
  expect(stays.socket.readyState).toBe(stays.socket.OPEN)
  stays.socket.terminate()
  return slowest
}

/** Answers to wrong guesses of the local account's password, of which 5 are looked at. */
async function wrongGuesses(count: number): Promise<number[]> {
  const statuses: number[] = []
  for (let guess = 0; guess < count; guess += 1) {
    const wrong = { username: 'keeper', password: 'wrong' }
    const answer = await callAs({ cookie: '' }, two.programs[0], 'POST', '/api/auth/local', wrong)
    statuses.push(answer.status)
  }
  return statuses
}

const promise = 'sockets in other processes close within 2 s of the end of their session'
const seen = (slowest: number) => `4 kinds of ending, slowest close after ${slowest} ms`

describe.skipIf(!hasPostgres || !hasRedisServer)(
  'sockets of ended sessions with Redis (PostgreSQL, redis-server)',
  () => {
    beforeAll(async () => {
      redis = await ownRedis()
      two = await startTwo(programs, { REDIS_URL: redis.url })
    })
    afterEach(() => redis?.wake())
    afterAll(async () => {
      await expectTrueBooks(two.settings)
      await two.close()
      await redis?.kill()
    })

    it('close while Redis is up', async () => {
      const slowest = await slowestClose(async () => undefined)
      tell({ fault: 'a session ends, Redis is up', promise, seen: seen(slowest) })
    })

    it('close while Redis hangs, and no request waits for it', async () => {
      const person = await signedIn(two)
      const before = await wrongGuesses(2)
      const slowest = await slowestClose(async () => redis?.hang())
      const times: number[] = []
      for (let count = 0; count < 100; count += 1) {
        const startMillis = performance.now()
        await expectOk(callAs(person, two.programs[0], 'GET', '/api/auth/me'))
        times.push(performance.now() - startMillis)
      }
      // The first calls may have found out that Redis hangs; nobody after them waits.
      expect(times.filter((millis) => millis > callMillisMax)).toEqual([])
      const answers = [...before, ...(await wrongGuesses(8))]
      expect(answers).toEqual([...Array(5).fill(401), ...Array(5).fill(429)])
      const slowestCall = Math.round(Math.max(...times))
      tell({
        fault: 'Redis hangs (SIGSTOP)',
        promise: `${promise}; no request waits for Redis; the limit of sign-ins holds`,
        seen: `${seen(slowest)}; 100 calls, slowest ${slowestCall} ms; of 10 guesses 5 were looked at`,
      })
    })

    it('close while Redis is gone, and after it has come back', async () => {
      const slowest = await slowestClose(async () => redis?.kill())
      await redis?.start()
      const later = await slowestClose(async () => undefined)
      const both = Math.max(slowest, later)
      tell({ fault: 'Redis is killed, and started again', promise, seen: seen(both) })
    })
  },
)

describe.skipIf(!hasPostgres)('sockets of ended sessions without Redis (PostgreSQL)', () => {
  beforeAll(async () => {
    two = await startTwo(programs)
  })
  afterAll(async () => {
    await expectTrueBooks(two.settings)
    await two.close()
  })

  it('close through the notifications of PostgreSQL', async () => {
    const slowest = await slowestClose(async () => undefined)
    tell({ fault: 'a session ends, there is no Redis', promise, seen: seen(slowest) })
  })

  it('close though every connection that listens is cut again and again', async () => {
    const cut = () =>
      two.sql.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND query LIKE 'LISTEN %'`,
      )
    const cutting = setInterval(() => void cut().catch(() => undefined), 100)
    const slowest = await slowestClose(cut).finally(() => clearInterval(cutting))
    tell({ fault: "PostgreSQL's notifications are cut", promise, seen: seen(slowest) })
  })
})
