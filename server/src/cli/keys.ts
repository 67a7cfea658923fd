// What an operator does about lost or old keys: the second factor, the key of the public log, and
// the keys that seal what is stored.

import { systemClock } from '../adapters/clock/clock.ts'
import { generatedLogKey, keptEncryptionKey } from '../adapters/data-folder/generated-keys.ts'
import { lastCheckpointIn } from '../adapters/data-folder/last-checkpoint.ts'
import { migrate, readMigrations } from '../adapters/db/migrate.ts'
import { valueQuery } from '../adapters/db/queries.ts'
import { type Encryption, encryptionWith } from '../adapters/encryption/encryption.ts'
import {
  giveKeyUp,
  keysOfDatabase,
  OtherKey,
  refuseOtherKey,
} from '../adapters/encryption/key-marks.ts'
import type { SealedCount } from '../adapters/encryption/sealed-columns.ts'
import { systemRandom } from '../adapters/random/random.ts'
import { publicLog } from '../adapters/transparency-log/public-log.ts'
import type { Config } from '../config/config.ts'
import {
  endEverySession,
  readSecondFactor,
  removeSecondFactor,
} from '../features/account/tables.ts'
import { recordStaffAction } from '../features/audit/tables.ts'
import { giveUpChains } from '../features/fairness/chain-tables.ts'
import { renewLog } from '../features/fairness/public-log.ts'
import { migrationsFolder } from '../paths.ts'
import { targetOf } from '../shared/staff-call.ts'
import { CannotRun, type CommandOutput, withDatabase } from './command.ts'
import { type Reencrypted, reencrypt } from './reencrypt.ts'
import { refuseOtherSchema } from './verify-economy.ts'

const lockKeeper = valueQuery<{ id: number }>(
  'lock_protected_account',
  'SELECT id FROM users WHERE is_protected AND deleted_at IS NULL ORDER BY id LIMIT 1 FOR UPDATE',
)

/** Says what was done; the password alone is enough from the next sign-in on. */
export async function takeOffSecondFactor(config: Config, output: CommandOutput): Promise<void> {
  const wasThere = await withDatabase(config, (db) =>
    db.transaction(async (tx) => {
      const keeper = await lockKeeper(tx)
      if (keeper === undefined) return false
      if ((await readSecondFactor(tx, keeper)) === undefined) return false
      await removeSecondFactor(tx, keeper)
      await endEverySession(tx, keeper)
      await recordStaffAction(tx, {
        actorId: keeper,
        action: 'second_factor.disable',
        ...targetOf('user', keeper),
        reason: "The operator's command",
        requestId: 'command',
        now: new Date(),
      })
      return true
    }),
  )
  output.line(
    wasThere
      ? 'The local account now signs in with its password alone'
      : 'The local account has no second factor',
  )
}

/** There may be as many chains as players. */
const statementMillisMax = 600_000

/**
 * Answers 1 when something is left that no key opens, else 0. `lost` names a key to give up
 * first.
 * @throws CannotRun when a key is missing; nothing is changed then
 */
export async function reseal(
  config: Config,
  lost: string | undefined,
  output: CommandOutput,
): Promise<number> {
  const key = config.encryptionKey ?? keptEncryptionKey(config.dataDir)
  if (key === undefined) throw new CannotRun('There is no encryption key: set ENCRYPTION_KEY')
  const encryption = encryptionWith(key, systemRandom, config.earlierEncryptionKeys)
  const source = config.encryptionKey === undefined ? 'file' : 'setting'
  const result = await withDatabase(config, async (db) => {
    // Without the lost key no start migrates the database.
    if (lost === undefined) await refuseOtherSchema(db)
    else {
      await migrate(db, await readMigrations(migrationsFolder))
      const { needed } = await keysOfDatabase(db)
      if (!needed.includes(lost) || encryption.keyIds.includes(lost)) {
        throw new CannotRun(`No key named "${lost}" is missing`)
      }
      await db.longTransaction(statementMillisMax, async (tx) => {
        await giveKeyUp(tx, lost)
        await giveUpChains(tx, lost, new Date())
      })
      output.line(`The key ${lost} is given up: starts do not ask for it any more`)
    }
    await refuseOtherKey(db, encryption, source).catch((error: unknown) => {
      throw error instanceof OtherKey ? new CannotRun(error.message) : error
    })
    return reencrypt(db, encryption, (done) => output.progress(`${done} texts sealed anew`))
  })
  output.progress('')
  for (const line of linesOf(result, encryption)) output.line(line)
  return result.left.length === 0 ? 0 : 1
}

function linesOf(
  { done, left, unreadable, free, keyedMarks }: Reencrypted,
  { keyId, keyIds }: Encryption,
) {
  const parts = [...done].map(([words, count]) => `${count} ${words}`)
  const hasEarlier = keyIds.length > 1 || free.length > 0
  return [
    parts.length === 0
      ? `Nothing had to be sealed anew with the key ${keyId}`
      : `Sealed anew with the key ${keyId}: ${parts.join(', ')}`,
    ...left.map(leftLine),
    ...unreadable.map(unreadableLine),
    ...free.map((each) => `Nothing is sealed with the key ${each} any more: leave it out`),
    ...(left.length + unreadable.length === 0
      ? [`Everything is sealed with the key ${keyId}`]
      : []),
    ...(hasEarlier && keyedMarks > 0
      ? [
          `${keyedMarks} marks of people who have left are known only by the key that made them: ` +
            'keep earlier keys in ENCRYPTION_KEY_PREVIOUS as long as that matters',
        ]
      : []),
  ]
}

function leftLine({ count, words, keyId }: SealedCount): string {
  return `${count} ${words} of the key ${keyId} could not be opened, or are being written: run it again`
}

function unreadableLine({ count, words, keyId }: SealedCount): string {
  return `${count} ${words} stay unreadable: the key ${keyId} was given up`
}

/** Says what was done, and what the operator owes to those who keep watch. */
export async function renewPublicLog(config: Config, output: CommandOutput): Promise<void> {
  const renewal = await withDatabase(config, (db) => {
    const logSigningKey = config.logSigningKey ?? generatedLogKey(config.dataDir, systemRandom)
    const log = publicLog({ ...config, logSigningKey }, lastCheckpointIn(config.dataDir))
    return renewLog({ db, clock: systemClock, publicLog: log })
  })
  const { kind, origin = '', fromSize = 0 } = renewal
  if (kind === 'unseen') {
    throw new CannotRun(
      `Nothing in ${config.dataDir} shows what is wrong with the public log: run this with the ` +
        'DATA_DIR of a process that has signed it; nothing was changed',
    )
  }
  const lines = {
    none: ['The public log was never signed; the next start begins it'],
    no_key: ['There is no key to sign the public log with'],
    well: ['The public log is well and has its key; nothing was changed'],
    new_key: [
      `The log ${origin} goes on with another key from entry ${fromSize} on`,
      'Publish the new key (GET /log/key): watchers are warned of it',
    ],
    new_log: [
      `A new log begins under the name ${origin} with ${fromSize} entries`,
      'Say in public why: watchers of the old log are warned of it',
    ],
  }
  for (const line of lines[kind]) output.line(line)
}
