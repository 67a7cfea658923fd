// Hostile input on every served endpoint: no failure, no surprise, and nothing moved by what is
// refused.

import { allEndpoints, Problem } from '@redpack/contract'
import fc from 'fast-check'
import type { LightMyRequestResponse } from 'fastify'
import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { useTestDeps } from './deps.ts'
import { everyday } from './everyday.ts'
import { type HostileRequest, hostileInputs, hostileRequests } from './hostile-values.ts'
import { type Place, placesOf } from './registered-endpoints.ts'
import { sessionCookie } from './sessions.ts'

/** Requests for each endpoint and role; HOSTILE_RUNS=500 is the figure of a long run. */
const runs = Number(process.env['HOSTILE_RUNS'] ?? everyday(4, 12))
const seed = Number(process.env['HOSTILE_SEED'] ?? 20_261_121)
/** About four times what it takes on a machine with nothing else to do. */
const secondsMax = Math.max(180, runs * 10)

const t = useTestDeps({
  SEED_DEMO: 'off',
  LOCAL_ADMIN_USERNAME: 'keeper',
  LOCAL_ADMIN_PASSWORD: 'correct horse battery',
})

type Who = 'visitor' | 'user' | 'admin' | 'super_user'
const everyone: readonly Who[] = ['visitor', 'user', 'admin', 'super_user']
const ids = new Map<Who, number>()
const cookies = new Map<Who, string>()
/** The sum of values after the last request, undefined when it may have changed something. */
let knownSum: string | undefined

interface Operation {
  readonly responses: Record<string, unknown>
}
let documented: Record<string, Record<string, Operation>> = {}

beforeEach(async () => {
  const gold = await t.packType('Gold')
  await t.prize('Hoodie', { packTypeIds: [gold], totalPacks: 3, stock: 500 })
  await t.prize('Coins', { packTypeIds: [gold], totalPacks: 3, redCoinAmount: 9 })
  for (const who of ['user', 'admin', 'super_user'] as const) {
    const person = await t.person(who, { role: who, coins: 5_000, packs: { [gold]: 5_000 } })
    ids.set(who, person.id)
    cookies.set(who, person.cookie)
    // The first look makes the seeds.
    await person.get('/api/fairness')
  }
  await t.listing(gold, { price: 3 })
  const { paths } = (await t.app.inject('/api/openapi.json')).json()
  documented = paths
})

/** One text for everything of value: who has what, what is left, and how much history there is. */
async function sumOfValues(): Promise<string> {
  const [row] = await t.rows<{ sum: string }>(
    `SELECT md5(concat_ws('|',
       (SELECT string_agg(concat_ws(',', id, red_coin_balance, role, total_red_coin_won), ';'
          ORDER BY id) FROM users),
       (SELECT string_agg(concat_ws(',', id, quantity), ';' ORDER BY id) FROM user_packs),
       (SELECT string_agg(concat_ws(',', id, inventory_quantity), ';' ORDER BY id) FROM prizes),
       (SELECT string_agg(concat_ws(',', id, index, ended_at), ';' ORDER BY id) FROM draw_chains),
       (SELECT count(*) FROM red_coin_transactions), (SELECT count(*) FROM pack_transactions),
       (SELECT count(*) FROM stock_events), (SELECT count(*) FROM audit_log),
       (SELECT count(*) FROM idempotency_keys), (SELECT count(*) FROM pack_openings))) AS sum`,
  )
  return row!.sum
}

/** What is wrong with an answer, or undefined. */
function complaint(place: Place, answer: LightMyRequestResponse): string | undefined {
  const { statusCode } = answer
  // A call that needs a service elsewhere says so when there is none.
  const mayLackService =
    statusCode === 503 && place.endpoint.domainErrors.includes('service_unavailable')
  if (statusCode >= 500 && !mayLackService) return `failed: ${answer.body}`
  const operation = documented[place.path]?.[place.method.toLowerCase()]
  if (operation?.responses[statusCode] === undefined) return `undocumented: ${answer.body}`
  if (statusCode === 302) return answer.headers.location === undefined ? 'nowhere to go' : undefined
  if (statusCode !== 200) {
    const problem = Problem.safeParse(answer.json())
    if (!problem.success) return `no problem body: ${answer.body}`
    if (problem.data.message !== problem.data.error) return 'message and error differ'
    return problem.data.message === '' ? 'no sentence' : undefined
  }
  const { response } = place.endpoint
  if (typeof response === 'string') return undefined
  const parsed = response.safeParse(answer.json())
  return parsed.success ? undefined : `not its schema: ${z.prettifyError(parsed.error)}`
}

async function cookieOf(place: Place, who: Who): Promise<string | undefined> {
  const id = ids.get(who)
  // A session of its own where the call may end it.
  const mayEnd = place.endpoint.name.startsWith('auth.')
  return id !== undefined && mayEnd ? sessionCookie(t, id) : cookies.get(who)
}

async function send(place: Place, who: Who, request: HostileRequest) {
  const cookie = await cookieOf(place, who)
  return t.app.inject({
    method: place.method as 'POST',
    url: request.url,
    headers: { ...request.headers, ...(cookie === undefined ? {} : { cookie }) },
    ...(request.body === undefined ? {} : { payload: request.body }),
  })
}

/** Access as the contract states it, never weaker. */
function isAdmitted(place: Place, who: Who): boolean {
  const { access } = place.endpoint
  if (access === 'staff') return who === 'admin' || who === 'super_user'
  return access === 'viewer' ? who !== 'visitor' : true
}

async function endure(place: Place, who: Who, request: HostileRequest): Promise<void> {
  const before = knownSum ?? (await sumOfValues())
  const answer = await send(place, who, request)
  expect(complaint(place, answer)).toBeUndefined()
  if (!isAdmitted(place, who)) expect(answer.statusCode).toBeGreaterThanOrEqual(400)
  // The log of staff actions notes who has fetched addresses.
  const isNoted = place.endpoint.name === 'adminShipments.file'
  const mayChange = (place.method !== 'GET' || isNoted) && answer.statusCode === 200
  knownSum = mayChange ? undefined : before
  if (place.method !== 'GET' && !mayChange) expect(await sumOfValues()).toBe(before)
}

describe(`hostile input, ${runs} requests for each endpoint and role, seed ${seed}`, {
  timeout: 60_000,
}, () => {
  it('never breaks the schema of a request, also of endpoints that are not served yet', () => {
    for (const endpoint of allEndpoints) {
      const schemas = [endpoint.body, endpoint.params, endpoint.query].filter(
        (schema) => schema !== undefined,
      )
      for (const schema of schemas) {
        const property = fc.property(hostileInputs(schema), (value) => {
          const parsed = schema.safeParse(value)
          if (!parsed.success) expect(parsed.error.issues[0]?.message).toMatch(/\S/)
        })
        fc.assert(property, { seed, numRuns: Math.max(everyday(50, 200), runs) })
      }
    }
  })

  it(
    'is refused or understood by every endpoint, for every role',
    async () => {
      let requests = 0
      for (const place of placesOf(t.app).served) {
        // Hashing a password is slow on purpose, and every request here may do it.
        const share = place.endpoint.name === 'auth.local' ? 0.5 : 1
        const property = fc.asyncProperty(
          fc.constantFrom(...everyone),
          hostileRequests(place),
          async (who, request) => {
            requests += 1
            await endure(place, who, request)
          },
        )
        const numRuns = Math.ceil(runs * everyone.length * share)
        await fc.assert(property, { seed, numRuns, endOnFailure: true }).catch((error: Error) => {
          throw new Error(`${place.method} ${place.path}: ${error.message}`, { cause: error })
        })
        // Reading changes nothing; for one address after all of its requests that is cheap to see.
        if (knownSum !== undefined)
          expect([place.path, await sumOfValues()]).toEqual([place.path, knownSum])
      }
      expect(requests).toBeGreaterThan(40 * runs * 4)
      await t.expectTrueBooks()
      process.stdout.write(`hostile input: ${requests} requests, seed ${seed}\n`)
    },
    secondsMax * 1000,
  )
})
