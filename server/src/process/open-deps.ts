// Opens everything outside the program that the settings require, and closes it in the right order.

import type { FastifyBaseLogger } from 'fastify'
import { movableClock, systemClock } from '../adapters/clock/clock.ts'
import { type DataFolder, openDataFolder } from '../adapters/data-folder/data-folder.ts'
import {
  generatedEncryptionKey,
  generatedLocalPassword,
  generatedLogKey,
  generatedPushKey,
} from '../adapters/data-folder/generated-keys.ts'
import { lastCheckpointIn } from '../adapters/data-folder/last-checkpoint.ts'
import type { Database } from '../adapters/db/database.ts'
import { startDiskWatch } from '../adapters/db/database-watch.ts'
import { readMigrations } from '../adapters/db/migrate.ts'
import { openDatabase, refuseOtherMode, rememberMode } from '../adapters/db/open.ts'
import { startRollingDumps } from '../adapters/db/rolling-dumps.ts'
import type { Deps } from '../adapters/deps.ts'
import { type Encryption, encryptionWith } from '../adapters/encryption/encryption.ts'
import { type KeySource, refuseOtherKey, rememberKey } from '../adapters/encryption/key-marks.ts'
import { type Events, localEvents } from '../adapters/events/events.ts'
import { postgresEvents } from '../adapters/events/postgres-events.ts'
import { redisEvents } from '../adapters/events/redis-events.ts'
import { openOutside } from '../adapters/outside.ts'
import { loadedRandom, type Random, systemRandom } from '../adapters/random/random.ts'
import { publicLog } from '../adapters/transparency-log/public-log.ts'
import { type Config, pushOf } from '../config/config.ts'
import { seedDemo } from '../demo/seed.ts'
import { migrationsFolder } from '../paths.ts'

/** The name of the local account when nobody has chosen one. */
const generatedAdminName = 'admin'

export type OpenedDeps = Awaited<ReturnType<typeof openDeps>>

/** The settings with what is generated into the data folder when nobody has set it. */
export interface CompletedConfig {
  readonly config: Config & { readonly encryptionKeySource: KeySource }
  /** File that keeps the local account's generated password, when it was generated. */
  readonly passwordFile: string | undefined
}

/** Adds the keys, and in sandbox mode the local account. */
export function completeConfig(config: Config): CompletedConfig {
  const withKeys: CompletedConfig['config'] = {
    ...config,
    encryptionKeySource: config.encryptionKey === undefined ? 'file' : 'setting',
    encryptionKey: config.encryptionKey ?? generatedEncryptionKey(config.dataDir, systemRandom),
    push: config.push ?? ownPush(config),
    logSigningKey: config.logSigningKey ?? generatedLogKey(config.dataDir, systemRandom),
  }
  if (config.localAdmin !== undefined || !config.sandbox) {
    return { config: withKeys, passwordFile: undefined }
  }
  const { password, file } = generatedLocalPassword(config.dataDir, systemRandom)
  return {
    config: { ...withKeys, localAdmin: { username: generatedAdminName, password } },
    passwordFile: file,
  }
}

/** Several machines would have a key each, and browsers believe one: there it has to be set. */
function ownPush(config: Config): Config['push'] {
  const isShared = config.isProduction && config.databaseUrl !== undefined
  return isShared ? undefined : pushOf(generatedPushKey(config.dataDir), config)
}

/** Takes the data folder; exclusively when it holds the database. */
export function takeDataFolder(config: Config): Promise<DataFolder> {
  return openDataFolder(config.dataDir, config.databaseUrl === undefined)
}

/**
 * Opens the database, brings it up to date and fills an empty one with demo content when asked for.
 * @throws errors whose message is one line for whoever started the program
 */
export async function openDeps(
  config: CompletedConfig['config'],
  folder: DataFolder,
  log: FastifyBaseLogger,
  /** Called when the embedded database has ended by itself. */
  onStopped: (lastWords: string) => void,
  /** The dice of a sandbox whose processes share them. */
  sharedDice?: Random,
) {
  // What a setting cannot mean is told before the database is brought up to date.
  const encryption = openEncryption(config, log)
  const signing = publicLog(config, lastCheckpointIn(config.dataDir))
  const { db, applied } = await openDatabase({
    settings: config,
    folder: folder.database,
    migrations: await readMigrations(migrationsFolder),
    log,
    onStopped,
    clock: systemClock,
    admit: async (tx) => {
      await refuseOtherMode(tx, config.sandbox)
      await refuseOtherKey(tx, encryption, config.encryptionKeySource)
    },
  })
  await orClose(db, () => rememberMode(db, config.sandbox))
  await orClose(db, () => rememberKey(db, encryption, config.encryptionKeySource))
  const clock = config.sandbox ? movableClock(systemClock) : systemClock
  const deps: Deps = {
    config,
    db,
    clock,
    random: config.sandbox ? (sharedDice ?? loadedRandom(systemRandom)) : systemRandom,
    encryption,
    events: openEvents(config, db, log),
    ...openOutside(config, clock),
    publicLog: signing,
    log,
  }
  const isSeeded = config.seedDemo && (await seedDemo(deps, config.demoDays))
  // Plans made for empty tables would make the first session several times slower.
  if (isSeeded || applied.length > 0) await db.script('ANALYZE')
  const upkeep = db.kind === 'embedded' ? startUpkeep(deps, folder) : undefined
  return {
    deps,
    /** A stop has begun: gives up what everything else waits for. */
    interrupt: () => upkeep?.dumps.interrupt(),
    /** Events, last dump, database, lock: in this order. */
    close: () => closeDeps(deps, upkeep),
  }
}

async function orClose(db: Database, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    await db.close()
    throw error
  }
}

/** What cannot be opened is told without the row in which it stands. */
function openEncryption(config: Config, log: FastifyBaseLogger): Encryption {
  const { encryptionKey, earlierEncryptionKeys } = config
  return encryptionWith(encryptionKey, systemRandom, earlierEncryptionKeys, (unopened) => {
    const { keyId, why } = unopened
    const context = unopened.context.replace(/([|:]\d+)+$/, '')
    log.warn({ context, keyId, why }, 'a stored secret cannot be opened with this ENCRYPTION_KEY')
  })
}

function openEvents(config: Config, db: Database, log: FastifyBaseLogger): Events {
  const origin = systemRandom.uuid()
  const text = 'events did not reach others'
  const onError = (error: unknown) => log.warn({ err: error }, text)
  if (config.redisUrl !== undefined) {
    return redisEvents(config.redisUrl, {
      origin,
      onError,
      onConnection: (by, error) =>
        error === undefined
          ? log.warn({ back: 'Redis', by }, 'Redis answers again')
          : log.warn({ err: error, down: 'Redis', by }, 'Redis cannot be reached'),
    })
  }
  const ofDatabase = (error: unknown) => log.warn({ err: error, because: 'the database' }, text)
  const options = { origin, onError: ofDatabase }
  const { databaseUrl, databaseDirectUrl } = config
  if (databaseDirectUrl !== undefined) return postgresEvents(databaseDirectUrl, options)
  if (db.pool?.().isPooled === true) {
    log.warn(
      'DATABASE_URL leads to a pooler, which carries no events between processes: set ' +
        'DATABASE_DIRECT_URL or REDIS_URL, or screens lag behind what other processes do',
    )
    return localEvents(onError)
  }
  if (databaseUrl !== undefined) return postgresEvents(databaseUrl, options)
  return localEvents(onError)
}

/** What the embedded database has no processes of its own for. */
function startUpkeep({ db, log }: Deps, folder: DataFolder) {
  return {
    dumps: startRollingDumps(db, { folder: folder.dumps, clock: systemClock, log }),
    disk: startDiskWatch(db, { folder: folder.database, log }),
  }
}

async function closeDeps(
  deps: Deps,
  upkeep: ReturnType<typeof startUpkeep> | undefined,
): Promise<void> {
  await deps.events.close()
  upkeep?.disk.stop()
  await upkeep?.dumps.stop()
  await deps.db.close()
}
