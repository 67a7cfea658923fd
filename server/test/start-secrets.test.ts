// What a start prints when a service is away or refuses: the reason, and no password of an address.

import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { freePort, type ProductProcess } from './product-process.ts'
import { runCommand, usePrograms } from './programs.ts'
import { hasPostgres } from './test-database.ts'
import { testPostgresUrl } from './test-services.ts'

const secret = 'kanari-password'
const programs = usePrograms('secrets')
afterEach(programs.kill)

async function start(settings: Record<string, string>): Promise<ProductProcess> {
  const own = { PORT: String(await freePort()), SEED_DEMO: 'off', LOG_LEVEL: 'trace' }
  return programs.launch({ ...own, DATA_DIR: join(programs.folder, 'data'), ...settings })
}

const said = (product: ProductProcess) => product.output() + product.errors()

it.runIf(hasPostgres)(
  'a database that is not there is named, and its password is not',
  async () => {
    const url = new URL('/there_is_no_such_database', testPostgresUrl)
    url.password = secret
    const product = await start({ DATABASE_URL: url.href })
    expect(await product.exit).toBe(1)
    expect(said(product)).toBe(
      'The database at DATABASE_URL cannot be used: ' +
        'database "there_is_no_such_database" does not exist\n',
    )
    const command = await runCommand(['verify-economy'], { DATABASE_URL: url.href })
    expect(command.code).toBe(2)
    expect(command.output + command.errors).not.toContain(secret)
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
