// Claims as staff handle them: the whole list, one page, a file, and one of them.

import {
  type AdminClaim,
  type AdminClaimsFileQuery,
  type AdminClaimsQuery,
  claimStatusFilters,
} from '@redpack/contract'
import { adminFileRowsMax, integerMax } from '@redpack/contract/limits'
import { type Database, type Queryable, statement } from '../../adapters/db/database.ts'
import { oneQuery } from '../../adapters/db/queries.ts'
import { atOneMoment } from '../../adapters/db/retry.ts'
import { formatClaimId } from '../../rules/claim-steps.ts'
import { csvPieces, ownColumns } from '../../shared/csv-file.ts'
import { type Dated, isoTimes } from '../../shared/iso-times.ts'
import { type JsonText, joinedLists, jsonText } from '../../shared/json-text.ts'
import { placeOf } from '../../shared/pagination.ts'
import { contactInfoContext, isSealedText, type SealedText } from '../../shared/sealed-text.ts'
import {
  type ClaimFilter,
  claimConditions,
  claimIds,
  claimsWithPeople,
  countClaims,
  hitsOf,
} from './admin-order-views.ts'

/** Under the names of the answer and in its order. */
const columns = `c.id, c.claim_id AS "claimId", c.user_id AS "userId", c.prize_id AS "prizeId",
  c.status, c.contact_info AS "contactInfo", c.created_at AS "createdAt",
  c.updated_at AS "updatedAt", json_build_object('id', u.id, 'username', u.username,
    'displayName', u.display_name) AS "user", json_build_object('id', c.prize_id,
    'name', c.prize_name, 'redCoinAmount', c.red_coin_amount) AS prize,
  c.prize_name AS "prizeName", u.username, c.red_coin_amount AS "redCoinAmount",
  c.red_coin_amount > 0 OR (c.status = 'completed' AND c.pack_quantity > 0 AND NOT c.is_also_sent)
    AS "isAutoCompleted", c.deleted_at AS "deletedAt"`

const beforeOf = (filter: ClaimFilter) =>
  statement(
    `read_claims_before_${filter}`,
    `SELECT ${columns} ${claimsWithPeople} WHERE ${claimConditions[filter]} AND c.id < $1
     ORDER BY c.id DESC LIMIT $2`,
  )
const before = Object.fromEntries(
  claimStatusFilters.map((filter) => [filter, beforeOf(filter)]),
) as Readonly<Record<ClaimFilter, ReturnType<typeof beforeOf>>>
const readPicked = statement(
  'read_picked_claims',
  `SELECT ${columns} ${claimsWithPeople} WHERE c.id = ANY($1::int[])
   ORDER BY array_position($1::int[], c.id)`,
)

type ClaimRow = Omit<
  Dated<AdminClaim, 'createdAt' | 'updatedAt' | 'deletedAt'>,
  'claimId' | 'contactInfo'
> & { readonly claimId: string | null; readonly contactInfo: unknown }

/** Opens contact details; undefined when another key has sealed them. */
export type OpenText = (sealed: SealedText, place: string) => string | undefined

/** Claims that are read and written at once where all are wanted. */
const pieceRowsMax = 500

async function* claimPieces(db: Queryable, open: OpenText): AsyncGenerator<JsonText<AdminClaim[]>> {
  let last = integerMax
  for (let left = adminFileRowsMax; left > 0; left -= pieceRowsMax) {
    const rows = await db.run<ClaimRow>(before.all, [last, Math.min(left, pieceRowsMax)])
    yield jsonText(rows.map((row) => claimFrom(row, open)))
    const lastRow = rows.at(-1)
    if (lastRow === undefined || rows.length < pieceRowsMax) return
    last = lastRow.id
  }
}

/**
 * JSON text of every claim, newest first, 100000 at most. It is read piece by piece, so one that
 * is changed meanwhile may stand in it as it was or as it is.
 */
export function allClaimsJson(db: Queryable, open: OpenText): Promise<JsonText<AdminClaim[]>> {
  return joinedLists(claimPieces(db, open))
}

type PageQuery = Extract<AdminClaimsQuery, { readonly isPaged: true }>

/** The page of claims that is asked for. */
export async function claimsPage(db: Database, query: PageQuery, open: OpenText) {
  const { page, limit, search } = query
  const openOrNot: OpenText = query.contact === 'with' ? open : () => undefined
  const { rows, total, claimsTotal } = await atOneMoment(db, async (tx) => {
    const { ids, total } = await claimIds(tx, { ...query, offset: (page - 1) * limit })
    const rows = await tx.run<ClaimRow>(readPicked, [ids])
    return { rows, total, claimsTotal: await countClaims(tx, 'all') }
  })
  return {
    claims: rows.map((row) => claimFrom(row, openOrNot)),
    searchMode: search !== '',
    ...placeOf(total, query),
    claimsTotal,
  }
}

const readOne = oneQuery<ClaimRow, [id: number]>(
  'read_admin_claim',
  `SELECT ${columns} ${claimsWithPeople} WHERE c.id = $1`,
)

/** A claim that was just changed. */
export async function adminClaim(db: Queryable, id: number, open: OpenText): Promise<AdminClaim> {
  return claimFrom(await readOne(db, id), open)
}

function claimFrom(row: ClaimRow, open: OpenText): AdminClaim {
  const claimId = formatClaimId(row.claimId, row.id)
  return { ...isoTimes(row), claimId, contactInfo: contactFrom(row, open) }
}

/** Null also when a key has sealed the details that is not here any more. */
export function contactFrom(
  { id, contactInfo }: Pick<ClaimRow, 'id' | 'contactInfo'>,
  open: OpenText,
): AdminClaim['contactInfo'] {
  if (!isSealedText(contactInfo)) return null
  const text = open(contactInfo, contactInfoContext(id))
  return text === undefined ? null : JSON.parse(text)
}

/** Finding takes far longer than reading: the claims of ten pieces are found at once. */
const foundRowsMax = 10_000

/** Reads what a search finds, each time the next claims below `last`. */
function readerOf(db: Database, { search, status }: AdminClaimsFileQuery) {
  let found: readonly number[] = []
  return (last: number, limit: number): Promise<ClaimRow[]> =>
    atOneMoment(db, async (tx) => {
      if (found.length === 0) {
        found = await hitsOf(tx, { search, status, before: last, rowsMax: foundRowsMax })
      }
      const ids = found.slice(0, limit)
      found = found.slice(limit)
      return tx.run<ClaimRow>(readPicked, [ids])
    })
}

/** The claims as pieces of a CSV file, newest first. */
export function claimsFile(
  db: Database,
  query: AdminClaimsFileQuery,
  open: OpenText,
  rowsMax = adminFileRowsMax,
): AsyncIterable<string> {
  const contact = (row: ClaimRow) => contactCell(contactFrom(row, open))
  const readAll = (last: number, limit: number) =>
    db.run<ClaimRow>(before[query.status], [last, limit])
  const read = query.search === '' ? readAll : readerOf(db, query)
  return csvPieces<ClaimRow>({
    rowsMax,
    read: (last, limit) => read(last?.id ?? integerMax, limit),
    columns: {
      id: (row) => row.id,
      claimId: (row) => formatClaimId(row.claimId, row.id),
      ...ownColumns('status', 'username'),
      displayName: (row) => row.user.displayName,
      ...ownColumns('prizeName', 'redCoinAmount'),
      createdAt: (row) => row.createdAt.toISOString(),
      updatedAt: (row) => row.updatedAt.toISOString(),
      ...(query.contact === 'with' && { contactInfo: contact }),
    },
  })
}

function contactCell(contact: AdminClaim['contactInfo']): string | null {
  return contact === null || typeof contact === 'string' ? contact : JSON.stringify(contact)
}
