// Which claims stand on a page for staff, by id: along an index from the end that is nearer, one
// status after the other, or those that a search finds.

import type { AdminClaimsFileQuery, claimSorts } from '@redpack/contract'
import { claimHitsMax, claimsSortedMax, integerMax } from '@redpack/contract/limits'
import { type Queryable, type Statement, statement } from '../../adapters/db/database.ts'
import { oneValueQuery } from '../../adapters/db/queries.ts'
import {
  containing,
  type IdRow,
  idsOf,
  isCommonWord,
  type PageOfIds,
  type Part,
  pageFromCloserEnd,
  sampleOf,
  searchWords,
  type WordSearch,
  sequentialScan as wordsScanned,
} from '../../adapters/db/word-search.ts'
import { claimsInState, summedUpTo } from '../books/history-sums-sql.ts'

export type ClaimFilter = AdminClaimsFileQuery['status']
export type ClaimSort = (typeof claimSorts)[number]

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
export const claimMatches = (pattern: string): string => `(${says(pattern)} OR ${isNamed(pattern)})`

const namedBy = (words: string) =>
  `SELECT u.id FROM people_search s JOIN users u ON u.id = s.user_id
   WHERE ${words} LIKE lower($1) AND ${isNamed('$1')} LIMIT $2`
const named: WordSearch = {
  sample: sampleOf('people_search', 'sample_named_winners'),
  byIndex: statement('find_named_winners', namedBy('s.words')),
  sequentialScan: statement('find_named_winners_in_passing', namedBy(wordsScanned('s.words'))),
}
const claimWords = { sample: sampleOf('claim_search', 'sample_claim_words') }

const statusesInOrder = ['pending', 'processing', 'completed'] as const

const totalOf = (filter: ClaimFilter) =>
  filter === 'all' ? statusesInOrder.map(claimsInState).join(' + ') : claimsInState(filter)

/** Claims that no search knows by words yet, then those that it does, then those of people. */
export const claimsByIndex = (filter: ClaimFilter, pattern: string, people: string): string => {
  const where = `WHERE ${claimConditions[filter]}`
  return `SELECT c.id FROM prize_claims c
     ${where} AND c.id > ${summedUpTo('claims')} AND c.id < 2147483647 AND ${says(pattern)}
     UNION
     SELECT c.id FROM claim_search s JOIN prize_claims c ON c.id = s.claim_id
     ${where} AND s.words LIKE lower(${pattern})
     UNION
     SELECT c.id FROM prize_claims c ${where} AND c.user_id = ANY(${people}::int[])`
}

function statementsOf(filter: ClaimFilter) {
  const where = `WHERE ${claimConditions[filter]}`
  const read = (order: string) =>
    `SELECT c.id FROM prize_claims c ${where} ORDER BY c.id${order} LIMIT $1 OFFSET $2`
  const byIndex = (order: string) =>
    `SELECT id FROM (${claimsByIndex(filter, '$1', '$4')}) found WHERE id < $3
     ORDER BY id${order} LIMIT $2`
  const passing = (order: string) =>
    `SELECT c.id ${claimsWithPeople} ${where} AND ${claimMatches('$1')} AND c.id < $3
     ORDER BY c.id${order} LIMIT $2`
  return {
    count: oneValueQuery<{ total: number }>(
      `count_claims_${filter}`,
      `SELECT (${totalOf(filter)})::int AS total`,
    ),
    down: statement(`claims_newest_${filter}`, read(' DESC')),
    up: statement(`claims_oldest_${filter}`, read('')),
    foundDown: {
      byIndex: statement(`find_claims_${filter}`, byIndex(' DESC')),
      sequentialScan: statement(`find_claims_in_passing_${filter}`, passing(' DESC')),
    },
    foundUp: {
      byIndex: statement(`find_oldest_claims_${filter}`, byIndex('')),
      sequentialScan: statement(`find_oldest_claims_in_passing_${filter}`, passing('')),
    },
  }
}
const reads = {
  all: statementsOf('all'),
  pending: statementsOf('pending'),
  processing: statementsOf('processing'),
  completed: statementsOf('completed'),
  deleted: statementsOf('deleted'),
} as const satisfies Readonly<Record<ClaimFilter, unknown>>

/** What claims are sorted by without an index, which every opening would pay for. */
const sortKeys = {
  status: "CASE c.status WHEN 'pending' THEN 1 WHEN 'processing' THEN 2 ELSE 3 END",
  user: 'lower(u.display_name)',
  prize: 'lower(c.prize_name)',
}
const sortedBy = (name: keyof typeof sortKeys, isDown = false) =>
  statement(
    `sort_found_claims_by_${name}${isDown ? '_down' : ''}`,
    `SELECT c.id ${claimsWithPeople} WHERE c.id = ANY($1::int[])
     ORDER BY ${sortKeys[name]}${isDown ? ' DESC' : ''}, c.id DESC`,
  )
const sorts: Readonly<Partial<Record<ClaimSort, Statement>>> = {
  status: sortedBy('status'),
  '-status': sortedBy('status', true),
  user: sortedBy('user'),
  '-user': sortedBy('user', true),
  prize: sortedBy('prize'),
  '-prize': sortedBy('prize', true),
}

interface Wanted {
  readonly search: string
  readonly status: ClaimFilter
  readonly sort: ClaimSort
  readonly offset: number
  readonly limit: number
}

/** How many claims a filter lets through. */
export function countClaims(tx: Queryable, status: ClaimFilter): Promise<number> {
  return reads[status].count(tx)
}

/**
 * The claims from `offset` on. To be read at one moment, with statements planned for their values.
 */
export async function claimIds(tx: Queryable, wanted: Wanted): Promise<PageOfIds> {
  const { search, status, sort, offset, limit } = wanted
  if (search !== '') {
    const hits = await hitsOf(tx, { search, status, isUp: sort === 'createdAt' })
    const total = Math.min(hits.length, claimHitsMax)
    const inOrder = await sorted(tx, hits.slice(0, total), sort)
    return { ids: inOrder.slice(offset, offset + limit), total }
  }
  const total = await countClaims(tx, status)
  const isByStatus = sort === 'status' || sort === '-status'
  if (sorts[sort] !== undefined && !isByStatus && total <= claimsSortedMax) {
    const all = idsOf(await tx.run<IdRow>(reads[status].down, [claimsSortedMax, 0]))
    return { ids: (await sorted(tx, all, sort)).slice(offset, offset + limit), total }
  }
  if (status === 'all' && isByStatus) {
    return { ids: await oneStatusAfterTheOther(tx, sort, offset, limit), total }
  }
  return { ids: await along(tx, status, sort !== 'createdAt', { offset, limit, total }), total }
}

/** Part of the claims of a filter by age. */
function along(tx: Queryable, status: ClaimFilter, isDown: boolean, part: Part): Promise<number[]> {
  const { down, up } = reads[status]
  return pageFromCloserEnd(tx, isDown ? [down, up] : [up, down], part)
}

/** The statuses are few and their claims counted, so that no page is far away. */
async function oneStatusAfterTheOther(
  tx: Queryable,
  sort: 'status' | '-status',
  offset: number,
  limit: number,
): Promise<number[]> {
  const ids: number[] = []
  let before = 0
  for (const status of sort === 'status' ? statusesInOrder : statusesInOrder.toReversed()) {
    const total = await countClaims(tx, status)
    const from = offset + ids.length - before
    if (ids.length < limit && from < total) {
      const part = { offset: from, limit: Math.min(limit - ids.length, total - from), total }
      ids.push(...(await along(tx, status, true, part)))
    }
    before += total
  }
  return ids
}

async function sorted(tx: Queryable, hits: number[], sort: ClaimSort): Promise<number[]> {
  const sorting = sorts[sort]
  return sorting === undefined ? hits : idsOf(await tx.run<IdRow>(sorting, [hits]))
}

interface Hits extends Pick<Wanted, 'search' | 'status'> {
  /** True for the oldest first. */
  readonly isUp?: boolean
  /** Only those below this id; at first above all. */
  readonly before?: number
  readonly rowsMax?: number
}

/** Claims that a search finds. To be read as `claimIds` is. */
export async function hitsOf(
  tx: Queryable,
  { search, status, isUp, before = integerMax, rowsMax = claimHitsMax + 1 }: Hits,
): Promise<number[]> {
  const { foundDown, foundUp } = reads[status]
  const { byIndex, sequentialScan } = isUp ? foundUp : foundDown
  const { pattern, people } = await lookedFor(tx, search)
  const found =
    people === null
      ? await tx.run<IdRow>(sequentialScan, [pattern, rowsMax, before])
      : await tx.run<IdRow>(byIndex, [pattern, rowsMax, before, people])
  return idsOf(found)
}

/** What a search matches, and the people it names: null where claims are met in passing sooner. */
export async function lookedFor(tx: Queryable, search: string) {
  const pattern = containing(search)
  const isCommon = await isCommonWord(tx, claimWords, pattern)
  const people = isCommon ? [] : await searchWords<IdRow>(tx, named, pattern, namedMax + 1)
  return { pattern, people: isCommon || people.length > namedMax ? null : idsOf(people) }
}
