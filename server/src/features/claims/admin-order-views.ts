// Which claims stand on a page for staff, by id, newest first: along an index from the end that is
// nearer, or those that a search finds.

import type { AdminClaimsFileQuery } from '@redpack/contract'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import {
  inPassing,
  isCommonWord,
  sampleOf,
  searchWords,
  type WordSearch,
} from '../../adapters/db/word-search.ts'
import { containing } from '../../shared/search-pattern.ts'
import { claimsInState, summedUpTo } from '../books/history-sums-sql.ts'

export type ClaimFilter = AdminClaimsFileQuery['status']

/** A search says of more hits only that there are so many, and ends with them. */
export const claimHitsMax = 1_000
/** People whose names match and whose claims are looked up; more of them are met in passing. */
const namedMax = 5_000

/** Written out per filter, so that each can use the index that is made for it. */
export const claimConditions: Readonly<Record<ClaimFilter, string>> = {
  all: 'c.deleted_at IS NULL',
  pending: `c.deleted_at IS NULL AND c.status <> 'completed' AND c.status = 'pending'`,
  processing: `c.deleted_at IS NULL AND c.status = 'processing'`,
  completed: `c.deleted_at IS NULL AND c.status = 'completed'`,
  deleted: 'c.deleted_at IS NOT NULL',
}
export const claimsWithPeople = 'FROM prize_claims c JOIN users u ON u.id = c.user_id'
const says = (pattern: string) =>
  `(c.claim_id ILIKE ${pattern} OR (c.claim_id IS NULL AND 'PR-' || c.id ILIKE ${pattern})
    OR c.prize_name ILIKE ${pattern})`
const isNamed = (pattern: string) =>
  `(u.username ILIKE ${pattern} OR u.display_name ILIKE ${pattern})`
/** Whether a claim, its prize or its winner says what is looked for. */
export const claimSays = (pattern: string): string => `(${says(pattern)} OR ${isNamed(pattern)})`

const namedBy = (words: string) =>
  `SELECT u.id FROM people_search s JOIN users u ON u.id = s.user_id
   WHERE ${words} LIKE lower($1) AND ${isNamed('$1')} LIMIT $2`
const named: WordSearch = {
  sample: sampleOf('people_search', 'sample_named_winners'),
  byIndex: statement('find_named_winners', namedBy('s.words')),
  inPassing: statement('find_named_winners_in_passing', namedBy(inPassing('s.words'))),
}
const claimWords = { sample: sampleOf('claim_search', 'sample_claim_words') }

const totals: Readonly<Record<ClaimFilter, string>> = {
  all: (['pending', 'processing', 'completed'] as const).map(claimsInState).join(' + '),
  pending: claimsInState('pending'),
  processing: claimsInState('processing'),
  completed: claimsInState('completed'),
  deleted: claimsInState('deleted'),
}

function statementsOf(filter: ClaimFilter) {
  const where = `WHERE ${claimConditions[filter]}`
  const read = (order: string) =>
    `SELECT c.id FROM prize_claims c ${where} ORDER BY c.id${order} LIMIT $1 OFFSET $2`
  return {
    count: statement(`count_claims_${filter}`, `SELECT (${totals[filter]})::int AS total`),
    down: statement(`claims_newest_${filter}`, read(' DESC')),
    up: statement(`claims_oldest_${filter}`, read('')),
    /** Claims that no search knows by words yet, then those that it does, then those of people. */
    foundByIndex: statement(
      `find_claims_${filter}`,
      `SELECT c.id FROM prize_claims c
       ${where} AND c.id > ${summedUpTo('claims')} AND c.id < 2147483647 AND ${says('$1')}
       UNION
       SELECT c.id FROM claim_search s JOIN prize_claims c ON c.id = s.claim_id
       ${where} AND s.words LIKE lower($1)
       UNION
       SELECT c.id FROM prize_claims c ${where} AND c.user_id = ANY($3::int[])
       ORDER BY id DESC LIMIT $2`,
    ),
    foundInPassing: statement(
      `find_claims_in_passing_${filter}`,
      `SELECT c.id ${claimsWithPeople} ${where} AND ${claimSays('$1')}
       ORDER BY c.id DESC LIMIT $2`,
    ),
  }
}
const reads = {
  all: statementsOf('all'),
  pending: statementsOf('pending'),
  processing: statementsOf('processing'),
  completed: statementsOf('completed'),
  deleted: statementsOf('deleted'),
} as const satisfies Readonly<Record<ClaimFilter, unknown>>

interface Wanted {
  readonly search: string
  readonly status: ClaimFilter
  readonly offset: number
  readonly limit: number
}

export interface ClaimIds {
  /** Newest first. */
  readonly ids: readonly number[]
  /** How many there are, or `claimHitsMax` for more hits than that. */
  readonly total: number
}

type IdRow = { readonly id: number }
const idsOf = (rows: readonly IdRow[]) => rows.map(({ id }) => id)

/** How many claims a filter lets through. */
export async function countClaims(tx: Queryable, status: ClaimFilter): Promise<number> {
  return (await tx.run<{ total: number }>(reads[status].count, []))[0]?.total ?? 0
}

/**
 * The claims from `offset` on. To be read at one moment, with statements planned for their values.
 */
export async function claimIds(tx: Queryable, wanted: Wanted): Promise<ClaimIds> {
  const { search, status, offset, limit } = wanted
  if (search !== '') {
    const hits = await hitsOf(tx, search, status)
    const total = Math.min(hits.length, claimHitsMax)
    return { ids: hits.slice(offset, Math.min(offset + limit, total)), total }
  }
  const total = await countClaims(tx, status)
  const { down, up } = reads[status]
  if (offset <= total / 2) {
    return { ids: idsOf(await tx.run<IdRow>(down, [limit, offset])), total }
  }
  const fromEnd = Math.max(0, total - offset - limit)
  const count = Math.max(0, total - offset - fromEnd)
  return { ids: idsOf(await tx.run<IdRow>(up, [count, fromEnd])).toReversed(), total }
}

async function hitsOf(tx: Queryable, search: string, status: ClaimFilter): Promise<number[]> {
  const pattern = containing(search)
  const { foundByIndex, foundInPassing } = reads[status]
  const rowsMax = claimHitsMax + 1
  const isCommon = await isCommonWord(tx, claimWords, pattern)
  const people = isCommon ? [] : await searchWords<IdRow>(tx, named, pattern, namedMax + 1)
  if (isCommon || people.length > namedMax) {
    return idsOf(await tx.run<IdRow>(foundInPassing, [pattern, rowsMax]))
  }
  return idsOf(await tx.run<IdRow>(foundByIndex, [pattern, rowsMax, idsOf(people)]))
}
