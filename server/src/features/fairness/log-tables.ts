// The public log's tree as it is stored: its lock, its entries, the hashes of its subtrees, and the
// roots that follow from them.

import { hexOf } from '@redpack/fair/bytes'
import {
  edgeOf,
  hashBytes,
  type LeafRange,
  rangeNodes,
  rootOfEdge,
  rootOfNodes,
  rootOfRun,
  runOfNode,
  type Subtree,
} from '@redpack/fair/tree'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { emptyRoot, nodeHash } from '../../adapters/random/hashing.ts'

// Any constant that no other lock of the product uses.
const appendLock = 7_330_112

const tryLock = statement('try_draw_log_lock', 'SELECT pg_try_advisory_xact_lock($1) AS taken')
const waitForLock = statement('wait_for_draw_log_lock', 'SELECT pg_advisory_xact_lock($1)')

const readSize = statement(
  'read_log_size',
  'SELECT coalesce(max(index) + 1, 0)::bigint AS size FROM log_entries',
)

// Hashes of neighbouring subtrees of one level, put together; the leaves are level 0.
const readRuns = statement(
  'read_log_hashes',
  `SELECT CASE WHEN w.level = 0
     THEN (SELECT string_agg(leaf_hash, ''::bytea ORDER BY index) FROM log_entries
       WHERE index >= w.first AND index < w.first + w.count)
     ELSE (SELECT string_agg(hash, ''::bytea ORDER BY position) FROM log_subtrees
       WHERE level = w.level AND position >= w.first AND position < w.first + w.count) END AS hashes
   FROM unnest($1::int[], $2::bigint[], $3::int[]) WITH ORDINALITY AS w (level, first, count, place)
   ORDER BY w.place`,
)

const addEntries = statement(
  'append_log_entries',
  `WITH entries AS (
     INSERT INTO log_entries (index, body, leaf_hash)
     SELECT :firstIndex::bigint + place - 1, body,
       substring(:leafHashes::bytea FROM place::int * 32 - 31 FOR 32)
     FROM string_to_table(:bodies, E'\\n') WITH ORDINALITY AS e (body, place)
   ), subtrees AS (
     INSERT INTO log_subtrees (level, position, hash)
     SELECT level, position, decode(hash, 'hex')
     FROM unnest(:levels::int[], :positions::bigint[], :hashes::text[]) AS s (level, position, hash)
   ), requests AS (
     INSERT INTO log_requests (request_id, index)
     SELECT * FROM unnest(:requestIds::uuid[], :requestIndexes::bigint[])
   ), stock AS (
     INSERT INTO log_stock_events (event_id, index)
     SELECT * FROM unnest(:eventIds::bigint[], :eventIndexes::bigint[])
   )
   DELETE FROM log_queue WHERE id = ANY (:queueIds::bigint[])`,
)
/** Makes this transaction the one that appends. False when another is at it and we do not wait. */
export async function takeAppendLock(tx: Queryable, waits: boolean): Promise<boolean> {
  if (waits) {
    await tx.run(waitForLock, [appendLock])
    return true
  }
  const rows = await tx.run<{ taken: boolean }>(tryLock, [appendLock])
  return rows[0]?.taken === true
}

/** Number of entries. */
export async function logSize(db: Queryable): Promise<number> {
  return (await db.run<{ size: number }>(readSize, []))[0]?.size ?? 0
}

type HashRun = ReturnType<typeof runOfNode>

/** The hashes of each run of neighbouring subtrees. @throws Error when one is missing */
export async function hashRuns(db: Queryable, runs: readonly HashRun[]): Promise<Uint8Array[][]> {
  if (runs.length === 0) return []
  const rows = await db.run<{ hashes: Uint8Array | null }>(readRuns, [
    runs.map(({ level }) => level),
    runs.map(({ first }) => first),
    runs.map(({ count }) => count),
  ])
  return runs.map(({ level, first, count }, place) => {
    const bytes = rows[place]?.hashes ?? new Uint8Array()
    if (bytes.length !== count * hashBytes) {
      throw new Error(`The log has lost hashes of level ${level} from ${first} on`)
    }
    return Array.from({ length: count }, (_, index) =>
      bytes.subarray(index * hashBytes, (index + 1) * hashBytes),
    )
  })
}

/** What one run of the appender adds. */
export interface Appended {
  readonly firstIndex: number
  readonly bodies: readonly string[]
  readonly leafHashes: readonly Uint8Array[]
  readonly subtrees: readonly Subtree[]
  readonly requests: readonly { id: string; index: number }[]
  readonly stockEvents: readonly { id: number; index: number }[]
  readonly queueIds: readonly number[]
}

/** Writes entries, subtrees and where their sources stand; takes rows off the queue. */
export async function appendEntries(tx: Queryable, added: Appended): Promise<void> {
  await tx.run(addEntries, {
    firstIndex: added.firstIndex,
    // One text: an array would be quoted and read back piece by piece. JSON has no line breaks.
    bodies: added.bodies.join('\n'),
    leafHashes: Buffer.concat(added.leafHashes),
    levels: added.subtrees.map(({ level }) => level),
    positions: added.subtrees.map(({ position }) => position),
    hashes: added.subtrees.map(({ hash }) => hexOf(hash)),
    requestIds: added.requests.map(({ id }) => id),
    requestIndexes: added.requests.map(({ index }) => index),
    eventIds: added.stockEvents.map(({ id }) => id),
    eventIndexes: added.stockEvents.map(({ index }) => index),
    queueIds: added.queueIds,
  })
}

/** The root of the first `size` entries. */
export async function treeRoot(db: Queryable, size: number): Promise<Uint8Array> {
  return rootOfEdge(await hashRuns(db, edgeOf(size)), nodeHash) ?? emptyRoot
}

/** The roots of parts of the tree, in one query: a proof is made of such roots. */
export async function rangeRoots(
  db: Queryable,
  ranges: readonly LeafRange[],
): Promise<Uint8Array[]> {
  const parts = ranges.map(rangeNodes)
  const runs = await hashRuns(db, parts.flat().map(runOfNode))
  const roots = runs.map((run) => rootOfRun(run, nodeHash))
  let at = 0
  return parts.map((nodes) => {
    const hashes = roots.slice(at, at + nodes.length)
    at += nodes.length
    return rootOfNodes(hashes, nodeHash)
  })
}
