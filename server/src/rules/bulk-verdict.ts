// Judges every row of a bulk grant: what applying the file does with it, and why not.

import type { BulkRow } from './bulk-file.ts'

export type BulkVerdict =
  | 'ok'
  | 'unknown'
  | 'ambiguous'
  | 'renamed'
  | 'duplicate'
  | 'bad_number'
  | 'over_limit'

/** A user who carries a name of the file now. */
export interface Carrier {
  readonly id: number
  readonly username: string
  readonly displayName: string
  /** RedCoin or packs of the type they have. */
  readonly has: number
}

export interface BulkScene {
  readonly carriers: ReadonlyMap<string, readonly Carrier[]>
  /** Who carried a name that nobody carries now. */
  readonly former: ReadonlyMap<string, Pick<Carrier, 'id' | 'username' | 'displayName'>>
  /** The most that one balance or holding can be. */
  readonly max: number
}

export interface JudgedRow {
  readonly row: number
  readonly username: string
  readonly userId: number | null
  readonly displayName: string | null
  readonly verdict: BulkVerdict
  /** Null for a row that is applied. */
  readonly reason: string | null
  /** What the row asks for; null where it is no whole number, or one that no number can hold. */
  readonly amount: number | null
  /** What the user has afterwards; null for a row that is not applied. */
  readonly after: number | null
}

const digits = /^-?[0-9]+$/

/**
 * One verdict per row. Names match exactly. Of a name that stands several times the first row
 * counts, whatever its verdict.
 */
export function judgeRows(rows: readonly BulkRow[], scene: BulkScene): JudgedRow[] {
  const seen = new Set<string>()
  return rows.map((row) => {
    const isRepeated = row.username !== '' && seen.has(row.username)
    seen.add(row.username)
    return judge(row, isRepeated, scene)
  })
}

function judge(row: BulkRow, isRepeated: boolean, scene: BulkScene): JudgedRow {
  const carriers = scene.carriers.get(row.username) ?? []
  const carrier = carriers.length === 1 ? carriers[0] : undefined
  const former = carriers.length === 0 ? scene.former.get(row.username) : undefined
  const value = digits.test(row.amount) ? Number(row.amount) : Number.NaN
  const amount = Number.isSafeInteger(value) ? value : null
  const person = carrier ?? former
  const judged = (verdict: BulkVerdict, reason: string | null): JudgedRow => ({
    row: row.row,
    username: row.username,
    userId: person?.id ?? null,
    displayName: person?.displayName ?? null,
    verdict,
    reason,
    amount,
    after: verdict === 'ok' && carrier !== undefined ? carrier.has + value : null,
  })
  if (row.username === '') return judged('unknown', 'no username')
  if (isRepeated) return judged('duplicate', 'duplicate')
  if (carriers.length > 1) return judged('ambiguous', 'several users have this name')
  if (former !== undefined) return judged('renamed', `renamed to ${former.username}`)
  if (carrier === undefined) return judged('unknown', 'unknown user')
  if (Number.isNaN(value)) return judged('bad_number', 'not a whole number')
  if (value < 1) return judged('bad_number', 'below 1')
  return carrier.has + value > scene.max
    ? judged('over_limit', 'over the limit')
    : judged('ok', null)
}
