// The one reader of the environment: every setting with its default, its check and its sentence.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type DatabaseSettings, readDatabase } from './database-settings.ts'
import { type LogSettings, readLogSettings } from './log-settings.ts'
import { readProcesses } from './process-settings.ts'
import { type Reach, readReach } from './reach-settings.ts'
import { withSecretFiles } from './secret-files.ts'
import { refuseWeakSecrets } from './secret-settings.ts'
import { BadSettings, type Environment, Settings } from './settings.ts'

export interface Config extends Reach, DatabaseSettings, LogSettings {
  /** Opens the metrics to whoever carries it. */
  readonly metricsToken: string | undefined
  readonly dataDir: string
  /** How many processes serve on the one port. */
  readonly processes: number
  readonly redisUrl: string | undefined
  readonly isProduction: boolean
  /** What a start says of settings that can be used and may still be a mistake. */
  readonly notes: readonly string[]
  /** How long a process that was told to stop serves on, for proxies to turn away from it. */
  readonly drainSeconds: number
  readonly seedDemo: boolean
  /** How many days the story of the demo content goes back. */
  readonly demoDays: number
  readonly rateLimits: boolean
  /** Super users alone make super users and do what concerns everybody. */
  readonly strictRoles: boolean
  readonly brandName: string
  readonly shopUrl: string
  readonly logLevel: LogLevel
  readonly localAdmin: { readonly username: string; readonly password: string } | undefined
  readonly twitch: {
    readonly clientId: string | undefined
    readonly clientSecret: string | undefined
    readonly eventSubSecret: string | undefined
    /** Whether a sign-in asks for the e-mail address too; without a use for it, it does not. */
    readonly asksEmail: boolean
    readonly idUrl: string
    readonly apiUrl: string
  }
  readonly discord: {
    readonly clientId: string | undefined
    readonly clientSecret: string | undefined
    readonly botToken: string | undefined
    readonly publicKey: string | undefined
    readonly apiUrl: string
    readonly authorizeUrl: string
  }
  /** Bucket for uploaded pictures, undefined while they stand in the database. */
  readonly bucket: BucketSettings | undefined
  readonly encryptionKey: string | undefined
  /** Keys used before, newest first; they open what they have sealed. */
  readonly earlierEncryptionKeys: readonly string[]
}

export interface BucketSettings {
  /** Address of the service, without the bucket and without a slash at the end. */
  readonly endpoint: string
  readonly name: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
type LogLevel = (typeof logLevels)[number]

/** What `NODE_ENV` may say; only the first changes what the product does. */
const environments = ['production', 'development', 'test'] as const

const localPasswordMin = 15
const drainSecondsMax = 300
/** Six weeks; fewer than four days would leave no evening for the event night. */
const demoDays = { min: 4, max: 90, fallback: 42 }
/** The key with which the sandbox's Discord signs; it has no other use. */
const sandboxDiscordKey = '3b6def90eef3ba82d711f8eeb2a626b7de13f4a1e18ceb973fab3128a394ed5c'
const hexKeyPattern = /^[0-9a-f]{64}$/i

/**
 * Reads `.env` in the working folder when there is one, then every setting; what stands in the
 * environment wins over the file, and `overrides` over both; NAME_FILE stands for a secret in a
 * file. @throws BadSettings
 */
export function loadConfig(overrides: Environment = {}): Config {
  if (existsSync('.env')) process.loadEnvFile('.env')
  return readConfig(withSecretFiles({ ...process.env, ...overrides }))
}

/**
 * Reads every setting. @throws BadSettings with one line for each that cannot be used
 */
export function readConfig(environment: Environment): Config {
  const settings = new Settings(environment)
  // A typing error must not turn an installation into a sandbox.
  const isProduction = settings.choice('NODE_ENV', environments, 'development') === 'production'
  const hasTwitch = settings.text('TWITCH_CLIENT_ID') !== undefined
  const reach = readReach(settings, isProduction, !hasTwitch && !isProduction)
  const { publicUrl, sandbox } = reach
  const rateLimits = settings.flag('RATE_LIMITS', true)
  if (!rateLimits && !sandbox) settings.refuse('RATE_LIMITS', 'can be off only in sandbox mode')
  const database = readDatabase(settings)
  const needsKeys = isProduction && database.databaseUrl !== undefined
  const config: Config = {
    ...reach,
    metricsToken: readMetricsToken(settings),
    dataDir: resolve(settings.text('DATA_DIR') ?? './data'),
    processes: readProcesses(settings, database.databaseUrl),
    ...database,
    redisUrl: settings.url('REDIS_URL', ['redis:', 'rediss:']),
    isProduction,
    notes: settings.notes,
    // Other processes can take over only where the database is one that several may use.
    drainSeconds: settings.seconds('DRAIN_SECONDS', drainSecondsMax, needsKeys ? 5 : 0),
    seedDemo: settings.flag('SEED_DEMO', sandbox),
    demoDays: settings.wholeNumber('DEMO_DAYS', demoDays),
    rateLimits,
    strictRoles: settings.flag('STRICT_ROLES', false),
    brandName: settings.text('BRAND_NAME') ?? 'Redpack',
    shopUrl: settings.url(
      'SHOP_URL',
      ['http:', 'https:'],
      'https://shop.example.com/collections/packs',
    ),
    logLevel: settings.choice('LOG_LEVEL', logLevels, 'info'),
    localAdmin: readLocalAdmin(settings, isProduction),
    ...readProviders(settings, isProduction, sandbox, publicUrl),
    bucket: readBucket(settings, isProduction),
    encryptionKey: readSecretKey(settings, 'ENCRYPTION_KEY', needsKeys),
    earlierEncryptionKeys: readEarlierKeys(settings),
    logSigningKey: readSecretKey(settings, 'LOG_SIGNING_KEY', needsKeys),
    ...readLogSettings(settings, isProduction),
  }
  if (isProduction) refuseWeakSecrets(settings)
  noteMistakes(settings)
  if (settings.lines.length > 0) throw new BadSettings(settings.lines)
  return config
}

function noteMistakes(settings: Settings): void {
  const twitch = ['TWITCH_CLIENT_ID', 'TWITCH_CLIENT_SECRET']
  settings.noteHalfSet(twitch, 'nobody can sign in with Twitch')
  const discord = ['DISCORD_CLIENT_ID', 'DISCORD_CLIENT_SECRET']
  settings.noteHalfSet(discord, 'nobody can link a Discord account')
  const bot = ['DISCORD_BOT_TOKEN', 'DISCORD_PUBLIC_KEY']
  settings.noteHalfSet(bot, 'the Discord bot posts nothing or hears no clicks')
  settings.noteTypos()
}

function readLocalAdmin(settings: Settings, isProduction: boolean): Config['localAdmin'] {
  const username = settings.text('LOCAL_ADMIN_USERNAME')
  const password = settings.text('LOCAL_ADMIN_PASSWORD')
  if (username === undefined && password === undefined) return undefined
  if (username === undefined || password === undefined) {
    settings.refuse(
      username === undefined ? 'LOCAL_ADMIN_USERNAME' : 'LOCAL_ADMIN_PASSWORD',
      'must be set together with the other one',
    )
    return undefined
  }
  if (isProduction && password.length < localPasswordMin) {
    settings.refuse('LOCAL_ADMIN_PASSWORD', `needs at least ${localPasswordMin} characters`)
  }
  return { username, password }
}

function readMetricsToken(settings: Settings): string | undefined {
  const token = settings.text('METRICS_TOKEN')
  if (token !== undefined && !/^[\x21-\x7e]{16,200}$/.test(token)) {
    settings.refuse('METRICS_TOKEN', 'must have 16 to 200 printable characters and no space')
  }
  return token
}

const bucketSettings = [
  'S3_ENDPOINT',
  'S3_BUCKET',
  'S3_REGION',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
] as const

function readBucket(settings: Settings, isProduction: boolean): BucketSettings | undefined {
  const missing = bucketSettings.filter((name) => settings.text(name) === undefined)
  if (missing.length === bucketSettings.length) return undefined
  for (const name of missing) settings.refuse(name, 'must be set together with the other S3 ones')
  const endpoint = settings.url('S3_ENDPOINT', isProduction ? ['https:'] : ['https:', 'http:'])
  if (missing.length > 0 || endpoint === undefined) return undefined
  const [, name = '', region = '', accessKeyId = '', secretAccessKey = ''] = bucketSettings.map(
    (setting) => settings.text(setting),
  )
  if (!/^[a-z0-9][a-z0-9.-]{1,62}$/.test(name)) settings.refuse('S3_BUCKET', 'is not a bucket name')
  return { endpoint, name, region, accessKeyId, secretAccessKey }
}

function readSecretKey(settings: Settings, name: string, isRequired: boolean): string | undefined {
  const key = settings.text(name)
  if (key === undefined && isRequired) {
    settings.refuse(name, 'is required with DATABASE_URL in production')
  }
  if (key !== undefined && !hexKeyPattern.test(key)) {
    settings.refuse(name, 'must be 64 hexadecimal digits (32 bytes)')
  }
  return key?.toLowerCase()
}

function readEarlierKeys(settings: Settings): string[] {
  const given = settings.list('ENCRYPTION_KEY_PREVIOUS')
  if (given.some((key) => !hexKeyPattern.test(key))) {
    settings.refuse(
      'ENCRYPTION_KEY_PREVIOUS',
      'must be keys of 64 hexadecimal digits, with commas between them',
    )
  }
  return given.map((key) => key.toLowerCase())
}

function readPublicKey(settings: Settings, sandbox: boolean): string | undefined {
  const key = settings.text('DISCORD_PUBLIC_KEY')
  if (key !== undefined && !hexKeyPattern.test(key)) {
    settings.refuse('DISCORD_PUBLIC_KEY', 'must be 64 hexadecimal digits')
  }
  if (!sandbox && key?.toLowerCase() === sandboxDiscordKey) {
    settings.refuse('DISCORD_PUBLIC_KEY', "is the sandbox's, with which anybody can sign")
  }
  return key
}

function readProviders(
  settings: Settings,
  isProduction: boolean,
  sandbox: boolean,
  publicUrl: string,
): Pick<Config, 'twitch' | 'discord'> {
  const protocols = isProduction ? ['https:'] : ['https:', 'http:']
  if (/[^\x21-\x7e]/.test(settings.text('DISCORD_BOT_TOKEN') ?? '')) {
    settings.refuse('DISCORD_BOT_TOKEN', 'is not a token: it has blanks or unusual characters')
  }
  const base = (name: string, real: string, path: string) =>
    settings.url(name, protocols, sandbox ? `${publicUrl}/sandbox${path}` : real)
  return {
    twitch: {
      clientId: settings.text('TWITCH_CLIENT_ID') ?? (sandbox ? 'sandbox-twitch' : undefined),
      clientSecret:
        settings.text('TWITCH_CLIENT_SECRET') ?? (sandbox ? 'sandbox-secret' : undefined),
      eventSubSecret: settings.text('TWITCH_EVENTSUB_SECRET'),
      asksEmail: settings.flag('TWITCH_ASK_EMAIL', sandbox),
      idUrl: base('TWITCH_ID_URL', 'https://id.twitch.tv', '/twitch/id'),
      apiUrl: base('TWITCH_API_URL', 'https://api.twitch.tv/helix', '/twitch/helix'),
    },
    discord: {
      clientId: settings.text('DISCORD_CLIENT_ID') ?? (sandbox ? 'sandbox-discord' : undefined),
      clientSecret:
        settings.text('DISCORD_CLIENT_SECRET') ?? (sandbox ? 'sandbox-secret' : undefined),
      botToken: settings.text('DISCORD_BOT_TOKEN') ?? (sandbox ? 'sandbox-bot-token' : undefined),
      publicKey: readPublicKey(settings, sandbox) ?? (sandbox ? sandboxDiscordKey : undefined),
      apiUrl: base('DISCORD_API_URL', 'https://discord.com/api/v10', '/discord/api/v10'),
      authorizeUrl: base(
        'DISCORD_AUTHORIZE_URL',
        'https://discord.com/oauth2/authorize',
        '/discord/oauth2/authorize',
      ),
    },
  }
}
