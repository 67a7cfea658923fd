// Every setting, once: its kind, what holds when nobody has set it, and whether it is a secret.
// `.env.example` and the table of the README say what each is for.

import { createECDH } from 'node:crypto'
import { isIP } from 'node:net'
import { databaseAddresses } from './postgres-addresses.ts'
import {
  address,
  choice,
  flag,
  hexKey,
  list,
  number,
  pattern,
  Refusal,
  type Setting,
  text,
  webAddress,
  webKey,
} from './setting-kinds.ts'

export const processesMax = 64
/** Fewer connections would leave none apart for reads; more only wait for each other. */
const poolSizes = [4, 100] as const
/** Fewer than four days would leave no evening for the event night. */
const demoDays = [4, 90] as const
/** A bare address, or one in angle brackets after a name that needs no quotes. */
const sender =
  /^(?:[^\p{Cc}"<>,;:@]+ )?(?:<[^\s<>@"]+@[^\s<>@"]+>|(?<! )[^\s<>@",;]+@[^\s<>@",;]+)$/u
const hostName = /^(?=.{1,253}$)[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i

/** An address, a network that is not everything, or the word for this machine. */
function isProxy(text: string): boolean {
  const [ip = '', bits, ...more] = text.split('/')
  if (text === 'loopback') return true
  const version = isIP(ip)
  if (version === 0 || more.length > 0) return false
  if (bits === undefined) return true
  return /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128)
}

/** Pairs of a witness's verifier key and its address, with `=` between them. */
const witnessPair = /^([^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44})=(https?:\/\/.+)$/

/** Somebody who asks the log to be cosigned. */
interface Witness {
  /** `name+id+key`, as the witness's operator gives it. */
  readonly verifierKey: string
  /** Address under which checkpoints are submitted, without a slash at the end. */
  readonly url: string
}

const witnesses: Setting<readonly Witness[], readonly Witness[]> = {
  read: (value, isProduction) => {
    const scheme = isProduction ? 'https' : 'http'
    const pairs = value.split(/[\s,]+/).filter((word) => word !== '')
    const read = pairs.map((pair) => {
      const [, verifierKey = '', url = ''] = witnessPair.exec(pair) ?? []
      return { verifierKey, url: url.replace(/\/+$/, '') }
    })
    return read.every(({ url }) => URL.canParse(url) && url.startsWith(scheme))
      ? read
      : new Refusal(`must be pairs VERIFIER_KEY=${scheme}://... with spaces between them`)
  },
  default: [],
}

/** The value itself is not repeated: it may carry a password. */
const database: Setting<string, undefined> = {
  read: (value) => {
    if (!/^postgres(ql)?:\/\//.test(value)) {
      return new Refusal('must be an address that starts with postgres:// or postgresql://')
    }
    if (databaseAddresses(value) !== undefined) return value
    return new Refusal(
      'cannot be read: write postgres://user:password@host:5432/database, several hosts with ' +
        'commas between them, and target_session_attrs only as any, primary or read-write',
    )
  },
  default: undefined,
}

const processes: Setting<number | 'auto', 1> = {
  read: (value) => {
    const isCount = /^\d{1,2}$/.test(value) && Number(value) >= 1 && Number(value) <= processesMax
    if (value === 'auto') return value
    if (isCount) return Number(value)
    return new Refusal(`must be auto or a number from 1 to ${processesMax}, not "${value}"`)
  },
  default: 1,
}

const host: Setting<string, string> = {
  read: (value) =>
    isIP(value) !== 0 || hostName.test(value)
      ? value
      : new Refusal(`must be an address or a name of this machine, not "${value}"`),
  default: '127.0.0.1',
}

const pushKey: Setting<string, undefined> = {
  read: (value) => {
    if (!webKey.test(value)) {
      return new Refusal('must be 43 characters of base64url (32 bytes)')
    }
    try {
      createECDH('prime256v1').setPrivateKey(value, 'base64url')
      return value
    } catch {
      return new Refusal('is no key that push services take')
    }
  },
  default: undefined,
}

const key = pattern(hexKey, 'must be 64 hexadecimal digits (32 bytes)')
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
const web = ['http:', 'https:']

/** A secret that may stand in a file. */
const inFile = <S extends object>(setting: S) => ({ ...setting, isFile: true })
/** A secret that nobody may be able to guess. */
const guarded = <S extends object>(setting: S) => ({ ...setting, isGuarded: true })
const secret = <S extends object>(setting: S) => inFile(guarded(setting))

export const settings = {
  PORT: number('a port number', [0, 65_535], 3_000),
  HOST: host,
  PUBLIC_URL: webAddress,
  ALLOWED_HOSTS: list(
    (name) => hostName.test(name),
    (bad) => `must be names with commas between them, without "${bad}"`,
  ),
  TRUSTED_PROXIES: list(
    isProxy,
    (bad) =>
      'must be addresses and networks like 10.0.0.0/8 with commas between them, ' +
      `without "${bad}"`,
    ['loopback'],
  ),
  DRAIN_SECONDS: number('a number of seconds', [0, 300], undefined),

  DATA_DIR: text('./data'),
  DATABASE_URL: inFile(database),
  DATABASE_DIRECT_URL: inFile(database),
  DATABASE_POOL_SIZE: number('a number', poolSizes, 8),
  PROCESSES: processes,
  REDIS_URL: inFile(address(['redis:', 'rediss:'], undefined)),
  ENCRYPTION_KEY: secret(key),
  ENCRYPTION_KEY_PREVIOUS: inFile(
    list(
      (value) => hexKey.test(value),
      () => 'must be keys of 64 hexadecimal digits, with commas between them',
    ),
  ),
  LOG_SIGNING_KEY: secret(key),
  LOG_WITNESSES: witnesses,
  LOG_DISCORD_CHANNEL_ID: pattern(/^\d{5,25}$/, 'must be the digits of a Discord channel id'),
  S3_ENDPOINT: webAddress,
  S3_BUCKET: pattern(/^[a-z0-9][a-z0-9.-]{1,62}$/, 'is not a bucket name'),
  S3_REGION: text(undefined),
  S3_ACCESS_KEY_ID: text(undefined),
  S3_SECRET_ACCESS_KEY: secret(text(undefined)),

  METRICS_TOKEN: secret(
    pattern(/^[\x21-\x7e]{16,200}$/, 'must have 16 to 200 printable characters and no space'),
  ),
  LOCAL_ADMIN_USERNAME: text(undefined),
  LOCAL_ADMIN_PASSWORD: secret(text(undefined)),

  TWITCH_CLIENT_ID: text(undefined),
  TWITCH_CLIENT_SECRET: secret(text(undefined)),
  TWITCH_EVENTSUB_SECRET: secret(
    // What Twitch takes.
    pattern(/^[\x20-\x7e]{10,100}$/, 'must have 10 to 100 printable ASCII characters'),
  ),
  TWITCH_ASK_EMAIL: flag(undefined),
  DISCORD_CLIENT_ID: text(undefined),
  DISCORD_CLIENT_SECRET: secret(text(undefined)),
  DISCORD_BOT_TOKEN: secret(
    pattern(/^[\x21-\x7e]+$/, 'is not a token: it has blanks or unusual characters'),
  ),
  DISCORD_PUBLIC_KEY: guarded(pattern(hexKey, 'must be 64 hexadecimal digits')),
  TWITCH_ID_URL: webAddress,
  TWITCH_API_URL: webAddress,
  DISCORD_API_URL: webAddress,
  DISCORD_AUTHORIZE_URL: webAddress,

  SMTP_URL: inFile(address(['smtp:', 'smtps:'], undefined)),
  MAIL_FROM: pattern(sender, 'must be an address, or Name <address>, on one line'),

  VAPID_PRIVATE_KEY: secret(pushKey),

  SANDBOX: choice(['on', 'open', 'off'], undefined, 'must be on, open or off'),
  SEED_DEMO: flag(undefined),
  DEMO_DAYS: number('a whole number', demoDays, 42),
  RATE_LIMITS: flag(true),
  STRICT_ROLES: flag(false),
  BRAND_NAME: text('Redpack'),
  SHOP_URL: address(web, 'https://shop.example.com/collections/packs'),
  LOG_LEVEL: choice(logLevels, 'info'),
  // A typing error must not turn an installation into a sandbox.
  NODE_ENV: choice(['production', 'development', 'test'], 'development'),
}
