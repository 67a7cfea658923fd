import { describe, expect, it } from 'vitest'
import { BadSettings, readConfig } from './config.ts'

/** The lines that these settings are refused with; none when they are taken. */
function linesOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    if (error instanceof BadSettings) return error.lines
    throw error
  }
}

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
  S3_SECRET_ACCESS_KEY: 'secret',
}

describe('settings', () => {
  it('have a default for everything', () => {
    const config = readConfig({})
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      publicUrl: 'http://127.0.0.1:3000',
      databaseUrl: undefined,
      redisUrl: undefined,
      sandbox: true,
      seedDemo: true,
      rateLimits: true,
      brandName: 'Redpack',
      logLevel: 'info',
      localAdmin: undefined,
    })
    expect(config.dataDir).toBe(`${process.cwd()}/data`)
  })

  it('name a bucket for pictures, or none', () => {
    expect(readConfig({}).bucket).toBeUndefined()
    expect(readConfig(bucket).bucket).toEqual({
      endpoint: 'https://objects.test',
      name: 'pictures',
      region: 'eu-central-1',
      accessKeyId: 'key',
      secretAccessKey: 'secret',
    })
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

  it.each([
    [{ PORT: '70000' }, 'PORT must be a port number from 0 to 65535, not "70000"'],
    [{ PORT: '-1' }, 'PORT must be a port number from 0 to 65535, not "-1"'],
    [{ SANDBOX: 'yes' }, 'SANDBOX must be on or off, not "yes"'],
    [{ SEED_DEMO: '1' }, 'SEED_DEMO must be on or off, not "1"'],
    [{ RATE_LIMITS: 'none' }, 'RATE_LIMITS must be on or off, not "none"'],
    [{ SANDBOX: 'off', RATE_LIMITS: 'off' }, 'RATE_LIMITS can be off only in sandbox mode'],
    [{ ...production, SANDBOX: 'on' }, 'SANDBOX cannot be on with NODE_ENV=production'],
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
      { ...production, DATABASE_URL: 'postgres://host/db' },
      'ENCRYPTION_KEY is required with DATABASE_URL in production',
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

  it('name every bad one at once and repeat no address, which may hold a password', () => {
    const lines = linesOf({ PORT: 'x', SANDBOX: 'x', DATABASE_URL: 'mysql://root:hunter2@h/d' })
    expect(lines).toHaveLength(3)
    expect(lines.join()).not.toContain('hunter2')
  })
})
