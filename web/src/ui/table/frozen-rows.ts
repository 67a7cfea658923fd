// Keeps a list that is polled still while someone points at it or works in it.

import { useState } from 'react'

export type RowId = string | number

/** How many rows came, went or stand elsewhere. */
function countMoves<Row>(
  held: readonly Row[],
  newest: readonly Row[],
  idOf: (row: Row) => RowId,
): number {
  const before = held.map(idOf)
  const after = newest.map(idOf)
  const wasThere = new Set(before)
  const isThere = new Set(after)
  const gone = before.filter((id) => !isThere.has(id)).length
  const come = after.filter((id) => !wasThere.has(id)).length
  const kept = before.filter((id) => isThere.has(id))
  const moved = after.filter((id) => wasThere.has(id)).filter((id, index) => id !== kept[index])
  return gone + come + moved.length
}

interface Held<Row> {
  readonly key: string
  readonly rows: readonly Row[]
}

/** How long what an action of the person's own has changed may take to arrive, in milliseconds. */
const ownChangeMs = 2_000

/** True for a while after the key has changed: what moves then is what was asked for. */
function useFollowing(key: string): boolean {
  const [known, setKnown] = useState({ key, untilMs: 0 })
  if (known.key !== key) setKnown({ key, untilMs: performance.now() + ownChangeMs })
  return known.key !== key || performance.now() < known.untilMs
}

/**
 * Freezes the order while `isHeld`. A new `key` (another page or order, an action of the person's
 * own) shows what is there at once, and what arrives of it shortly after.
 * @returns the rows with their newest content, how many of them came, went or moved since, and what
 * shows those
 */
export function useFrozenRows<Row>(
  newest: readonly Row[],
  idOf: (row: Row) => RowId,
  isHeld: boolean,
  key: string,
) {
  const [held, setHeld] = useState<Held<Row>>()
  const isFollowing = useFollowing(key)
  const waiting = held ? countMoves(held.rows, newest, idOf) : 0
  if (isHeld && (held?.key !== key || (isFollowing && waiting > 0))) setHeld({ key, rows: newest })
  if (!isHeld && held) setHeld(undefined)
  if (!isHeld || held?.key !== key) return { rows: newest, waiting: 0, apply: () => undefined }
  const byId = new Map(newest.map((row) => [idOf(row), row]))
  return {
    // A row that is gone stays as it was, so that nothing moves under the pointer.
    rows: held.rows.map((row) => byId.get(idOf(row)) ?? row),
    waiting,
    apply: () => setHeld({ key, rows: newest }),
  }
}
