// Claims as staff handle them: the whole list, one page, a file, and one of them.

import type {
  AdminClaim,
  AdminClaimsFileQuery,
  AdminClaimsPage,
  AdminClaimsQuery,
} from '@redpack/contract'
import { adminFileRowsMax } from '@redpack/contract/limits'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { formatClaimId } from '../../rules/claim-id.ts'
import { contactInfoContext, isSealedText, type SealedText } from '../../rules/contact-info.ts'
import { csvPieces } from '../../shared/csv-file.ts'
import { invariant } from '../../shared/domain-error.ts'
import { containing, pagesOf } from '../../shared/search-pattern.ts'

const columns = `c.id, c.claim_id, c.user_id, c.prize_id, c.status, c.contact_info, c.created_at,
  c.updated_at, c.deleted_at, u.username, u.display_name, c.prize_name, c.red_coin_amount,
  c.red_coin_amount > 0 OR (c.status = 'completed' AND c.pack_quantity > 0 AND NOT c.is_also_sent)
    AS is_auto_completed`
const joined = 'FROM prize_claims c JOIN users u ON u.id = c.user_id'

type Filter = AdminClaimsFileQuery['status']

/** Written out per filter, so that each can use the index that is made for it. */
const conditions: Readonly<Record<Filter, string>> = {
  all: 'c.deleted_at IS NULL',
  pending: `c.deleted_at IS NULL AND c.status <> 'completed' AND c.status = 'pending'`,
  processing: `c.deleted_at IS NULL AND c.status <> 'completed' AND c.status = 'processing'`,
  completed: `c.deleted_at IS NULL AND c.status = 'completed'`,
  deleted: 'c.deleted_at IS NOT NULL',
}

const found = `(c.claim_id ILIKE $1 OR (c.claim_id IS NULL AND 'PR-' || c.id ILIKE $1)
  OR u.username ILIKE $1 OR u.display_name ILIKE $1 OR c.prize_name ILIKE $1)`

function statementsOf(filter: Filter) {
  const where = `WHERE ${conditions[filter]}`
  return {
    count: statement(
      `count_claims_${filter}`,
      `SELECT count(*)::int AS total FROM prize_claims c ${where}`,
    ),
    countFound: statement(
      `count_found_claims_${filter}`,
      `SELECT count(*)::int AS total ${joined} ${where} AND ${found}`,
    ),
    before: statement(
      `read_claims_before_${filter}`,
      `SELECT ${columns} ${joined} ${where} AND c.id < $1::bigint ORDER BY c.id DESC LIMIT $2 OFFSET $3`,
    ),
    foundBefore: statement(
      `read_found_claims_before_${filter}`,
      `SELECT ${columns} ${joined} ${where} AND ${found} AND c.id < $2::bigint
       ORDER BY c.id DESC LIMIT $3 OFFSET $4`,
    ),
  }
}

const reads = {
  all: statementsOf('all'),
  pending: statementsOf('pending'),
  processing: statementsOf('processing'),
  completed: statementsOf('completed'),
  deleted: statementsOf('deleted'),
} as const satisfies Readonly<Record<Filter, unknown>>

interface ClaimRow {
  readonly id: number
  readonly claim_id: string | null
  readonly user_id: number
  readonly prize_id: number
  readonly status: AdminClaim['status']
  readonly contact_info: unknown
  readonly created_at: Date
  readonly updated_at: Date
  readonly deleted_at: Date | null
  readonly username: string
  readonly display_name: string
  readonly prize_name: string
  readonly red_coin_amount: number
  readonly is_auto_completed: boolean
}

/** Opens contact details; undefined when another key has sealed them. */
export type OpenText = (sealed: SealedText, place: string) => string | undefined

interface Wanted {
  readonly search: string
  readonly status: Filter
}

const newest = Number.MAX_SAFE_INTEGER

function readBefore(
  db: Queryable,
  { search, status }: Wanted,
  place: { readonly before: number; readonly limit: number; readonly offset: number },
): Promise<ClaimRow[]> {
  const { before, limit, offset } = place
  const { before: plain, foundBefore } = reads[status]
  return search === ''
    ? db.run<ClaimRow>(plain, [before, limit, offset])
    : db.run<ClaimRow>(foundBefore, [containing(search), before, limit, offset])
}

const everything: Wanted = { search: '', status: 'all' }

async function count(db: Queryable, { search, status }: Wanted): Promise<number> {
  const rows = await (search === ''
    ? db.run<{ total: number }>(reads[status].count, [])
    : db.run<{ total: number }>(reads[status].countFound, [containing(search)]))
  return rows[0]?.total ?? 0
}

/**
 * Every claim, newest first, 100000 at most, or the page that is asked for.
 */
export async function adminClaims(
  db: Queryable,
  query: AdminClaimsQuery,
  open: OpenText,
): Promise<AdminClaim[] | AdminClaimsPage> {
  if (!query.isPaged) {
    const place = { before: newest, limit: adminFileRowsMax, offset: 0 }
    return (await readBefore(db, everything, place)).map((row) => claimFrom(row, open))
  }
  const { page, limit, search } = query
  const [rows, total, claimsTotal] = await Promise.all([
    readBefore(db, query, { before: newest, limit, offset: (page - 1) * limit }),
    count(db, query),
    count(db, everything),
  ])
  return {
    claims: rows.map((row) => claimFrom(row, open)),
    searchMode: search !== '',
    total,
    totalPages: pagesOf(total, limit),
    page,
    limit,
    claimsTotal,
  }
}

const readOne = statement('read_admin_claim', `SELECT ${columns} ${joined} WHERE c.id = $1`)

/** A claim that was just changed. */
export async function adminClaim(db: Queryable, id: number, open: OpenText): Promise<AdminClaim> {
  const [row] = await db.run<ClaimRow>(readOne, [id])
  invariant(row !== undefined, 'a changed claim can be read')
  return claimFrom(row, open)
}

function claimFrom(row: ClaimRow, open: OpenText): AdminClaim {
  const { username, red_coin_amount: redCoinAmount, prize_name: prizeName } = row
  return {
    id: row.id,
    claimId: formatClaimId(row.claim_id, row.id),
    userId: row.user_id,
    prizeId: row.prize_id,
    status: row.status,
    contactInfo: contactFrom(row, open),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    user: { id: row.user_id, username, displayName: row.display_name },
    prize: { id: row.prize_id, name: prizeName, redCoinAmount },
    prizeName,
    username,
    redCoinAmount,
    isAutoCompleted: row.is_auto_completed,
    deletedAt: row.deleted_at?.toISOString() ?? null,
  }
}

/** Null also when a key has sealed the details that is not here any more. */
function contactFrom(
  { id, contact_info }: Pick<ClaimRow, 'id' | 'contact_info'>,
  open: OpenText,
): AdminClaim['contactInfo'] {
  if (!isSealedText(contact_info)) return null
  const text = open(contact_info, contactInfoContext(id))
  return text === undefined ? null : JSON.parse(text)
}

const heading = [
  'id',
  'claimId',
  'status',
  'username',
  'displayName',
  'prizeName',
  'redCoinAmount',
  'createdAt',
  'updatedAt',
]

/** The claims as pieces of a CSV file, newest first. */
export function claimsFile(
  db: Queryable,
  query: AdminClaimsFileQuery,
  open: OpenText,
  rowsMax = adminFileRowsMax,
): AsyncIterable<string> {
  const hasContact = query.contact === 'with'
  return csvPieces<ClaimRow>({
    heading: hasContact ? [...heading, 'contactInfo'] : heading,
    rowsMax,
    read: (last, limit) => readBefore(db, query, { before: last?.id ?? newest, limit, offset: 0 }),
    cells: (row) => {
      const cells = [
        row.id,
        formatClaimId(row.claim_id, row.id),
        row.status,
        row.username,
        row.display_name,
        row.prize_name,
        row.red_coin_amount,
        row.created_at.toISOString(),
        row.updated_at.toISOString(),
      ]
      return hasContact ? [...cells, contactCell(contactFrom(row, open))] : cells
    },
  })
}

function contactCell(contact: AdminClaim['contactInfo']): string | null {
  return contact === null || typeof contact === 'string' ? contact : JSON.stringify(contact)
}
