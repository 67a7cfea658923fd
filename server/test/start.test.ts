// The product as an operator meets it: what a start says, what it refuses, and how it stops.

import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openEmbedded } from '../src/adapters/db/embedded.ts'
import { buildServer, freePort, type ProductProcess, startProgram } from './product-process.ts'
import { isPostgresReachable, postgresTestDatabase } from './test-database.ts'
import { testPostgresUrl } from './test-services.ts'

const hasPostgres = await isPostgresReachable()
const root = mkdtempSync(join(tmpdir(), 'redpack-start-'))
const running: ProductProcess[] = []

beforeAll(() => buildServer(), 90_000)
afterEach(() => {
  for (const { child } of running.splice(0)) child.kill('SIGKILL')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

async function start(
  settings: Record<string, string>,
  options: { cwd?: string } = {},
): Promise<ProductProcess> {
  const all = { PORT: String(await freePort()), RATE_LIMITS: 'off', SEED_DEMO: 'off', ...settings }
  const product = startProgram('main', all, options)
  running.push(product)
  return product
}

const linesOf = (text: string): string[] => text.trim().split('\n')

describe('a start is refused with one clear line', () => {
  it('for each setting that cannot be used', async () => {
    const product = await start({ PORT: 'abc', SANDBOX: 'maybe', DATA_DIR: join(root, 'unused') })
    expect(await product.exit).toBe(1)
    expect(linesOf(product.errors())).toEqual([
      'PORT must be a port number from 0 to 65535, not "abc"',
      'SANDBOX must be on, open or off, not "maybe"',
    ])
    expect(existsSync(join(root, 'unused'))).toBe(false)
  })

  it('when the sandbox would be seen by others', async () => {
    const settings = { HOST: '0.0.0.0', DATA_DIR: join(root, 'unused') }
    for (const SANDBOX of ['', 'on']) {
      const product = await start({ ...settings, SANDBOX })
      expect(await product.exit).toBe(1)
      expect(linesOf(product.errors())).toEqual([
        'HOST must be a loopback address in sandbox mode, not "0.0.0.0"; ' +
          'SANDBOX=open serves any address',
      ])
    }
    expect(existsSync(join(root, 'unused'))).toBe(false)
  })

  it('for each setting that is not safe enough for production', async () => {
    const product = await start({
      NODE_ENV: 'production',
      RATE_LIMITS: 'on',
      DATA_DIR: join(root, 'unused'),
      PUBLIC_URL: 'http://packs.test',
      ENCRYPTION_KEY: '0'.repeat(64),
      TWITCH_CLIENT_ID: 'id',
      TWITCH_CLIENT_SECRET: 'changeme',
      DISCORD_PUBLIC_KEY: '3b6def90eef3ba82d711f8eeb2a626b7de13f4a1e18ceb973fab3128a394ed5c',
    })
    expect(await product.exit).toBe(1)
    expect(linesOf(product.errors())).toEqual([
      'PUBLIC_URL must be an address that starts with https://',
      "DISCORD_PUBLIC_KEY is the sandbox's, with which anybody can sign",
      'ENCRYPTION_KEY can be guessed: it repeats itself',
      'TWITCH_CLIENT_SECRET can be guessed: it is an example',
    ])
    expect(existsSync(join(root, 'unused'))).toBe(false)
  })

  it('for a setting in the file .env', async () => {
    const cwd = join(root, 'with-env')
    mkdirSync(cwd)
    writeFileSync(join(cwd, '.env'), 'PORT=abc\n')
    const product = startProgram('main', {}, { cwd })
    running.push(product)
    expect(await product.exit).toBe(1)
    expect(linesOf(product.errors())).toEqual([
      'PORT must be a port number from 0 to 65535, not "abc"',
    ])
  })

  it('for a file .env that cannot be read', async () => {
    const cwd = join(root, 'no-env')
    mkdirSync(join(cwd, '.env'), { recursive: true })
    const product = startProgram('main', {}, { cwd })
    running.push(product)
    expect(await product.exit).toBe(1)
    expect(linesOf(product.errors())).toEqual(['The file .env cannot be read: EISDIR'])
  })

  it('when the data folder cannot be made', async () => {
    writeFileSync(join(root, 'file'), '')
    const product = await start({ DATA_DIR: join(root, 'file/data') })
    expect(await product.exit).toBe(1)
    expect(linesOf(product.errors())).toEqual([
      `The data folder ${join(root, 'file/data')} cannot be used: a part of the path is a file`,
    ])
  })

  it('when another program uses the port, before any database is made', async () => {
    const port = await freePort()
    const other = createServer().listen(port, '127.0.0.1')
    const product = await start({ PORT: String(port), DATA_DIR: join(root, 'no-port') })
    expect(await product.exit).toBe(1)
    expect(linesOf(product.errors())).toEqual([
      `Port ${port} on 127.0.0.1 cannot be listened on: another program uses it; ` +
        'stop that program or choose another PORT',
    ])
    expect(existsSync(join(root, 'no-port/database'))).toBe(false)
    other.close()
  })

  it('when a key of LOG_WITNESSES is none of a witness, before any database is made', async () => {
    const key = `w.test+00000000+${'A'.repeat(44)}`
    const dataDir = join(root, 'no-witness')
    const product = await start({ LOG_WITNESSES: `${key}=http://w.test`, DATA_DIR: dataDir })
    expect(await product.exit).toBe(1)
    expect(linesOf(product.errors())).toEqual([
      'LOG_WITNESSES names a key that is none of a witness',
    ])
    expect(existsSync(join(dataDir, 'database'))).toBe(false)
  })

  it('when the database folder holds something else', async () => {
    const folder = join(root, 'foreign')
    mkdirSync(join(folder, 'database'), { recursive: true })
    writeFileSync(join(folder, 'database/notes.txt'), 'mine')
    const product = await start({ DATA_DIR: folder })
    expect(await product.exit).toBe(1)
    expect(linesOf(product.errors())).toEqual([`The folder ${folder}/database holds no database`])
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
    const options = { words: ['verify-economy'], ...(uid === undefined ? {} : { uid }) }
    const command = startProgram('cli', { DATA_DIR: folder }, options)
    expect(await command.exit).toBe(2)
    expect(linesOf(command.errors())).toEqual([
      `The database in ${folder}/database cannot be opened: this user may not read and write ` +
        `${strange}. Nothing is damaged: give the folder with all that is in it to this user`,
    ])
    chmodSync(strange, 0o700)
  }, 120_000)

  it.runIf(hasPostgres)('when DATABASE_URL refuses the program', async () => {
    const product = await start({
      DATA_DIR: join(root, 'refused'),
      DATABASE_URL: new URL('/there_is_no_such_database', testPostgresUrl).href,
    })
    expect(await product.exit).toBe(1)
    expect(linesOf(product.errors())).toEqual([
      'The database at DATABASE_URL cannot be used: ' +
        'database "there_is_no_such_database" does not exist',
    ])
  })
})

describe('the command line', () => {
  const settings = { DATA_DIR: join(root, 'no-command') }

  it.each([[[]], [['frobnicate']], [['backup']], [['reseal', '--lost']]])(
    'that lacks a word is refused with the list of commands: %s',
    async (words) => {
      const command = startProgram('cli', settings, { words })
      expect(await command.exit).toBe(2)
      expect(command.errors()).toContain('Usage: node server/dist/cli.js COMMAND')
    },
  )

  it.each([
    [['backup', 'a.dump', 'b.dump'], 'b.dump'],
    [['restore', '--timing', 'a.dump'], '--timing'],
    [['verify-economy', '--force'], '--force'],
    [['remove-second-factor', 'admin'], 'admin'],
    [['reseal', 'abc'], 'abc'],
  ])('with a word too many is refused, not carried out without it: %s', async (words, word) => {
    const command = startProgram('cli', settings, { words })
    expect(await command.exit).toBe(2)
    expect(linesOf(command.errors())[0]).toBe(`${word} is not expected here`)
  })

  it.each([[['--help']], [['backup', '--help']], [['help']]])(
    'tells the list of commands to whoever asks: %s',
    async (words) => {
      const command = startProgram('cli', settings, { words })
      expect(await command.exit).toBe(0)
      expect(linesOf(command.output())[0]).toBe('Usage: node server/dist/cli.js COMMAND')
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
    expect(await second.exit).toBe(1)
    const holder = `The data folder ${folder} is in use by process ${first.child.pid} on `
    expect(linesOf(second.errors())).toEqual([expect.stringContaining(holder)])
    for (const words of [['verify-economy'], ['backup', join(root, 'x')], ['restore', 'x']]) {
      const command = startProgram('cli', { DATA_DIR: folder }, { words })
      expect(await command.exit).toBe(2)
      expect(command.errors()).toContain(holder)
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

  it('takes over after kill -9', async () => {
    const killed = await start({ DATA_DIR: folder })
    await killed.ready()
    killed.child.kill('SIGKILL')
    await killed.exit
    const next = await start({ DATA_DIR: folder })
    await next.ready()
    expect((await fetch(`${next.url}/health/ready`)).status).toBe(200)
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
    const backup = startProgram('cli', { DATA_DIR: folder }, { words: ['backup', file] })
    expect(await backup.exit).toBe(0)
    const restored = join(root, 'restored')
    const settings = { DATA_DIR: restored, ...production }
    const restore = startProgram('cli', settings, { words: ['restore', file] })
    expect(await restore.exit).toBe(0)
    for (const each of [folder, restored]) {
      for (const more of [production, { SANDBOX: 'off', RATE_LIMITS: 'on' }]) {
        const product = await start({ DATA_DIR: each, ...more })
        expect(await product.exit).toBe(1)
        expect(linesOf(product.errors())).toEqual([sandboxLine])
      }
    }
    const check = startProgram('cli', { DATA_DIR: restored }, { words: ['verify-economy'] })
    expect(await check.exit).toBe(0)
    await (await start({ DATA_DIR: restored })).ready()
  }, 120_000)

  it('is refused to the sandbox once people have used it', async () => {
    const settings = { DATA_DIR: join(root, 'real') }
    const first = await start({ ...settings, ...production })
    await first.ready()
    first.child.kill('SIGTERM')
    expect(await first.exit).toBe(0)
    const product = await start(settings)
    expect(await product.exit).toBe(1)
    expect(linesOf(product.errors())).toEqual([
      'The database belongs to real people and not to the sandbox: set TWITCH_CLIENT_ID or ' +
        'SANDBOX=off, or choose another DATA_DIR or DATABASE_URL',
    ])
    const again = await start({ ...settings, ...production })
    await again.ready()
  }, 120_000)

  it('is refused to a program older than its database, which stays as it is', async () => {
    const db = await openEmbedded(join(folder, 'database'))
    await db.script("INSERT INTO schema_migrations VALUES (99, '0099_later', 'x', 'contract')")
    await db.close()
    const product = await start({ DATA_DIR: folder })
    expect(await product.exit).toBe(1)
    expect(linesOf(product.errors())).toEqual([
      expect.stringContaining('The database is newer than this program: it is at 0099_later'),
    ])
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
      const { db, url, drop } = await postgresTestDatabase()
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
      const check = startProgram('cli', settings, { words: ['verify-economy'] })
      expect(await check.exit).toBe(0)
      expect(check.output()).toMatch(/^All \d+ invariants hold/)
      for (const product of three) product.child.kill('SIGTERM')
      expect(await Promise.all(three.map((product) => product.exit))).toEqual([0, 0, 0])
      await drop()
    },
    90_000,
  )
})
