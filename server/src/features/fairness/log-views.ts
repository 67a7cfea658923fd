// What everyone reads of the public log: its tiles, its entries and the delivery record; and what
// staff see of it.

import type { LogState } from '@redpack/contract'
import { hexOf, utf8 } from '@redpack/fair/bytes'
import { type Cell, type Deliveries, deliveriesOf } from '@redpack/fair/delivery-record'
import { entryOfText } from '@redpack/fair/entries'
import { bundleOf, parseTileName, type TileName, tileWidth, tileWidthAt } from '@redpack/fair/tree'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { oneQuery } from '../../adapters/db/queries.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { stepsOfOpenings } from './delivery-sql.ts'

const iso = (moment: string) =>
  `to_char(${moment} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

// One statement, so that all numbers are of one moment.
const readState = statement(
  'read_log_state',
  `SELECT (SELECT coalesce(max(index) + 1, 0) FROM log_entries)::bigint AS entries,
     (SELECT count(*)::int FROM log_queue WHERE set_aside IS NULL) AS waiting,
     (SELECT count(*)::int FROM log_queue WHERE set_aside IS NOT NULL) AS "setAside",
     k.origin, encode(k.public_key, 'hex') AS "publicKey", k.trouble,
     CASE WHEN c.size IS NOT NULL
       THEN jsonb_build_object('size', c.size, 'signedAt', ${iso('c.signed_at')}) END AS checkpoint,
     (SELECT coalesce(jsonb_agg(jsonb_build_object('at', ${iso('accepted_at')}, 'reason', reason,
        'fromSize', from_size) ORDER BY id DESC), '[]') FROM log_keys WHERE reason <> 'first')
       AS changes,
     (SELECT coalesce(jsonb_agg(jsonb_build_object('name', n.name,
        'seenSize', coalesce(w.seen_size, 0), 'cosignedAt', ${iso('w.cosigned_at')},
        'problem', w.problem) ORDER BY n.place), '[]')
      FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS n (name, verifier_key, place)
      LEFT JOIN log_witnesses w USING (verifier_key)) AS witnesses,
     (SELECT max(day)::text FROM log_posts WHERE message_id IS NOT NULL) AS "postedDay",
     (SELECT problem FROM outbox_messages WHERE channel = 'post' AND kind = 'checkpoint'
      ORDER BY id DESC LIMIT 1) AS "postProblem"
   FROM (SELECT 1) one
   LEFT JOIN (SELECT * FROM log_keys ORDER BY id DESC LIMIT 1) k ON true
   LEFT JOIN (SELECT * FROM log_checkpoints ORDER BY size DESC LIMIT 1) c ON true`,
)
interface StateRow extends Omit<LogState, 'now' | 'key' | 'discord'> {
  readonly publicKey: string | null
  readonly postedDay: string | null
  readonly postProblem: string | null
}

/** What the settings say of the log. */
interface LogSettings {
  /** Undefined when there is no key to sign with. */
  readonly signer: { readonly publicKey: Uint8Array } | undefined
  /** The key in force as others are given it. */
  readonly key: string | undefined
  readonly witnesses: readonly { readonly name: string; readonly verifierKey: string }[]
  readonly discordChannelId: string | undefined
}

export async function logState(db: Queryable, settings: LogSettings, now: Date): Promise<LogState> {
  const { signer, witnesses, key = null, discordChannelId: channelId } = settings
  const [row] = await db.run<StateRow>(readState, [
    witnesses.map(({ name }) => name),
    witnesses.map(({ verifierKey }) => verifierKey),
  ])
  if (row === undefined) throw new Error('The state of the log is one row')
  const { publicKey, postedDay, postProblem: problem, ...state } = row
  // The key is looked at anew; the rest was found when the log was to be signed.
  const isChanged = signer && publicKey !== null && publicKey !== hexOf(signer.publicKey)
  const trouble = signer ? (isChanged ? 'key_changed' : row.trouble) : 'no_key'
  const discord = channelId === undefined ? null : { channelId, postedDay, problem }
  return { ...state, now: now.toISOString(), trouble, key, discord }
}

/** Number of entries, and a number that only this log has. */
export const logHead = oneQuery<{ size: number; log: number }>(
  'read_log_head',
  `SELECT (SELECT coalesce(max(index) + 1, 0) FROM log_entries)::bigint AS size,
     coalesce((SELECT max(id) FROM log_keys WHERE reason <> 'new_key'), 0) AS log`,
)
const readBodies = statement(
  'read_log_bundle',
  'SELECT body FROM log_entries WHERE index >= $1 AND index < $2 ORDER BY index',
)

const readLeaves = statement(
  'read_leaf_tile',
  `SELECT string_agg(leaf_hash, ''::bytea ORDER BY index) AS hashes FROM log_entries
   WHERE index >= $1 AND index < $2`,
)
const readSubtrees = statement(
  'read_subtree_tile',
  `SELECT string_agg(hash, ''::bytea ORDER BY position) AS hashes FROM log_subtrees
   WHERE level = $3 AND position >= $1 AND position < $2`,
)

/** The bytes of a tile or bundle that the tree is known to have. */
export async function tileBytes(db: Queryable, tile: TileName): Promise<Buffer> {
  const first = tile.index * tileWidth
  const end = first + tile.width
  if (tile.level === 'entries') {
    const rows = await db.run<{ body: string }>(readBodies, [first, end])
    return Buffer.from(bundleOf(rows.map(({ body }) => utf8(body))))
  }
  const [found, values] =
    tile.level === 0 ? [readLeaves, [first, end]] : [readSubtrees, [first, end, tile.level]]
  const [row] = await db.run<{ hashes: Uint8Array | null }>(found, values)
  return Buffer.from(row?.hashes ?? [])
}

/**
 * The tile of a tree of `size` entries; a partial one may be wider by now.
 * @throws DomainError invalid_input for a path that names none, not_found beyond the tree's end
 */
export function tileIn(path: string, size: number): TileName {
  const tile = parseTileName(path)
  if (tile === undefined) throw new DomainError('invalid_input', 'This is not the path of a tile')
  if (tile.width > tileWidthAt(size, tile)) {
    throw new DomainError('not_found', 'The log has no such tile yet')
  }
  return tile
}

const readCounts = statement(
  'read_delivery_counts',
  'SELECT step, due::text AS due, days, shipments FROM delivery_counts WHERE shipments <> 0',
)

/** What the log tells of all shipments, by the day of `now` in UTC. */
export async function deliveries(db: Queryable, now: Date): Promise<Deliveries> {
  const rows = await db.run<{
    step: Cell[0]
    due: string | null
    days: number | null
    shipments: number
  }>(readCounts, [])
  const cells = rows.map(({ step, due, days, shipments }) => {
    return [[step, due, days], shipments] as const
  })
  return deliveriesOf(cells, now.toISOString().slice(0, 10))
}

const readSteps = statement('read_steps_of_opening', `${stepsOfOpenings} ORDER BY index`)
const stepsShown = 20

/** The newest entries about one pack of an opening, oldest first. */
export async function stepsInLog(db: Queryable, requestId: string, position: number) {
  const rows = await db.run<{ index: number; body: string }>(readSteps, [[requestId]])
  const isOfPack = ({ body }: { readonly body: string }) => {
    const entry = entryOfText(body)
    return entry?.type === 'shipment' && entry.position === position
  }
  return rows.filter(isOfPack).slice(-stepsShown)
}
