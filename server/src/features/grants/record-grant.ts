// The receipt of a grant to named users or to everyone, so that it can be reversed as one.

import type { Author } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import type { Changed } from '../ledger/bulk-tables.ts'
import { addBatchWithRows, addGrantedRows, type NewBatchRow } from './batch-tables.ts'
import type { Distribution, Reached } from './recipients.ts'

interface Done {
  readonly people: Reached
  readonly changed: readonly Changed[]
  readonly batchId: string
}

/**
 * Writes a grant to many as a batch with a row for each user and for each name that reached nobody.
 * What goes to one user known by id is no batch, and neither is what reached nobody.
 */
export async function recordGrant(
  tx: Queryable,
  { actorId, now }: Author,
  order: Distribution,
  { people, changed, batchId }: Done,
): Promise<void> {
  const { target, amount, packTypeId } = order
  if (target.kind === 'user' || changed.length === 0) return
  const places =
    target.kind === 'all' ? undefined : new Map(target.usernames.map((name, at) => [name, at + 1]))
  const missed = places === undefined ? [] : missedRows(people, changed, places, amount)
  await addBatchWithRows(
    tx,
    {
      id: batchId,
      kind: packTypeId === undefined ? 'redcoin' : 'packs',
      packTypeId: packTypeId ?? null,
      actorId,
      recipients: target.kind === 'all' ? 'everyone' : 'named',
      description: order.description === '' ? null : order.description,
      fileName: null,
      fileHash: null,
      reverses: null,
      processedCount: changed.length,
      failedCount: missed.length,
      total: changed.reduce((sum, { delta }) => sum + delta, 0),
      now,
    },
    missed,
  )
  const placeOf = new Map(
    people.recipients.map(({ id, username }, at) => [id, places?.get(username) ?? at + 1]),
  )
  await addGrantedRows(
    tx,
    batchId,
    changed.map((one) => ({ ...one, row: placeOf.get(one.userId) ?? 0 })),
  )
}

/** The names that reached nobody, and whoever has left for good in between. */
function missedRows(
  { recipients, errors }: Reached,
  changed: readonly Changed[],
  places: ReadonlyMap<string, number>,
  amount: number,
): NewBatchRow[] {
  const reached = new Set(changed.map(({ userId }) => userId))
  const row = (username: string, verdict: string, reason: string): NewBatchRow => {
    const none = { userId: null, amount, applied: 0, after: null }
    return { row: places.get(username) ?? 0, username, verdict, reason, ...none }
  }
  const gone = recipients
    .filter(({ id }) => !reached.has(id))
    .map(({ username }) => row(username, 'gone', 'no longer there'))
  const unreached = errors.map(({ username, verdict, reason }) => row(username, verdict, reason))
  return [...unreached, ...gone]
}
