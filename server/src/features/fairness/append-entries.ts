// Brings the public log up to date with what has happened.
//
// Entries stand in the order of the queue's ids, as far as their rows are committed when they are
// read. A row that commits late is appended late and never missed; what hangs together is in order
// all the same, since its ids are given out under locks that are held until the commit:
// - All rows of one chain are queued under the lock of its user, and all rows of a limited prize
//   under the lock of the prize. Who comes second has waited for the first to commit, so its id is
//   greater, and whoever sees its row sees the other one.
// - A draw is made with a table that is committed, or was written before it in its own transaction.
//   Either way its row has a smaller id and is seen wherever the draw's is.
// - The first opening of a chain brings the entry of the chain with it.

import { utf8 } from '@redpack/fair/bytes'
import { edgeOf, growTree } from '@redpack/fair/tree'
import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import { leafHash, nodeHash } from '../../adapters/random/hashing.ts'
import { countDraws, setRowsAside, type WaitingRow, waitingRows } from './log-queue-tables.ts'
import { type Appended, appendEntries, hashRuns, logSize, takeAppendLock } from './log-tables.ts'

/** Making entries holds up everything else, so there is an end to it. */
const batchSize = 500

/** What the appender needs of the dependencies. */
export type LogDeps = Pick<Deps, 'db' | 'log'>

export interface AppendOptions {
  /** Transactions at most; all that are needed by default. */
  readonly batches?: number
  /** Whether to wait for another process that appends, instead of leaving the work to it. */
  readonly waits?: boolean
}

/**
 * Appends what is committed and waits, oldest first, in transactions of some hundred queue rows.
 * Running it twice, or in several processes at once, appends each row once. A row from which no
 * entry can be made is set aside, told to the operator's log, and named by the books.
 * @returns how many entries were appended by this run
 */
export async function appendLogEntries(
  deps: LogDeps,
  { batches = Number.POSITIVE_INFINITY, waits = false }: AppendOptions = {},
): Promise<number> {
  let total = 0
  for (let batch = 0; batch < batches; batch += 1) {
    const { appended, damaged, isMore } = await deps.db.transaction((tx) => appendBatch(tx, waits))
    total += appended
    for (const row of damaged) deps.log.error(row, 'no log entry can be made from this row')
    if (!isMore) break
  }
  return total
}

interface DamagedRow {
  readonly id: number
  readonly kind: string
  readonly ref: string
  readonly reason: string
}

interface Batch {
  readonly appended: number
  readonly damaged: readonly DamagedRow[]
  /** Whether the queue was longer than one batch. */
  readonly isMore: boolean
}

const nothing: Batch = { appended: 0, damaged: [], isMore: false }

async function appendBatch(tx: Queryable, waits: boolean): Promise<Batch> {
  if (!(await takeAppendLock(tx, waits))) return nothing
  const rows = await waitingRows(tx, batchSize)
  if (rows.length === 0) return nothing
  const size = await logSize(tx)
  const { good, added, damaged } = entriesFrom(rows, size)
  if (damaged.length > 0) await setRowsAside(tx, damaged)
  if (added.bodies.length > 0) {
    const edge = await hashRuns(tx, edgeOf(size))
    const { subtrees } = growTree(size, edge, added.leafHashes, nodeHash)
    await appendEntries(tx, { ...added, subtrees })
    await countDraws(tx, good)
  }
  return { appended: added.bodies.length, damaged, isMore: rows.length >= batchSize }
}

/** The entries of the rows in their order, from index `size` on. */
function entriesFrom(rows: readonly WaitingRow[], size: number) {
  const bodies: string[] = []
  const requests: { id: string; index: number }[] = []
  const stockEvents: { id: number; index: number }[] = []
  const good: WaitingRow[] = []
  const damaged: DamagedRow[] = []
  const seen = new Set<string>()
  for (const row of rows) {
    const reason = damageOf(row, seen)
    if (reason !== undefined) {
      damaged.push({ id: row.id, kind: row.kind, ref: row.ref, reason })
      continue
    }
    good.push(row)
    bodies.push(...row.entries)
    const index = size + bodies.length - 1
    if (row.stockEventId !== null) stockEvents.push({ id: row.stockEventId, index })
    if (row.requestId !== null) requests.push({ id: row.requestId, index })
  }
  const added: Omit<Appended, 'subtrees'> = {
    firstIndex: size,
    bodies,
    leafHashes: bodies.map((body) => leafHash(utf8(body))),
    requests,
    stockEvents,
    queueIds: good.map(({ id }) => id),
  }
  return { good, added, damaged }
}

/** Why no entry can be made of a row; undefined when it can. */
function damageOf({ kind, ref, entries, isLogged }: WaitingRow, seen: Set<string>) {
  const name = `${kind} ${ref}`
  // Changes of stock without an event of their own name the prize, and may follow each other.
  const isTwice = seen.has(name) && !ref.startsWith('prize ')
  seen.add(name)
  if (isTwice) return 'it waits twice'
  if (isLogged) return 'it is in the log already'
  if (entries.length === 0) return 'what it names is missing or damaged'
  return undefined
}
