// What a start prints when a service is away or refuses: the reason, and no password of an address.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { buildServer, freePort, type ProductProcess, startProgram } from './product-process.ts'
import { isPostgresReachable } from './test-database.ts'
import { testPostgresUrl } from './test-services.ts'

const hasPostgres = await isPostgresReachable()
const secret = 'kanari-password'
const folder = mkdtempSync(join(tmpdir(), 'redpack-secrets-'))
const running: ProductProcess[] = []

beforeAll(() => buildServer(), 90_000)
afterEach(() => {
  for (const { child } of running.splice(0)) child.kill('SIGKILL')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function start(settings: Record<string, string>): Promise<ProductProcess> {
  const own = { PORT: String(await freePort()), SEED_DEMO: 'off', LOG_LEVEL: 'trace' }
  const product = startProgram('main', { ...own, DATA_DIR: join(folder, 'data'), ...settings })
  running.push(product)
  return product
}

const said = (product: ProductProcess) => product.output() + product.errors()

it.runIf(hasPostgres)(
  'a database that is not there is named, and its password is not',
  async () => {
    const url = new URL('/there_is_no_such_database', testPostgresUrl)
    url.password = secret
    const product = await start({ DATABASE_URL: url.href })
    expect(await product.exit).toBe(1)
    expect(said(product)).toMatch(/DATABASE_URL cannot be used: .*does not exist/)
    expect(said(product)).not.toContain(secret)
    const command = startProgram('cli', { DATABASE_URL: url.href }, { words: ['verify-economy'] })
    expect(await command.exit).toBe(2)
    expect(said(command)).not.toContain(secret)
  },
  30_000,
)

it.each([
  ['DATABASE_URL', `postgres://me:${secret}@127.0.0.1:99999/x`],
  ['DATABASE_URL', `postgres://me:${secret}@[bad/x`],
  ['REDIS_URL', `redis://:${secret}@127.0.0.1:99999`],
])(
  'a %s that cannot be read is refused without its password',
  async (name, url) => {
    const product = await start({ [name]: url })
    expect(await product.exit).toBe(1)
    expect(said(product).trim().split('\n').length).toBeLessThanOrEqual(2)
    expect(said(product)).not.toContain(secret)
  },
  30_000,
)

it('a database and a Redis that do not answer are one line each', async () => {
  const port = await freePort()
  const database = await start({ DATABASE_URL: `postgres://me:${secret}@127.0.0.1:${port}/x` })
  const redis = await start({ REDIS_URL: `redis://:${secret}@127.0.0.1:${port}` })
  await redis.ready()
  await expect.poll(() => said(database)).toContain('waiting for the database')
  await expect.poll(() => said(redis)).toContain('Redis cannot be reached')
  // Long enough for several attempts more of each.
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  for (const [product, words] of [
    [database, 'waiting for the database'],
    [redis, 'Redis cannot be reached'],
  ] as const) {
    expect(said(product)).not.toContain(secret)
    const warnings = product
      .errors()
      .split('\n')
      .filter((line) => line.includes('"level":40'))
    expect(warnings).toHaveLength(1)
    expect(JSON.parse(warnings[0]!)).toMatchObject({ msg: words })
    expect(warnings[0]).toContain('ECONNREFUSED')
  }
}, 90_000)
