import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { refusedLines } from './refused-lines.fixture.ts'
import { settings } from './settings.ts'

const linesOf = (environment: Record<string, string>) => refusedLines(() => readConfig(environment))

const production = {
  NODE_ENV: 'production',
  TWITCH_CLIENT_ID: 'id',
  PUBLIC_URL: 'https://packs.test',
}

const bucket = {
  S3_ENDPOINT: 'https://objects.test/',
  S3_BUCKET: 'pictures',
  S3_REGION: 'eu-central-1',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'kq3v0s9d2m',
}

/** Nobody guesses them, so that a line about another setting stands alone. */
const strongKeys = [
  '9ff67d6f007380fe466a5817efd56751fcd48a96130c80cfac1990d4031e5928',
  'c8708be1c08b75240c596bd9a2a2bb31519b9b7342b44ccf7434609219106490',
] as const

describe('settings', () => {
  it('with a typing error in NODE_ENV start nothing', () => {
    for (const NODE_ENV of ['prodcution', 'Production', 'prod', 'staging']) {
      expect(linesOf({ NODE_ENV })).toEqual([
        `NODE_ENV must be one of production, development, test, not "${NODE_ENV}"`,
      ])
    }
    expect(linesOf({ NODE_ENV: 'development' })).toEqual([])
  })

  it('keep the sandbox from others until somebody says so', () => {
    const PUBLIC_URL = 'https://packs.test'
    expect(linesOf({ PUBLIC_URL })).toEqual([
      'PUBLIC_URL must be an address of this machine in sandbox mode: set TWITCH_CLIENT_ID, or' +
        ' SANDBOX=open to let others in',
    ])
    expect(linesOf({ PUBLIC_URL, SANDBOX: 'open' })).toEqual([])
    expect(linesOf({ PUBLIC_URL, TWITCH_CLIENT_ID: 'id' })).toEqual([])
    expect(linesOf({ PUBLIC_URL: 'http://[::1]:3000' })).toEqual([])
  })

  it('have no path in PUBLIC_URL', () => {
    for (const rest of ['/packs', '/packs/', '/?a', '#a']) {
      expect(linesOf({ PUBLIC_URL: `http://localhost:3000${rest}` })).toEqual([
        'PUBLIC_URL must be an address without a path: the product is served at /',
      ])
    }
    expect(linesOf({ PUBLIC_URL: 'http://localhost:3000/' })).toEqual([])
  })

  it('that may be a mistake are noted: half a set, and a name that is none', () => {
    expect(readConfig({}).notes).toEqual([])
    // The stand-ins have the other half.
    const halves = { SANDBOX: 'on', TWITCH_CLIENT_ID: 'id', DISCORD_BOT_TOKEN: 'x' }
    expect(readConfig(halves).notes).toEqual([])
    // What shells, services and containers set; PORT and HOST are too close to some of it.
    const usual = `HOME HOSTS HOSTTYPE IPORT LANG LOGNAME MAIL OLDPWD PATH PORTS POST PWD SHELL
      SHLVL TERM TMPDIR USER INVOCATION_ID JOURNAL_STREAM KUBERNETES_PORT VIRTUAL_HOST`
    const shell = Object.fromEntries(usual.split(/\s+/).map((name) => [name, 'x']))
    expect(readConfig(shell).notes).toEqual([])
    expect(
      readConfig({
        ...{ TWITCH_CLIENT_ID: 'id', DISCORD_BOT_TOKEN: 'x', HOSTNAME: 'h', LOGNAME: 'l' },
        ...{ DATABASE_URI: 'a', SESSION_DAYS: '3', BRANDNAME: 'x', SHOP_ULR: 'y' },
        SANBOX: 'off',
        ...{ ENCRYPTION_KEY_FILE: '', TWITCH_CLIENT_ID_FILE: '/run/secrets/id', MAIL_FILE: 'x' },
      }).notes,
    ).toEqual([
      'TWITCH_CLIENT_SECRET not set, so nobody can sign in with Twitch',
      'DISCORD_PUBLIC_KEY not set, so the Discord bot posts nothing or hears no clicks',
      'DATABASE_URI is no setting; DATABASE_URL is one',
      'BRANDNAME is no setting; BRAND_NAME is one',
      'SHOP_ULR is no setting; SHOP_URL is one',
      'SANBOX is no setting; SANDBOX is one',
      'TWITCH_CLIENT_ID_FILE is no setting; TWITCH_CLIENT_ID is one, and stands in no file',
    ])
  })

  it('say how many processes serve, and refuse more than one on the embedded database', () => {
    const DATABASE_URL = 'postgres://u@h:1/db'
    const cores = availableParallelism()
    expect(readConfig({}).processes).toBe(1)
    expect(readConfig({ PROCESSES: '4', DATABASE_URL }).processes).toBe(4)
    expect(readConfig({ PROCESSES: 'auto', DATABASE_URL }).processes).toBe(cores)
    expect(readConfig({ PROCESSES: 'auto' }).processes).toBe(1)
    expect(readConfig({ PROCESSES: '1' }).processes).toBe(1)
    expect(linesOf({ PROCESSES: '2' })).toEqual([
      'PROCESSES must be 1 with the embedded database, which one process alone can open; for ' +
        'several set DATABASE_URL',
    ])
    for (const PROCESSES of ['0', '-1', '1.5', '65', 'all', '1e1']) {
      expect(linesOf({ PROCESSES, DATABASE_URL })).toEqual([
        `PROCESSES must be auto or a number from 1 to 64, not "${PROCESSES}"`,
      ])
    }
  })

  it('name a bucket for pictures, or none', () => {
    expect(readConfig({}).bucket).toBeUndefined()
    expect(readConfig(bucket).bucket).toEqual({
      endpoint: 'https://objects.test',
      name: 'pictures',
      region: 'eu-central-1',
      accessKeyId: 'key',
      secretAccessKey: 'kq3v0s9d2m',
    })
  })

  it('read witnesses with whatever stands between them', () => {
    const [one, two] = ['a', 'b'].map((name) => `${name}.test/w+530d903a+${'A'.repeat(44)}`)
    const words = `${one}=https://a.test/witness/, \n ${two}=http://b.test:8080`
    expect(readConfig({ LOG_WITNESSES: words }).logWitnesses).toEqual([
      { verifierKey: one, url: 'https://a.test/witness' },
      { verifierKey: two, url: 'http://b.test:8080' },
    ])
  })

  it('treat empty text as not set', () => {
    expect(readConfig({ PORT: ' ', DATABASE_URL: '', SANDBOX: '' })).toMatchObject({
      port: 3000,
      databaseUrl: undefined,
      sandbox: true,
    })
  })

  it('turn the sandbox on only without Twitch and outside production', () => {
    expect(readConfig({ TWITCH_CLIENT_ID: 'id' }).sandbox).toBe(false)
    expect(readConfig(production).sandbox).toBe(false)
    expect(readConfig({ TWITCH_CLIENT_ID: 'id', SANDBOX: 'on' }).sandbox).toBe(true)
  })

  it('lead the sandbox to stand-ins of the same process and production to the real services', () => {
    expect(readConfig({ PORT: '4000' }).twitch.idUrl).toBe(
      'http://127.0.0.1:4000/sandbox/twitch/id',
    )
    expect(readConfig(production).twitch.idUrl).toBe('https://id.twitch.tv')
  })

  it('ask Twitch for the email address where mail can be sent, or where they say so', () => {
    const asks = (environment: Record<string, string>) => readConfig(environment).twitch.asksEmail
    expect(asks({})).toBe(true)
    expect(asks({ TWITCH_ASK_EMAIL: 'off' })).toBe(false)
    expect(asks(production)).toBe(false)
    expect(asks({ ...production, TWITCH_ASK_EMAIL: 'on' })).toBe(true)
    const mail = { SMTP_URL: 'smtps://u:p%40ss@mail.test:465', MAIL_FROM: 'news@packs.test' }
    expect(asks({ ...production, ...mail })).toBe(true)
  })

  it('send mail to the sandbox alone while no server is named', () => {
    const url = 'smtp://mail.test:587'
    const named = (MAIL_FROM: string) => readConfig({ SMTP_URL: url, MAIL_FROM }).mail
    expect(readConfig({ PORT: '4000' }).mail?.url).toBe('http://127.0.0.1:4000/sandbox/mail')
    expect(readConfig(production).mail).toBeUndefined()
    for (const from of ['news@packs.test', 'Red Pack <news@packs.test>', '<news@packs.test>']) {
      expect(named(from)).toEqual({ url, from })
    }
  })

  it.each([
    [{ PORT: '70000' }, 'PORT must be a port number from 0 to 65535, not "70000"'],
    [{ PORT: '-1' }, 'PORT must be a port number from 0 to 65535, not "-1"'],
    [{ SANDBOX: 'yes' }, 'SANDBOX must be on, open or off, not "yes"'],
    [{ SMTP_URL: 'smtp://m.test' }, 'MAIL_FROM must be set together with the other one'],
    [{ MAIL_FROM: 'a@b.test' }, 'SMTP_URL must be set together with the other one'],
    [
      { SMTP_URL: 'https://m.test', MAIL_FROM: 'a@b.test' },
      'SMTP_URL must be an address that starts with smtp:// or smtps://',
    ],
    ...['news', 'a@b.test, c@d.test', '"A" <a@b.test>', 'A <a@b.test>\nBcc: c@d.test'].map(
      (from): [Record<string, string>, string] => [
        { SMTP_URL: 'smtp://m.test', MAIL_FROM: from },
        'MAIL_FROM must be an address, or Name <address>, on one line',
      ],
    ),
    [
      { VAPID_PRIVATE_KEY: 'secret' },
      'VAPID_PRIVATE_KEY must be 43 characters of base64url (32 bytes)',
    ],
    ...['A'.repeat(43), '_'.repeat(42).concat('8')].map(
      (VAPID_PRIVATE_KEY): [Record<string, string>, string] => [
        { VAPID_PRIVATE_KEY },
        'VAPID_PRIVATE_KEY is no key that push services take',
      ],
    ),
    [{ SMTP_URL: 'smtp://', MAIL_FROM: 'a@b.test' }, 'SMTP_URL names no host'],
    [{ REDIS_URL: 'redis://' }, 'REDIS_URL names no host'],
    ...['foo bar', 'http://127.0.0.1', '[::1]', '127.0.0.1:80', '*'].map(
      (HOST): [Record<string, string>, string] => [
        { HOST, SANDBOX: 'open' },
        `HOST must be an address or a name of this machine, not "${HOST}"`,
      ],
    ),
    [{ SEED_DEMO: '1' }, 'SEED_DEMO must be on or off, not "1"'],
    [{ DEMO_DAYS: '3' }, 'DEMO_DAYS must be a whole number from 4 to 90, not "3"'],
    [{ DEMO_DAYS: '4.5' }, 'DEMO_DAYS must be a whole number from 4 to 90, not "4.5"'],
    [{ RATE_LIMITS: 'none' }, 'RATE_LIMITS must be on or off, not "none"'],
    [{ SANDBOX: 'off', RATE_LIMITS: 'off' }, 'RATE_LIMITS can be off only in sandbox mode'],
    [{ ...production, SANDBOX: 'on' }, 'SANDBOX cannot be on with NODE_ENV=production'],
    [{ ...production, SANDBOX: 'open' }, 'SANDBOX cannot be open with NODE_ENV=production'],
    [
      { ...production, PUBLIC_URL: 'http://packs.test' },
      'PUBLIC_URL must be an address that starts with https://',
    ],
    [{ ...production, PUBLIC_URL: '' }, 'PUBLIC_URL is required in production'],
    [
      { METRICS_TOKEN: 'short' },
      'METRICS_TOKEN must have 16 to 200 printable characters and no space',
    ],
    ...['ninechars', 'a'.repeat(101), 'geheimnisträger'].map(
      (TWITCH_EVENTSUB_SECRET): [Record<string, string>, string] => [
        { TWITCH_EVENTSUB_SECRET },
        'TWITCH_EVENTSUB_SECRET must have 10 to 100 printable ASCII characters',
      ],
    ),
    [
      {
        ...production,
        DISCORD_PUBLIC_KEY: '3B6DEF90EEF3BA82D711F8EEB2A626B7DE13F4A1E18CEB973FAB3128A394ED5C',
      },
      "DISCORD_PUBLIC_KEY is the sandbox's, with which anybody can sign",
    ],
    [
      { LOG_LEVEL: 'loud' },
      'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, not "loud"',
    ],
    [
      { PUBLIC_URL: 'packs.test' },
      'PUBLIC_URL must be an address that starts with http:// or https://',
    ],
    [
      { DATABASE_URL: 'mysql://root:secret@host/db' },
      'DATABASE_URL must be an address that starts with postgres:// or postgresql://',
    ],
    [
      { DATABASE_URL: 'postgres://root:secret@h1,,h2/db' },
      'DATABASE_URL cannot be read: write postgres://user:password@host:5432/database, several ' +
        'hosts with commas between them, and target_session_attrs only as any, primary or read-write',
    ],
    [
      { DATABASE_DIRECT_URL: 'postgres://host/db' },
      'DATABASE_DIRECT_URL has no meaning without DATABASE_URL',
    ],
    [{ DATABASE_POOL_SIZE: '3' }, 'DATABASE_POOL_SIZE must be a number from 4 to 100, not "3"'],
    [{ DATABASE_POOL_SIZE: '8x' }, 'DATABASE_POOL_SIZE must be a number from 4 to 100, not "8x"'],
    [
      { REDIS_URL: 'nonsense' },
      'REDIS_URL must be an address that starts with redis:// or rediss://',
    ],
    [
      { SHOP_URL: 'javascript:alert(1)' },
      'SHOP_URL must be an address that starts with http:// or https://',
    ],
    [
      { ...production, TWITCH_API_URL: 'http://api.twitch.test' },
      'TWITCH_API_URL must be an address that starts with https://',
    ],
    [
      { LOCAL_ADMIN_USERNAME: 'root' },
      'LOCAL_ADMIN_PASSWORD must be set together with the other one',
    ],
    [{ LOCAL_ADMIN_PASSWORD: 'x' }, 'LOCAL_ADMIN_USERNAME must be set together with the other one'],
    [
      { ...production, LOCAL_ADMIN_USERNAME: 'root', LOCAL_ADMIN_PASSWORD: 'short' },
      'LOCAL_ADMIN_PASSWORD needs at least 15 characters',
    ],
    [{ ENCRYPTION_KEY: 'abc' }, 'ENCRYPTION_KEY must be 64 hexadecimal digits (32 bytes)'],
    [
      { ENCRYPTION_KEY_PREVIOUS: `${'1e'.repeat(32)},abc` },
      'ENCRYPTION_KEY_PREVIOUS must be keys of 64 hexadecimal digits, with commas between them',
    ],
    [
      { ...production, DATABASE_URL: 'postgres://host/db', LOG_SIGNING_KEY: strongKeys[0] },
      'ENCRYPTION_KEY is required with DATABASE_URL in production',
    ],
    [
      { ...production, DATABASE_URL: 'postgres://host/db', ENCRYPTION_KEY: strongKeys[1] },
      'LOG_SIGNING_KEY is required with DATABASE_URL in production',
    ],
    [{ LOG_SIGNING_KEY: 'abc' }, 'LOG_SIGNING_KEY must be 64 hexadecimal digits (32 bytes)'],
    [
      { LOG_WITNESSES: 'https://witness.test' },
      'LOG_WITNESSES must be pairs VERIFIER_KEY=http://... with spaces between them',
    ],
    [
      { ...production, LOG_WITNESSES: `w.test+530d903a+${'A'.repeat(44)}=http://w.test` },
      'LOG_WITNESSES must be pairs VERIFIER_KEY=https://... with spaces between them',
    ],
    [
      { LOG_DISCORD_CHANNEL_ID: '#general' },
      'LOG_DISCORD_CHANNEL_ID must be the digits of a Discord channel id',
    ],
    [{ ...bucket, S3_BUCKET: '' }, 'S3_BUCKET must be set together with the other S3 ones'],
    [{ ...bucket, S3_BUCKET: '../x' }, 'S3_BUCKET is not a bucket name'],
    [
      { ...bucket, ...production, S3_ENDPOINT: 'http://objects.test' },
      'S3_ENDPOINT must be an address that starts with https://',
    ],
  ])('refuse %o with one line', (environment, line) => {
    expect(linesOf(environment)).toEqual([line])
  })

  it.each(['0.0.0.0', '::', '192.168.1.5', 'packs.test', '128.0.0.1', '127.evil.test'])(
    'refuse the sandbox at HOST %s, unless it is open',
    (HOST) => {
      const why = `must be a loopback address in sandbox mode, not "${HOST}"`
      expect(linesOf({ HOST })).toEqual([`HOST ${why}; SANDBOX=open serves any address`])
      expect(linesOf({ HOST, SANDBOX: 'on' })).toHaveLength(1)
      expect(linesOf({ HOST, SANDBOX: 'open' })).toEqual([])
      expect(linesOf({ HOST, SANDBOX: 'off' })).toEqual([])
    },
  )

  it.each(['https://a.test', 'a.test:80', 'a/b', '*.test', 'a b'])(
    'refuse %s as a name to answer to',
    (name) => {
      expect(linesOf({ ALLOWED_HOSTS: `packs.test, ${name}` })).toEqual([
        `ALLOWED_HOSTS must be names with commas between them, without "${name}"`,
      ])
    },
  )

  it.each(['everyone', '10.0.0.0/33', '0.0.0.0/0', '10.0.0.0/8/8', '::1/129', '10.0.0'])(
    'refuse %s as a proxy',
    (proxy) => {
      expect(linesOf({ TRUSTED_PROXIES: `10.1.2.3,${proxy}` })).toEqual([
        'TRUSTED_PROXIES must be addresses and networks like 10.0.0.0/8 with commas between ' +
          `them, without "${proxy}"`,
      ])
    },
  )

  it('let the sandbox be seen by others only when somebody says so', () => {
    for (const HOST of ['127.0.0.1', 'localhost', '::1', '127.9.9.9']) {
      expect(linesOf({ HOST })).toEqual([])
    }
    expect(readConfig({ HOST: '0.0.0.0', SANDBOX: 'open' }).sandbox).toBe(true)
    expect(linesOf({ ...production, HOST: '0.0.0.0' })).toEqual([])
  })

  it('believe proxies on this machine, and others when they are named', () => {
    expect(readConfig({}).trustedProxies).toEqual(['loopback'])
    const TRUSTED_PROXIES = 'loopback, 10.0.0.0/8,2001:db8::/32,192.0.2.7'
    expect(readConfig({ TRUSTED_PROXIES }).trustedProxies).toEqual([
      'loopback',
      '10.0.0.0/8',
      '2001:db8::/32',
      '192.0.2.7',
    ])
  })

  it('name every bad one at once and repeat no address, which may hold a password', () => {
    const lines = linesOf({ PORT: 'x', SANDBOX: 'x', DATABASE_URL: 'mysql://root:hunter2@h/d' })
    expect(lines).toHaveLength(3)
    expect(lines.join()).not.toContain('hunter2')
  })
})

describe('the pages on the settings', () => {
  const page = (name: string) => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8')
  const names = Object.keys(settings).sort()
  /** Defaults that stand in the settings as they are; the others follow from further settings. */
  const defaults = Object.entries(settings).flatMap(([name, { default: value }]) => {
    if (value === undefined || (Array.isArray(value) && value.length === 0)) return []
    return [[name, value === true ? 'on' : value === false ? 'off' : String(value)]]
  })

  it('.env.example names each, with its default', () => {
    const lines = [...page('.env.example').matchAll(/^#([A-Z0-9_]+)=(.*)$/gm)]
    expect([...new Set(lines.map(([, name]) => name))].sort()).toEqual(names)
    const shown = Object.fromEntries(lines.map(([, name, value]) => [name, value]))
    // What others know it by is shown empty: development is no value to copy.
    for (const [name = '', value] of defaults.filter(([name]) => name !== 'NODE_ENV')) {
      expect([name, shown[name]]).toEqual([name, value])
    }
  })

  it('the README names each once', () => {
    const table = /^## Settings\n([\s\S]*?)^## /m.exec(page('README.md'))?.[1] ?? ''
    const cells = [...table.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell = '']) =>
      cell.split(', ').map((name) => name.replaceAll('`', '')),
    )
    expect(cells.sort()).toEqual(names)
  })
})
