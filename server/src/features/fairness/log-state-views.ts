// What staff see of the public log.

import type { LogState } from '@redpack/contract'
import { type Queryable, statement } from '../../adapters/db/database.ts'

// One statement, so that all numbers are of one moment.
const readState = statement(
  'read_log_state',
  `SELECT (SELECT coalesce(max(index) + 1, 0) FROM log_entries)::bigint AS entries,
     (SELECT count(*)::int FROM log_queue WHERE set_aside IS NULL) AS waiting,
     (SELECT count(*)::int FROM log_queue WHERE set_aside IS NOT NULL) AS "setAside",
     k.origin, encode(k.public_key, 'hex') AS "publicKey", k.trouble,
     c.size, c.signed_at AS "signedAt",
     (SELECT jsonb_agg(jsonb_build_object('at', accepted_at, 'reason', reason,
        'fromSize', from_size) ORDER BY id DESC) FROM log_keys WHERE reason <> 'first') AS changes
   FROM (SELECT 1) one
   LEFT JOIN (SELECT * FROM log_keys ORDER BY id DESC LIMIT 1) k ON true
   LEFT JOIN (SELECT * FROM log_checkpoints ORDER BY size DESC LIMIT 1) c ON true`,
)
const readWitnesses = statement(
  'read_log_witnesses',
  `SELECT verifier_key AS "verifierKey", seen_size AS "seenSize", cosigned_at AS "cosignedAt",
     problem
   FROM log_witnesses WHERE verifier_key = ANY ($1::text[])`,
)
const readPosts = statement(
  'read_log_posts',
  `SELECT (SELECT max(day)::text FROM log_posts WHERE message_id IS NOT NULL) AS "postedDay",
     (SELECT problem FROM log_posts ORDER BY day DESC LIMIT 1) AS problem`,
)

interface StateRow {
  readonly entries: number
  readonly waiting: number
  readonly setAside: number
  readonly origin: string | null
  readonly publicKey: string | null
  readonly trouble: Exclude<LogState['trouble'], 'no_key'>
  readonly size: number | null
  readonly signedAt: Date | null
  readonly changes:
    | readonly { at: string; reason: 'new_key' | 'new_log'; fromSize: number }[]
    | null
}

interface WitnessRow {
  readonly verifierKey: string
  readonly seenSize: number
  readonly cosignedAt: Date | null
  readonly problem: string | null
}

/** What the settings say of the log. */
export interface LogSettings {
  /** Hex, undefined when there is no key. */
  readonly publicKey: string | undefined
  /** The key in force as others are given it. */
  readonly key: string | undefined
  readonly witnesses: readonly { readonly name: string; readonly verifierKey: string }[]
  readonly discordChannelId: string | undefined
}

export async function logState(db: Queryable, settings: LogSettings, now: Date): Promise<LogState> {
  const [row] = await db.run<StateRow>(readState, [])
  if (row === undefined) throw new Error('The state of the log is one row')
  const { size, signedAt } = row
  return {
    now: now.toISOString(),
    origin: row.origin,
    entries: row.entries,
    waiting: row.waiting,
    setAside: row.setAside,
    checkpoint: size === null || signedAt === null ? null : { size, signedAt: iso(signedAt) },
    trouble: troubleOf(row, settings),
    key: settings.key ?? null,
    changes: (row.changes ?? []).map((change) => ({ ...change, at: iso(new Date(change.at)) })),
    witnesses: await witnessStates(db, settings),
    discord: await discordState(db, settings),
  }
}

const iso = (moment: Date): string => moment.toISOString()

/** The key is looked at anew; the rest was found when the log was to be signed. */
function troubleOf(row: StateRow, { publicKey }: LogSettings): LogState['trouble'] {
  if (publicKey === undefined) return 'no_key'
  if (row.publicKey !== null && row.publicKey !== publicKey) return 'key_changed'
  return row.trouble
}

async function witnessStates(
  db: Queryable,
  { witnesses }: LogSettings,
): Promise<LogState['witnesses']> {
  const keys = witnesses.map(({ verifierKey }) => verifierKey)
  const rows = await db.run<WitnessRow>(readWitnesses, [keys])
  return witnesses.map(({ name, verifierKey }) => {
    const row = rows.find((found) => found.verifierKey === verifierKey)
    return {
      name,
      cosignedAt: row?.cosignedAt ? iso(row.cosignedAt) : null,
      seenSize: row?.seenSize ?? 0,
      problem: row?.problem ?? null,
    }
  })
}

async function discordState(
  db: Queryable,
  { discordChannelId: channelId }: LogSettings,
): Promise<LogState['discord']> {
  if (channelId === undefined) return null
  const [row] = await db.run<{ postedDay: string | null; problem: string | null }>(readPosts, [])
  return { channelId, postedDay: row?.postedDay ?? null, problem: row?.problem ?? null }
}
