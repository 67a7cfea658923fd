import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDeps, type TestDeps } from '../../../test/deps.ts'
import { embeddedTestDatabase } from '../../../test/test-database.ts'

let deps: TestDeps
let isDatabaseUp = true
let isDatabaseHung = false

beforeAll(async () => {
  const db = await embeddedTestDatabase()
  deps = await createTestDeps({
    ...db,
    run: async (statement, values) => {
      if (isDatabaseHung) return new Promise(() => undefined)
      if (!isDatabaseUp) throw new Error('down')
      return db.run(statement, values)
    },
  })
}, 60_000)
afterAll(() => deps.close())

const get = (url: string, from = '127.0.0.1', headers: Record<string, string> = {}) =>
  deps.app.inject({ method: 'GET', url, remoteAddress: from, headers })

/** The value of a metric without labels; undefined when it is not known. */
async function metric(name: string): Promise<number | undefined> {
  const { body } = await get('/metrics')
  const [, value] = new RegExp(`^${name} (\\S+)$`, 'm').exec(body) ?? []
  return value === undefined ? undefined : Number(value)
}

describe('health', () => {
  it('says that the process lives and that it can serve', async () => {
    const live = await get('/health/live', '203.0.113.5')
    expect([live.statusCode, live.json()]).toEqual([200, { status: 'ok' }])
    const ready = await get('/health/ready', '203.0.113.5')
    const writable = { status: 'ok', readOnly: false, reason: null }
    expect([ready.statusCode, ready.json()]).toEqual([200, writable])
  })

  it('can serve, and says so, while the database can only be read', async () => {
    await deps.db.script('SET default_transaction_read_only = on')
    try {
      const answer = await get('/health/ready')
      const readOnly = { status: 'ok', readOnly: true, reason: 'disk_full' }
      expect([answer.statusCode, answer.json()]).toEqual([200, readOnly])
    } finally {
      await deps.db.script('SET default_transaction_read_only = off')
    }
  })

  it('lives but cannot serve while the database does not answer', async () => {
    isDatabaseUp = false
    try {
      expect((await get('/health/live')).statusCode).toBe(200)
      const answer = await get('/health/ready')
      expect(answer.statusCode).toBe(503)
      expect(answer.headers['retry-after']).toBeDefined()
      expect(answer.json().message).toBe('The database does not answer')
    } finally {
      isDatabaseUp = true
    }
  })
})

describe('metrics', () => {
  it('count requests by route and status for callers on this machine', async () => {
    await get('/health/live')
    await get('/api/nothing-here')
    const answer = await get('/metrics')
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toContain('text/plain')
    expect(answer.body).toMatch(
      /redpack_http_requests_total\{method="GET",route="\/health\/live",status="200"\} [1-9]/,
    )
    expect(answer.body).toMatch(/route="unknown",status="404"\} [1-9]/)
    expect(answer.body).toMatch(/^redpack_pack_openings \d+$/m)
    expect(answer.body).toMatch(/^redpack_database_retries_total \d+$/m)
    expect(answer.body).toContain('redpack_event_loop_lag_seconds{percentile="99"}')
    for (const name of ['heap_used_bytes', 'processor_seconds_total']) {
      expect(await metric(`redpack_${name}`)).toBeGreaterThan(0)
    }
    expect(answer.body).not.toContain('quantile=')
  })

  it('say in time what they know while the database hangs, and nothing that they do not', async () => {
    // What was read a moment ago is kept for a second.
    deps.clock.advance(1)
    expect(await metric('redpack_database_up')).toBe(1)
    expect(await metric('redpack_pack_openings')).toBeGreaterThanOrEqual(0)
    isDatabaseHung = true
    deps.clock.advance(1)
    try {
      const { body, statusCode } = await get('/metrics')
      expect(statusCode).toBe(200)
      expect(body).toMatch(/^redpack_database_up 0$/m)
      expect(body).not.toMatch(/^redpack_(pack_openings|log_entries|database_read_only)\S* \d/m)
      expect(body).toMatch(/^redpack_resident_memory_bytes \d+$/m)
    } finally {
      isDatabaseHung = false
    }
  }, 20_000)
})

describe('the API document', () => {
  it('is public and describes the calls', async () => {
    const answer = await get('/api/openapi.json', '203.0.113.5')
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toContain('application/json')
    expect(answer.json().openapi).toMatch(/^3\.1/)
    expect(answer.json().paths['/api/packs/open'].post).toBeDefined()
  })
})
