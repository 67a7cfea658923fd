// The one reader of the environment: what the settings say, held against each other.

import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { type NetworkConfig, networkConfig } from './network-config.ts'
import {
  BadSettings,
  type Environment,
  notesOn,
  type Reading,
  readSettings,
  weakSecretsIn,
  withSecretFiles,
} from './read-settings.ts'
import { processesMax } from './settings.ts'

export type Config = Readonly<ReturnType<typeof readConfig>>

export interface MailSettings {
  /** The server that takes mail, or the mailbox of the sandbox (http). */
  readonly url: string
  /** What stands in `From`: an address, or a name and an address. */
  readonly from: string
}

export interface PushSettings {
  /** 32 bytes as base64url: the product's VAPID key (RFC 8292). */
  readonly privateKey: string
  /** Where push services reach whoever is to blame. */
  readonly subject: string
  /** Begins the addresses of the sandbox's push service, which is not on the internet. */
  readonly ownService: string | undefined
}

export interface BucketSettings {
  /** Address of the service, without the bucket and without a slash at the end. */
  readonly endpoint: string
  readonly name: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

const localPasswordMin = 15
/** Other processes can take over only where the database is one that several may use. */
const drainSecondsWithOthers = 5
/** The key with which the sandbox's Discord signs; it has no other use. */
const sandboxDiscordKey = '3b6def90eef3ba82d711f8eeb2a626b7de13f4a1e18ceb973fab3128a394ed5c'

/**
 * Reads `.env` in the working folder when there is one, then every setting; what stands in the
 * environment wins over the file, and `overrides` over both; NAME_FILE stands for a secret in a
 * file. @throws BadSettings
 */
export function loadConfig(overrides: Environment = {}): Config {
  if (existsSync('.env')) loadEnvFile()
  return readConfig(withSecretFiles({ ...process.env, ...overrides }))
}

/** Node itself says of a file that may not be read that there is none. */
function loadEnvFile(): void {
  try {
    readFileSync('.env')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error)
    throw new BadSettings([`The file .env cannot be read: ${code}`])
  }
  process.loadEnvFile('.env')
}

/**
 * Reads every setting. @throws BadSettings with one line for each that cannot be used
 */
export function readConfig(environment: Environment) {
  const reading = readSettings(environment)
  const { values, isProduction, lines, refuse } = reading
  const network = networkConfig(reading)
  const { sandbox } = network
  const mail = mailOf(reading, network)
  if (!values.RATE_LIMITS && !sandbox) refuse('RATE_LIMITS', 'can be off only in sandbox mode')
  const needsKeys = isProduction && values.DATABASE_URL !== undefined
  requireKeys(reading, needsKeys)
  if (values.DATABASE_DIRECT_URL !== undefined && !reading.isSet('DATABASE_URL')) {
    refuse('DATABASE_DIRECT_URL', 'has no meaning without DATABASE_URL')
  }
  const config = {
    ...network,
    /** Opens the metrics to whoever carries it. */
    metricsToken: values.METRICS_TOKEN,
    dataDir: resolve(values.DATA_DIR),
    /** May name several hosts; undefined means the embedded database. */
    databaseUrl: values.DATABASE_URL,
    /** The same database without a pooler, where `databaseUrl` leads to one. */
    databaseDirectUrl: values.DATABASE_DIRECT_URL,
    /** Connections of this process that requests share. */
    databasePoolSize: values.DATABASE_POOL_SIZE,
    /** How many processes serve on the one port. */
    processes: processesOf(reading),
    redisUrl: values.REDIS_URL,
    isProduction,
    /** What a start says of settings that can be used and may still be a mistake. */
    notes: notesOn(environment, sandbox),
    /** How long a process that was told to stop serves on, for proxies to turn away from it. */
    drainSeconds: values.DRAIN_SECONDS ?? (needsKeys ? drainSecondsWithOthers : 0),
    seedDemo: values.SEED_DEMO ?? sandbox,
    /** How many days the story of the demo content goes back. */
    demoDays: values.DEMO_DAYS,
    rateLimits: values.RATE_LIMITS,
    /** Super users alone make super users and do what concerns everybody. */
    strictRoles: values.STRICT_ROLES,
    brandName: values.BRAND_NAME,
    shopUrl: values.SHOP_URL,
    logLevel: values.LOG_LEVEL,
    localAdmin: localAdminOf(reading),
    ...providersOf(reading, network, mail),
    /** Undefined where no mail can be sent. */
    mail,
    /** Undefined where nothing can be pushed to browsers. */
    push: pushOf(values.VAPID_PRIVATE_KEY, network),
    /** Bucket for uploaded pictures, undefined while they stand in the database. */
    bucket: bucketOf(reading),
    encryptionKey: values.ENCRYPTION_KEY?.toLowerCase(),
    /** Keys used before, newest first; they open what they have sealed. */
    earlierEncryptionKeys: values.ENCRYPTION_KEY_PREVIOUS.map((key) => key.toLowerCase()),
    /** Seed of the key that signs the log. */
    logSigningKey: values.LOG_SIGNING_KEY?.toLowerCase(),
    /** Who is asked to cosign its checkpoints. */
    logWitnesses: values.LOG_WITNESSES,
    /** Discord channel that gets the checkpoint once a day. */
    logDiscordChannelId: values.LOG_DISCORD_CHANNEL_ID,
  }
  if (isProduction) lines.push(...weakSecretsIn(environment))
  if (lines.length > 0) throw new BadSettings(lines)
  return config
}

function requireKeys({ isSet, refuse }: Reading, areNeeded: boolean): void {
  for (const name of ['ENCRYPTION_KEY', 'LOG_SIGNING_KEY'] as const) {
    if (areNeeded && !isSet(name)) refuse(name, 'is required with DATABASE_URL in production')
  }
}

/** With the embedded database there is one process: it has one connection and one owner. */
function processesOf({ values, isSet, refuse }: Reading): number {
  const isEmbedded = !isSet('DATABASE_URL')
  const count = values.PROCESSES
  if (count === 'auto') return isEmbedded ? 1 : Math.min(availableParallelism(), processesMax)
  if (isEmbedded && count > 1) {
    const why = 'must be 1 with the embedded database, which one process alone can open'
    refuse('PROCESSES', `${why}; for several set DATABASE_URL`)
  }
  return count
}

function localAdminOf({ values, isProduction, refuse }: Reading) {
  const { LOCAL_ADMIN_USERNAME: username, LOCAL_ADMIN_PASSWORD: password } = values
  if (username === undefined && password === undefined) return undefined
  if (username === undefined || password === undefined) {
    const missing = username === undefined ? 'LOCAL_ADMIN_USERNAME' : 'LOCAL_ADMIN_PASSWORD'
    refuse(missing, 'must be set together with the other one')
    return undefined
  }
  if (isProduction && password.length < localPasswordMin) {
    refuse('LOCAL_ADMIN_PASSWORD', `needs at least ${localPasswordMin} characters`)
  }
  return { username, password }
}

const bucketSettings = [
  'S3_ENDPOINT',
  'S3_BUCKET',
  'S3_REGION',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
] as const

function bucketOf({ values, isSet, refuse }: Reading): BucketSettings | undefined {
  const missing = bucketSettings.filter((name) => !isSet(name))
  if (missing.length === bucketSettings.length) return undefined
  for (const name of missing) refuse(name, 'must be set together with the other S3 ones')
  return {
    endpoint: values.S3_ENDPOINT ?? '',
    name: values.S3_BUCKET ?? '',
    region: values.S3_REGION ?? '',
    accessKeyId: values.S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: values.S3_SECRET_ACCESS_KEY ?? '',
  }
}

/** In the sandbox mail goes to its mailbox, unless a server is named. */
function mailOf(
  { values, isSet, refuse }: Reading,
  { sandbox, publicUrl }: NetworkConfig,
): MailSettings | undefined {
  const { SMTP_URL: url, MAIL_FROM: from } = values
  if (isSet('SMTP_URL') !== isSet('MAIL_FROM')) {
    const missing = isSet('SMTP_URL') ? 'MAIL_FROM' : 'SMTP_URL'
    refuse(missing, 'must be set together with the other one')
  }
  if (url !== undefined && from !== undefined) return { url, from }
  if (!sandbox) return undefined
  return { url: `${publicUrl}/sandbox/mail`, from: 'Redpack <redpack@sandbox.example>' }
}

/** What pushes with a key, set or generated; undefined without one. */
export function pushOf(
  privateKey: string | undefined,
  { publicUrl, sandbox }: Pick<NetworkConfig, 'publicUrl' | 'sandbox'>,
): PushSettings | undefined {
  if (privateKey === undefined) return undefined
  const isWeb = publicUrl.startsWith('https:')
  return {
    privateKey,
    subject: isWeb ? publicUrl : 'mailto:redpack@sandbox.example',
    ownService: sandbox ? `${publicUrl}/sandbox/push/` : undefined,
  }
}

function providersOf(
  { values, refuse }: Reading,
  { sandbox, publicUrl }: NetworkConfig,
  mail: MailSettings | undefined,
) {
  if (!sandbox && values.DISCORD_PUBLIC_KEY?.toLowerCase() === sandboxDiscordKey) {
    refuse('DISCORD_PUBLIC_KEY', "is the sandbox's, with which anybody can sign")
  }
  /** What the stand-ins know where nobody has said it. */
  const known = (value: string | undefined, ofSandbox: string) =>
    value ?? (sandbox ? ofSandbox : undefined)
  const base = (value: string | undefined, real: string, path: string) =>
    value ?? (sandbox ? `${publicUrl}/sandbox${path}` : real)
  return {
    twitch: {
      clientId: known(values.TWITCH_CLIENT_ID, 'sandbox-twitch'),
      clientSecret: known(values.TWITCH_CLIENT_SECRET, 'sandbox-secret'),
      eventSubSecret: values.TWITCH_EVENTSUB_SECRET,
      /** Whether a sign-in asks for the email address too; without a use for it, it does not. */
      asksEmail: values.TWITCH_ASK_EMAIL ?? mail !== undefined,
      idUrl: base(values.TWITCH_ID_URL, 'https://id.twitch.tv', '/twitch/id'),
      apiUrl: base(values.TWITCH_API_URL, 'https://api.twitch.tv/helix', '/twitch/helix'),
    },
    discord: {
      clientId: known(values.DISCORD_CLIENT_ID, 'sandbox-discord'),
      clientSecret: known(values.DISCORD_CLIENT_SECRET, 'sandbox-secret'),
      botToken: known(values.DISCORD_BOT_TOKEN, 'sandbox-bot-token'),
      publicKey: known(values.DISCORD_PUBLIC_KEY, sandboxDiscordKey),
      apiUrl: base(values.DISCORD_API_URL, 'https://discord.com/api/v10', '/discord/api/v10'),
      authorizeUrl: base(
        values.DISCORD_AUTHORIZE_URL,
        'https://discord.com/oauth2/authorize',
        '/discord/oauth2/authorize',
      ),
    },
  }
}
