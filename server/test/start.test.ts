// The product as an operator meets it: what a start says, what it refuses, and how it stops.

import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { openEmbedded } from '../src/adapters/db/embedded.ts'
import { freePort, type ProductProcess } from './product-process.ts'
import { runCommand, usePrograms } from './programs.ts'
import { hasPostgres } from './test-database.ts'

const programs = usePrograms('start')
const root = programs.folder
afterEach(programs.kill)

async function start(settings: Record<string, string>): Promise<ProductProcess> {
  const own = { PORT: String(await freePort()), RATE_LIMITS: 'off', SEED_DEMO: 'off' }
  return programs.launch({ ...own, ...settings })
}

const linesOf = (text: string): string[] => text.trim().split('\n')

async function expectRefused(product: ProductProcess, ...lines: unknown[]): Promise<void> {
  expect([await product.exit, ...linesOf(product.errors())]).toEqual([1, ...lines])
}

describe('a start is refused with one clear line', () => {
  it('for each setting that cannot be used', async () => {
    const settings = { PORT: 'abc', SANDBOX: 'maybe', DATA_DIR: join(root, 'unused') }
    await expectRefused(
      await start(settings),
      'PORT must be a port number from 0 to 65535, not "abc"',
      'SANDBOX must be on, open or off, not "maybe"',
    )
    expect(existsSync(join(root, 'unused'))).toBe(false)
  })

  it('for a setting in the file .env', async () => {
    const cwd = join(root, 'with-env')
    mkdirSync(cwd)
    writeFileSync(join(cwd, '.env'), 'PORT=abc\n')
    const product = programs.launch({}, { cwd })
    await expectRefused(product, 'PORT must be a port number from 0 to 65535, not "abc"')
  })

  it('for a file .env that cannot be read', async () => {
    const cwd = join(root, 'no-env')
    mkdirSync(join(cwd, '.env'), { recursive: true })
    const product = programs.launch({}, { cwd })
    await expectRefused(product, 'The file .env cannot be read: EISDIR')
  })

  it('when the data folder cannot be made', async () => {
    writeFileSync(join(root, 'file'), '')
    await expectRefused(
      await start({ DATA_DIR: join(root, 'file/data') }),
      `The data folder ${join(root, 'file/data')} cannot be used: a part of the path is a file`,
    )
  })

  it('when another program uses the port, before any database is made', async () => {
    const port = await freePort()
    const other = createServer().listen(port, '127.0.0.1')
    await expectRefused(
      await start({ PORT: String(port), DATA_DIR: join(root, 'no-port') }),
      `Port ${port} on 127.0.0.1 cannot be listened on: another program uses it; ` +
        'stop that program or choose another PORT',
    )
    expect(existsSync(join(root, 'no-port/database'))).toBe(false)
    other.close()
  })

  it('when a key of LOG_WITNESSES is none of a witness, before any database is made', async () => {
    const key = `w.test+00000000+${'A'.repeat(44)}`
    const dataDir = join(root, 'no-witness')
    const product = await start({ LOG_WITNESSES: `${key}=http://w.test`, DATA_DIR: dataDir })
    await expectRefused(product, 'LOG_WITNESSES names a key that is none of a witness')
    expect(existsSync(join(dataDir, 'database'))).toBe(false)
  })

  it('when the database folder holds something else', async () => {
    const folder = join(root, 'foreign')
    mkdirSync(join(folder, 'database'), { recursive: true })
    writeFileSync(join(folder, 'database/notes.txt'), 'mine')
    const product = await start({ DATA_DIR: folder })
    await expectRefused(product, `The folder ${folder}/database holds no database`)
    expect(readdirSync(join(folder, 'database'))).toEqual(['notes.txt'])
  })

  it('when a file of the database belongs to somebody else, which is no damage', async () => {
    const folder = join(root, 'strange-file')
    mkdirSync(folder)
    await (await openEmbedded(join(folder, 'database'))).close()
    const strange = join(folder, 'database/global')
    chmodSync(strange, 0)
    // Root may read anything.
    const uid = process.getuid?.() === 0 ? 65_534 : undefined
    chmodSync(root, 0o755)
    for (const path of ['', 'database', 'database/PG_VERSION'])
      if (uid !== undefined) chownSync(join(folder, path), uid, uid)
    const options = uid === undefined ? {} : { uid }
    const { code, errors } = await runCommand(['verify-economy'], { DATA_DIR: folder }, options)
    expect([code, ...linesOf(errors)]).toEqual([
      2,
      `The database in ${folder}/database cannot be opened: this user may not read and write ` +
        `${strange}. Nothing is damaged: give the folder with all that is in it to this user`,
    ])
    chmodSync(strange, 0o700)
  }, 120_000)
})

describe('the command line', () => {
  const settings = { DATA_DIR: join(root, 'no-command') }

  it.each([[[]], [['frobnicate']], [['backup']], [['reseal', '--lost']]])(
    'that lacks a word is refused with the list of commands: %s',
    async (words) => {
      const { code, errors } = await runCommand(words, settings)
      expect(code).toBe(2)
      expect(errors).toContain('Usage: node server/dist/cli.js COMMAND')
    },
  )

  it.each([
    [['backup', 'a.dump', 'b.dump'], 'b.dump'],
    [['restore', '--timing', 'a.dump'], '--timing'],
    [['verify-economy', '--force'], '--force'],
    [['remove-second-factor', 'admin'], 'admin'],
    [['reseal', 'abc'], 'abc'],
  ])('with a word too many is refused, not carried out without it: %s', async (words, word) => {
    const { code, errors } = await runCommand(words, settings)
    expect([code, linesOf(errors)[0]]).toEqual([2, `${word} is not expected here`])
  })

  it.each([[['--help']], [['backup', '--help']], [['help']]])(
    'tells the list of commands to whoever asks: %s',
    async (words) => {
      const { code, output } = await runCommand(words, settings)
      expect([code, linesOf(output)[0]]).toEqual([0, 'Usage: node server/dist/cli.js COMMAND'])
    },
  )
})

describe('the life of one data folder', () => {
  const folder = join(root, 'life')

  it('starts, holds its folder, stops with a dump, and finds everything again', async () => {
    const first = await start({ DATA_DIR: folder })
    await first.ready()
    expect(linesOf(first.output())[0]).toBe(`Redpack is ready at ${first.url}`)
    const password = /the password (\S+) \(/.exec(first.output())?.[1] ?? ''
    expect(password.length).toBeGreaterThanOrEqual(15)
    expect((await fetch(`${first.url}/health/ready`)).status).toBe(200)

    const second = await start({ DATA_DIR: folder })
    const holder = `The data folder ${folder} is in use by process ${first.child.pid} on `
    await expectRefused(second, expect.stringContaining(holder))
    for (const words of [['verify-economy'], ['backup', join(root, 'x')], ['restore', 'x']]) {
      const { code, errors } = await runCommand(words, { DATA_DIR: folder })
      expect([code, errors]).toEqual([2, expect.stringContaining(holder)])
    }
    expect((await fetch(`${first.url}/health/ready`)).status).toBe(200)

    first.child.kill('SIGTERM')
    expect(await first.exit).toBe(0)
    expect(readdirSync(join(folder, 'dumps'))).toHaveLength(1)
    expect(readdirSync(folder).filter((name) => name.startsWith('lock'))).toEqual([])
    const again = await start({ DATA_DIR: folder })
    await again.ready()
    expect(again.output()).toContain(`the password ${password} (`)
  }, 120_000)

  it('finishes requests under way when it is told to stop', async () => {
    const product = await start({ DATA_DIR: folder })
    await product.ready()
    // Checking a password takes a while on purpose, so these are still under way at the signal.
    const signIn = () =>
      fetch(`${product.url}/api/auth/local`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'admin', password: 'wrong' }),
      }).then(({ status }) => status)
    const answers = Array.from({ length: 20 }, signIn)
    await Promise.race(answers)
    const began = performance.now()
    product.child.kill('SIGTERM')
    // A connection that a busy machine had not accepted yet is refused, not answered.
    const settled = await Promise.allSettled(answers)
    const statuses = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    expect(statuses.length).toBeGreaterThan(1)
    expect(statuses.every((status) => status === 401 || status === 503)).toBe(true)
    expect(await product.exit).toBe(0)
    expect(performance.now() - began).toBeLessThan(10_000)
  }, 120_000)

  const production = {
    NODE_ENV: 'production',
    RATE_LIMITS: 'on',
    PUBLIC_URL: 'https://packs.test',
    TWITCH_CLIENT_ID: 'id',
  }
  const sandboxLine =
    'The database belongs to the sandbox, where anybody can sign in as anybody: ' +
    'choose another DATA_DIR or DATABASE_URL'

  it('is refused to production once the sandbox has used it, also out of a dump', async () => {
    const file = join(root, 'sandbox.dump')
    expect((await runCommand(['backup', file], { DATA_DIR: folder })).code).toBe(0)
    const restored = join(root, 'restored')
    const settings = { DATA_DIR: restored, ...production }
    expect((await runCommand(['restore', file], settings)).code).toBe(0)
    for (const each of [folder, restored]) {
      for (const more of [production, { SANDBOX: 'off', RATE_LIMITS: 'on' }]) {
        await expectRefused(await start({ DATA_DIR: each, ...more }), sandboxLine)
      }
    }
    expect((await runCommand(['verify-economy'], { DATA_DIR: restored })).code).toBe(0)
    await (await start({ DATA_DIR: restored })).ready()
  }, 120_000)

  it('is refused to the sandbox once people have used it', async () => {
    const settings = { DATA_DIR: join(root, 'real') }
    const first = await start({ ...settings, ...production })
    await first.ready()
    first.child.kill('SIGTERM')
    expect(await first.exit).toBe(0)
    await expectRefused(
      await start(settings),
      'The database belongs to real people and not to the sandbox: set TWITCH_CLIENT_ID or ' +
        'SANDBOX=off, or choose another DATA_DIR or DATABASE_URL',
    )
    const again = await start({ ...settings, ...production })
    await again.ready()
  }, 120_000)

  it('is refused to a program older than its database, which stays as it is', async () => {
    const db = await openEmbedded(join(folder, 'database'))
    await db.script("INSERT INTO schema_migrations VALUES (99, '0099_later', 'x', 'contract')")
    await db.close()
    const newer = 'The database is newer than this program: it is at 0099_later'
    await expectRefused(await start({ DATA_DIR: folder }), expect.stringContaining(newer))
  }, 120_000)
})

describe('with PostgreSQL', () => {
  it('lives but is not ready while the server does not answer, and stops when told', async () => {
    const product = await start({
      DATA_DIR: join(root, 'absent'),
      DATABASE_URL: 'postgres://postgres@127.0.0.1:1/none',
    })
    const live = () => fetch(`${product.url}/health/live`).catch(() => undefined)
    await expect.poll(async () => (await live())?.status, { timeout: 60_000 }).toBe(200)
    const ready = await fetch(`${product.url}/health/ready`)
    expect(ready.status).toBe(503)
    expect(ready.headers.get('retry-after')).toBe('5')
    product.child.kill('SIGTERM')
    expect(await product.exit).toBe(0)
  }, 120_000)

  it.runIf(hasPostgres)(
    'three processes start at once on an empty database',
    async () => {
      const { db, url } = await programs.database()
      await db.script('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
      // Several processes sign one log and open each other's seeds, so they share their keys.
      const keys = { LOG_SIGNING_KEY: '1a'.repeat(32), ENCRYPTION_KEY: '7c'.repeat(32) }
      const settings = { DATABASE_URL: url, SEED_DEMO: 'on', DEMO_DAYS: '4', ...keys }
      const three = await Promise.all(
        ['a', 'b', 'c'].map((name) => start({ ...settings, DATA_DIR: join(root, name) })),
      )
      await Promise.all(three.map((product) => product.ready()))
      for (const product of three) {
        expect((await fetch(`${product.url}/health/ready`)).status).toBe(200)
      }
      const [doubled] = await db.run<{ count: number }>(
        {
          name: 'doubled_pack_types',
          text: `SELECT count(*)::int AS count FROM (SELECT name FROM pack_types GROUP BY name
          HAVING count(*) > 1) AS doubled`,
        },
        [],
      )
      expect(doubled!.count).toBe(0)
      const check = await runCommand(['verify-economy'], settings)
      expect(check).toMatchObject({ code: 0, output: expect.stringMatching(/^All \d+ invariants/) })
      for (const product of three) product.child.kill('SIGTERM')
      expect(await Promise.all(three.map((product) => product.exit))).toEqual([0, 0, 0])
    },
    90_000,
  )
})
