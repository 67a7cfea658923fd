// Follows the public log from its first entry, and finds where it breaks or differs from the books.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import { emptyRoot, leafHash, nodeHash } from '../../adapters/random/tree-hashes.ts'
import { growTree, rootOfEdge, type Subtree, type TreeEdge } from '../../rules/merkle-tree.ts'
import { parseCheckpoint, parseNote, toHex } from '../../rules/signed-note.ts'
import { differenceOf, fieldsOf, type LoggedEntry, newLogMemory, rowsOf } from './log-sources.ts'

const batchSize = 1000

// Read before the size, so that every checkpoint lies within the entries that are looked at.
const readCheckpoints = statement(
  'read_checkpoints_to_check',
  `SELECT size, encode(root, 'hex') AS root, note FROM log_checkpoints ORDER BY size`,
)
const readSize = statement(
  'read_size_of_log',
  'SELECT coalesce(max(index) + 1, 0)::bigint AS size FROM log_entries',
)
const readEntries = statement(
  'read_entries_to_check',
  `SELECT index, body, encode(leaf_hash, 'hex') AS leaf FROM log_entries
   WHERE index >= $1 AND index < $2 ORDER BY index LIMIT ${batchSize}`,
)
const readSubtrees = statement(
  'read_subtrees_to_check',
  `SELECT n.level, n.position, encode(s.hash, 'hex') AS hash
   FROM unnest($1::int[], $2::bigint[]) AS n (level, position)
   LEFT JOIN log_subtrees s ON s.level = n.level AND s.position = n.position`,
)

/** Each is one statement, so the log and its queue are seen at one moment. */
const comparisons = [
  statement(
    'compare_requests_with_log',
    `SELECT r.id AS request_id, 'it is not in the log once' AS problem FROM opening_requests r
     LEFT JOIN log_requests l ON l.request_id = r.id
     LEFT JOIN log_entries e ON e.index = l.first_index AND e.body LIKE
       CASE WHEN l.is_carried THEN '{"type":"carried",%' ELSE '{"type":"opening",%' END
     LEFT JOIN log_queue q ON q.kind IN ('openings', 'carried') AND q.ref = r.id::text
     WHERE (q.id IS NULL) = (e.index IS NULL) LIMIT 20`,
  ),
  statement(
    'compare_commitments_with_log',
    `SELECT s.id AS pair_id, 'its commitment is not in the log once' AS problem FROM seed_pairs s
     LEFT JOIN log_entries e ON e.index = s.commitment_index
       AND e.body LIKE '{"type":"commitment","pairId":' || s.id || ',%'
     LEFT JOIN log_queue q ON q.kind = 'commitment' AND q.ref = s.id::text
     WHERE (q.id IS NULL) = (e.index IS NULL) LIMIT 20`,
  ),
  statement(
    'compare_reveals_with_log',
    `SELECT s.id AS pair_id, 'its reveal is not in the log once' AS problem FROM seed_pairs s
     LEFT JOIN (SELECT substring(body from '^\\{"type":"reveal","pairId":([0-9]{1,18}),')::bigint AS id,
         count(*) AS entries FROM log_entries WHERE body LIKE '{"type":"reveal",%' GROUP BY 1) e
       ON e.id = s.id
     LEFT JOIN log_queue q ON q.kind = 'reveal' AND q.ref = s.id::text
     WHERE coalesce(e.entries, 0) + (q.id IS NOT NULL)::int
       <> (s.status = 'revealed')::int LIMIT 20`,
  ),
  statement(
    'compare_tables_with_log',
    `SELECT t.id AS odds_table_id, 'the table is not in the log' AS problem FROM odds_tables t
     LEFT JOIN (SELECT DISTINCT substring(body from '"tableHash":"([0-9a-f]{64})"') AS hash
       FROM log_entries WHERE body LIKE '{"type":"table",%') e ON e.hash = t.table_hash
     LEFT JOIN log_queue q ON q.kind = 'table' AND q.ref = t.id::text
     WHERE (q.id IS NULL) = (e.hash IS NULL) LIMIT 20`,
  ),
  // Changes before the first that was queued are told by what the prizes had when the log began.
  statement(
    'compare_stock_with_log',
    `SELECT e.id AS stock_event_id, 'the change is not in the log once' AS problem
     FROM stock_events e
     LEFT JOIN log_stock_events l ON l.event_id = e.id
     LEFT JOIN log_queue q ON q.kind = 'stock' AND q.body IS NULL AND q.ref = e.id::text
     WHERE e.kind = 'prize' AND e.source_type <> 'claim' AND (q.id IS NULL) = (l.index IS NULL)
       AND e.id >= least((SELECT min(event_id) FROM log_stock_events), (SELECT min(ref::bigint)
         FROM log_queue WHERE kind = 'stock' AND body IS NULL AND ref ~ '^[0-9]{1,18}$')) LIMIT 20`,
  ),
  statement(
    'compare_logged_packs',
    `SELECT l.request_id, 'its openings are not all in the log' AS problem FROM log_requests l
     JOIN opening_requests r ON r.id = l.request_id
     LEFT JOIN log_entries e ON e.index = l.first_index + r.quantity - 1
       AND e.body LIKE '{"type":"opening",%'
     WHERE NOT l.is_carried AND e.index IS NULL LIMIT 20`,
  ),
  statement(
    'compare_draw_counts',
    `SELECT coalesce(c.odds_table_id, l.odds_table_id) AS odds_table_id,
       coalesce(c.prize_id, l.prize_id) AS prize_id, 'the sum of its draws is wrong' AS problem
     FROM draw_counts c
     FULL JOIN (
       SELECT r.odds_table_id, coalesce(o.prize_id, o.sold_out_prize_id, 0) AS prize_id,
         count(*) FILTER (WHERE o.sold_out_prize_id IS NULL) AS wins,
         count(o.sold_out_prize_id) AS sold_out
       FROM opening_requests r
       JOIN all_pack_openings o ON o.request_id = r.id
       WHERE EXISTS (SELECT FROM log_requests d WHERE d.request_id = r.id)
         OR EXISTS (SELECT FROM log_queue q WHERE q.kind = 'carried' AND q.ref = r.id::text)
       GROUP BY 1, 2
     ) l ON l.odds_table_id = c.odds_table_id AND l.prize_id = c.prize_id
     WHERE c.wins IS DISTINCT FROM l.wins OR c.sold_out IS DISTINCT FROM l.sold_out LIMIT 20`,
  ),
  statement(
    'read_rows_set_aside',
    `SELECT id AS queue_id, kind, ref, set_aside AS problem FROM log_queue
     WHERE set_aside IS NOT NULL ORDER BY id LIMIT 20`,
  ),
  statement(
    'read_signing_trouble',
    `SELECT trouble AS problem FROM log_keys WHERE trouble IS NOT NULL
       AND id = (SELECT max(id) FROM log_keys)`,
  ),
]

type Broken = Record<string, unknown>
interface Head {
  readonly size: number
  readonly root: string
  readonly note: string
}

/**
 * Entries whose hash is not theirs or that differ from the rows they speak of, subtrees and signed
 * checkpoints that do not follow from the entries, and events that are neither in the log nor
 * waiting, or both. Works through the log in batches.
 */
export async function findBrokenLog(db: Queryable): Promise<Broken[]> {
  const heads = await db.run<Head>(readCheckpoints, [])
  const size = (await db.run<{ size: number }>(readSize, []))[0]?.size ?? 0
  const broken: Broken[] = heads
    .filter((head) => head.size > size)
    .map((head) => ({ size: head.size, problem: 'more entries were signed than there are' }))
  const memory = newLogMemory()
  let edge: TreeEdge = []
  for (let index = 0; ; ) {
    broken.push(...brokenHeads(heads, index, edge))
    if (index >= size) break
    // A batch ends where a checkpoint does, so that its root can be told.
    const end = Math.min(size, ...heads.map((head) => head.size).filter((at) => at > index))
    const rows = await db.run<LoggedEntry & { leaf: string }>(readEntries, [index, end])
    const first = rows[0]
    if (first?.index !== index) {
      broken.push({ index, problem: 'the entry is missing' })
      break
    }
    const leaves = rows.map(({ body }) => leafHash(body))
    const entries = rows.map((row) => ({ ...row, fields: fieldsOf(row) }))
    const sources = await rowsOf(db, entries)
    for (const [offset, entry] of entries.entries()) {
      const isHashed = toHex(leaves[offset] ?? new Uint8Array()) === entry.leaf
      const difference = differenceOf(entry, sources, memory)
      const problem = isHashed ? difference : 'its hash is not that of its text'
      if (problem !== undefined) broken.push({ index: entry.index, problem })
    }
    const grown = growTree(index, edge, leaves, nodeHash)
    broken.push(...(await brokenSubtrees(db, grown.subtrees)))
    edge = grown.edge
    index += rows.length
    if (rows.at(-1)?.index !== index - 1) {
      broken.push({ index, problem: 'entries are missing' })
      break
    }
  }
  for (const comparison of comparisons) broken.push(...(await db.run<Broken>(comparison, [])))
  return broken
}

/** Checkpoints of this size whose root is not the one that the entries give. */
function brokenHeads(heads: readonly Head[], size: number, edge: TreeEdge): Broken[] {
  const root = toHex(rootOfEdge(edge, nodeHash) ?? emptyRoot)
  return heads
    .filter((head) => head.size === size)
    .filter((head) => {
      const signed = parseCheckpoint(parseNote(head.note)?.text ?? '')
      return head.root !== root || signed?.size !== size || toHex(signed.root) !== root
    })
    .map(() => ({ size, problem: 'what was signed is not what the log holds' }))
}

async function brokenSubtrees(db: Queryable, subtrees: readonly Subtree[]): Promise<Broken[]> {
  if (subtrees.length === 0) return []
  const rows = await db.run<{ level: number; position: number; hash: string | null }>(
    readSubtrees,
    [subtrees.map(({ level }) => level), subtrees.map(({ position }) => position)],
  )
  return rows
    .filter(
      ({ level, position, hash }) =>
        !subtrees.some(
          (known) =>
            known.level === level && known.position === position && toHex(known.hash) === hash,
        ),
    )
    .map(({ level, position }) => ({ level, position, problem: 'the hash of a subtree is wrong' }))
}
