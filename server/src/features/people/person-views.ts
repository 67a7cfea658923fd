// Everything staff need to know of one user, on one page.

import type { AdminPerson, StaffNote, StaffPowers } from '@redpack/contract'
import { personHistoryMax, personNotesMax } from '@redpack/contract/limits'
import type { Queryable } from '../../adapters/db/database.ts'
import { oneQuery, rowsQuery } from '../../adapters/db/queries.ts'
import { mayActOnEverybody, mayChangeRole, type Role } from '../../rules/roles.ts'
import { isWalletAddress } from '../../rules/wallet.ts'
import { DomainError, existing } from '../../shared/domain-error.ts'
import { type Dated, isoTimes } from '../../shared/iso-times.ts'
import { authorOf } from '../../shared/standing-sql.ts'
import { noteColumns } from './users-sql.ts'
import { pickedUsers } from './users-views.ts'

const readAccount = oneQuery<
  Dated<AdminPerson['account'], 'walletVerifiedAt' | 'lastSeenAt'>,
  [userId: number]
>(
  'read_person_account',
  `SELECT u.bio, u.country, u.timezone, u.twitch_id AS "twitchId", u.discord_id AS "discordId",
     u.discord_username AS "discordUsername", u.solana_wallet AS "solanaWallet",
     u.solana_wallet_verified_at AS "walletVerifiedAt", false AS "isWalletUnchecked",
     u.is_hidden_from_leaderboard AS "isHiddenFromLeaderboard",
     (SELECT max(s.last_seen_at) FROM sessions s WHERE s.user_id = u.id) AS "lastSeenAt"
   FROM users u WHERE u.id = $1`,
)
const readTotals = oneQuery<AdminPerson['totals'], [userId: number]>(
  'read_person_totals',
  `SELECT u.red_coin_balance AS "redCoinBalance", u.total_red_coin_won AS "redCoinWon",
     (SELECT coalesce(sum(h.quantity), 0)::bigint FROM user_packs h
       WHERE h.user_id = u.id) AS "unopenedPacks",
     (SELECT count(*)::int FROM pack_openings o WHERE o.user_id = u.id) AS openings,
     (SELECT count(*)::int FROM store_purchases b WHERE b.user_id = u.id) AS purchases,
     (SELECT count(*)::int FROM watch_completions w WHERE w.user_id = u.id) AS "completedWatches"
   FROM users u WHERE u.id = $1`,
)
const readClaims = oneQuery<AdminPerson['claims'], [userId: number]>(
  'read_person_claims',
  `SELECT count(*) FILTER (WHERE status = 'pending' AND deleted_at IS NULL)::int AS pending,
     count(*) FILTER (WHERE status = 'processing' AND deleted_at IS NULL)::int AS processing,
     count(*) FILTER (WHERE status = 'completed' AND deleted_at IS NULL)::int AS completed,
     count(deleted_at)::int AS deleted
   FROM prize_claims WHERE user_id = $1`,
)
type LedgerRow = Dated<AdminPerson['ledger'][number], 'createdAt'>
const readLedger = rowsQuery<LedgerRow, [userId: number]>(
  'read_person_ledger',
  `SELECT id, created_at AS "createdAt", amount, type, description, balance_after AS "balanceAfter"
   FROM red_coin_transactions WHERE user_id = $1 ORDER BY id DESC LIMIT ${personHistoryMax}`,
)
type PackRow = Dated<AdminPerson['packHistory'][number], 'createdAt'>
const readPackHistory = rowsQuery<PackRow, [userId: number]>(
  'read_person_pack_history',
  `SELECT e.id, e.created_at AS "createdAt", t.name AS "packTypeName", e.delta, e.type, e.description,
     e.quantity_after AS "quantityAfter"
   FROM pack_transactions e JOIN pack_types t ON t.id = e.pack_type_id
   WHERE e.user_id = $1 ORDER BY e.id DESC LIMIT ${personHistoryMax}`,
)
const readStaffActions = rowsQuery<StaffActionRow, [userId: number, actions: string[]]>(
  'read_person_staff_actions',
  `SELECT a.created_at AS "createdAt", a.action, a.before, a.after, a.reason,
     ${authorOf('u')} AS actor
   FROM audit_log a LEFT JOIN users u ON u.id = a.actor_id
   WHERE a.target_type = 'user' AND a.target_id = $1::int::text AND a.action = ANY($2::text[])
   ORDER BY a.id DESC LIMIT ${personHistoryMax}`,
)
type NoteRow = Dated<StaffNote, 'createdAt'>
const readNotes = rowsQuery<NoteRow, [userId: number]>(
  'read_person_notes',
  `SELECT ${noteColumns} FROM staff_notes n LEFT JOIN users u ON u.id = n.author_id
   WHERE n.user_id = $1 ORDER BY n.id DESC LIMIT ${personNotesMax}`,
)

interface StaffActionRow {
  readonly createdAt: Date
  readonly action: string
  readonly before: unknown
  readonly after: unknown
  readonly reason: string | null
  readonly actor: StaffNote['author']
}

/** @throws DomainError not_found, also for somebody who has left */
export async function adminPerson(db: Queryable, userId: number): Promise<AdminPerson> {
  const [found] = await pickedUsers(db, [userId])
  const user = existing(found, 'User not found')
  const [account, totals, claims, ledger, packHistory, roles, blocks, standing, notes] =
    await Promise.all([
      readAccount(db, userId),
      readTotals(db, userId),
      readClaims(db, userId),
      readLedger(db, userId),
      readPackHistory(db, userId),
      readStaffActions(db, userId, ['role.change']),
      user.isEarningBlocked ? readStaffActions(db, userId, ['earning.block']) : [],
      readStaffActions(db, userId, standingActions),
      readNotes(db, userId),
    ])
  const { solanaWallet } = account
  return {
    user,
    account: {
      ...isoTimes(account),
      isWalletUnchecked: solanaWallet !== null && !isWalletAddress(solanaWallet),
    },
    totals,
    claims,
    ledger: ledger.map(isoTimes),
    packHistory: packHistory.map(isoTimes),
    roleHistory: roles.map(roleChange),
    standingHistory: standing.map(standingChange),
    notes: notes.map(isoTimes),
    earningBlock: user.isEarningBlocked ? blockOf(blocks[0]) : null,
  }
}

function roleChange(row: StaffActionRow): AdminPerson['roleHistory'][number] {
  type Said = { readonly role: AdminPerson['roleHistory'][number]['to'] }
  return {
    createdAt: row.createdAt.toISOString(),
    from: (row.before as Said).role,
    to: (row.after as Said).role,
    actor: row.actor,
  }
}

const standingActions = [
  'name.hide',
  'name.replace',
  'name.restore',
  'suspension.set',
  'suspension.end',
]

function standingChange(row: StaffActionRow): AdminPerson['standingHistory'][number] {
  type Said = { readonly shownName?: string | null; readonly until?: string | null } | null
  const said = row.after as Said
  return {
    createdAt: row.createdAt.toISOString(),
    action: row.action,
    value: said?.shownName ?? said?.until ?? null,
    reason: row.reason,
    actor: row.actor,
  }
}

/** A block that was set by hand in the database has nobody who said why. */
function blockOf(row: StaffActionRow | undefined): AdminPerson['earningBlock'] {
  if (row === undefined) return { reason: '', createdAt: null, actor: null }
  return { reason: row.reason ?? '', createdAt: row.createdAt.toISOString(), actor: row.actor }
}

const readOfUser = rowsQuery<NoteRow | { readonly id: null }, [userId: number]>(
  'read_notes_of_user',
  `SELECT ${noteColumns} FROM users about
   LEFT JOIN staff_notes n ON n.user_id = about.id
   LEFT JOIN users u ON u.id = n.author_id
   WHERE about.id = $1 AND about.deleted_at IS NULL ORDER BY n.id DESC LIMIT 200`,
)
/** The latest 200 notes, newest first. @throws DomainError not_found when there is no such user */
export async function notesOf(db: Queryable, userId: number): Promise<StaffNote[]> {
  const rows = await readOfUser(db, userId)
  if (rows.length === 0) throw new DomainError('not_found', 'User not found')
  return rows.flatMap((row) => (row.id === null ? [] : [isoTimes(row)]))
}

export function powersOf(role: Role, isStrict: boolean): StaffPowers {
  return {
    mayActOnEverybody: mayActOnEverybody(role, isStrict),
    mayChangeSuperUsers: mayChangeRole(role, 'user', 'super_user', isStrict),
  }
}
