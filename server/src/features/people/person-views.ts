// Everything staff need to know of one user, on one page.

import type { AdminPerson, StaffNote, StaffPowers } from '@redpack/contract'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { mayActOnEverybody, mayChangeRole, type Role } from '../../rules/roles.ts'
import { isWalletAddress } from '../../rules/wallet.ts'
import { DomainError, invariant } from '../../shared/domain-error.ts'
import { type Dated, isoTimes } from '../../shared/iso-times.ts'
import { adminUser } from './users-views.ts'

const readAccount = statement(
  'read_person_account',
  `SELECT u.bio, u.country, u.timezone, u.twitch_id AS "twitchId", u.discord_id AS "discordId",
     u.discord_username AS "discordUsername", u.solana_wallet AS "solanaWallet",
     u.solana_wallet_verified_at AS "walletVerifiedAt", false AS "isWalletUnchecked",
     u.is_hidden_from_leaderboard AS "isHiddenFromLeaderboard",
     (SELECT max(s.last_seen_at) FROM sessions s WHERE s.user_id = u.id) AS "lastSeenAt"
   FROM users u WHERE u.id = $1`,
)
const readTotals = statement(
  'read_person_totals',
  `SELECT u.red_coin_balance AS "redCoinBalance", u.total_red_coin_won AS "redCoinWon",
     (SELECT coalesce(sum(h.quantity), 0)::bigint FROM user_packs h
       WHERE h.user_id = u.id) AS "unopenedPacks",
     (SELECT count(*)::int FROM pack_openings o WHERE o.user_id = u.id) AS openings,
     (SELECT count(*)::int FROM store_purchases b WHERE b.user_id = u.id) AS purchases,
     (SELECT count(*)::int FROM watch_completions w WHERE w.user_id = u.id) AS "completedWatches"
   FROM users u WHERE u.id = $1`,
)
const readClaims = statement(
  'read_person_claims',
  `SELECT count(*) FILTER (WHERE status = 'pending' AND deleted_at IS NULL)::int AS pending,
     count(*) FILTER (WHERE status = 'processing' AND deleted_at IS NULL)::int AS processing,
     count(*) FILTER (WHERE status = 'completed' AND deleted_at IS NULL)::int AS completed,
     count(deleted_at)::int AS deleted
   FROM prize_claims WHERE user_id = $1`,
)
const readLedger = statement(
  'read_person_ledger',
  `SELECT id, created_at AS "createdAt", amount, type, description, balance_after AS "balanceAfter"
   FROM red_coin_transactions WHERE user_id = $1 ORDER BY id DESC LIMIT 20`,
)
const readPackHistory = statement(
  'read_person_pack_history',
  `SELECT e.id, e.created_at AS "createdAt", t.name AS "packTypeName", e.delta, e.type, e.description,
     e.quantity_after AS "quantityAfter"
   FROM pack_transactions e JOIN pack_types t ON t.id = e.pack_type_id
   WHERE e.user_id = $1 ORDER BY e.id DESC LIMIT 20`,
)
const readStaffActions = statement(
  'read_person_staff_actions',
  `SELECT a.created_at, a.action, a.before, a.after, a.reason, u.id AS actor_id, u.username,
     u.display_name
   FROM audit_log a LEFT JOIN users u ON u.id = a.actor_id
   WHERE a.target_type = 'user' AND a.target_id = $1::int::text AND a.action = ANY($2::text[])
   ORDER BY a.id DESC LIMIT 20`,
)
const readNotes = statement(
  'read_person_notes',
  `SELECT n.id, n.body, n.created_at, u.id AS actor_id, u.username, u.display_name
   FROM staff_notes n LEFT JOIN users u ON u.id = n.author_id
   WHERE n.user_id = $1 ORDER BY n.id DESC LIMIT 50`,
)

interface ActorRow {
  readonly created_at: Date
  readonly actor_id: number | null
  readonly username: string
  readonly display_name: string
}

interface StaffActionRow extends ActorRow {
  readonly action: string
  readonly before: unknown
  readonly after: unknown
  readonly reason: string | null
}

function actorOf({ actor_id, username, display_name }: ActorRow) {
  return actor_id === null ? null : { id: actor_id, username, displayName: display_name }
}

/** @throws DomainError not_found, also for somebody who has left */
export async function adminPerson(db: Queryable, userId: number): Promise<AdminPerson> {
  const user = await adminUser(db, userId)
  const [accounts, totals, claims, ledger, packHistory, roles, blocks, standing, notes] =
    await Promise.all([
      db.run<Dated<AdminPerson['account'], 'walletVerifiedAt' | 'lastSeenAt'>>(readAccount, [
        userId,
      ]),
      db.run<AdminPerson['totals']>(readTotals, [userId]),
      db.run<AdminPerson['claims']>(readClaims, [userId]),
      db.run<Dated<AdminPerson['ledger'][number], 'createdAt'>>(readLedger, [userId]),
      db.run<Dated<AdminPerson['packHistory'][number], 'createdAt'>>(readPackHistory, [userId]),
      db.run<StaffActionRow>(readStaffActions, [userId, ['role.change']]),
      user.isEarningBlocked
        ? db.run<StaffActionRow>(readStaffActions, [userId, ['earning.block']])
        : [],
      db.run<StaffActionRow>(readStaffActions, [userId, standingActions]),
      db.run<ActorRow & { readonly id: number; readonly body: string }>(readNotes, [userId]),
    ])
  const [account, total, counted] = [accounts[0], totals[0], claims[0]]
  invariant(account && total && counted, 'a user has an account')
  const { solanaWallet } = account
  return {
    user,
    account: {
      ...isoTimes(account),
      isWalletUnchecked: solanaWallet !== null && !isWalletAddress(solanaWallet),
    },
    totals: total,
    claims: counted,
    ledger: ledger.map(isoTimes),
    packHistory: packHistory.map(isoTimes),
    roleHistory: roles.map(roleChange),
    standingHistory: standing.map(standingChange),
    notes: notes.map((row) => ({
      id: row.id,
      body: row.body,
      createdAt: row.created_at.toISOString(),
      author: actorOf(row),
    })),
    earningBlock: user.isEarningBlocked ? blockOf(blocks[0]) : null,
  }
}

function roleChange(row: StaffActionRow): AdminPerson['roleHistory'][number] {
  type Said = { readonly role: AdminPerson['roleHistory'][number]['to'] }
  return {
    createdAt: row.created_at.toISOString(),
    from: (row.before as Said).role,
    to: (row.after as Said).role,
    actor: actorOf(row),
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
    createdAt: row.created_at.toISOString(),
    action: row.action,
    value: said?.shownName ?? said?.until ?? null,
    reason: row.reason,
    actor: actorOf(row),
  }
}

/** A block that was set by hand in the database has nobody who said why. */
function blockOf(row: StaffActionRow | undefined): AdminPerson['earningBlock'] {
  if (row === undefined) return { reason: '', createdAt: null, actor: null }
  return { reason: row.reason ?? '', createdAt: row.created_at.toISOString(), actor: actorOf(row) }
}

const columns = 'n.id, n.body, n.created_at, u.id AS author_id, u.username, u.display_name'
const readOfUser = statement(
  'read_notes_of_user',
  `SELECT ${columns} FROM users about
   LEFT JOIN staff_notes n ON n.user_id = about.id
   LEFT JOIN users u ON u.id = n.author_id
   WHERE about.id = $1 AND about.deleted_at IS NULL ORDER BY n.id DESC LIMIT 200`,
)
const readOne = statement(
  'read_note',
  `SELECT ${columns} FROM staff_notes n JOIN users u ON u.id = n.author_id WHERE n.id = $1`,
)

interface NoteRow {
  readonly id: number | null
  readonly body: string
  readonly created_at: Date
  readonly author_id: number
  readonly username: string
  readonly display_name: string
}

function noteFrom({ id, ...row }: NoteRow): StaffNote[] {
  if (id === null) return []
  const author = { id: row.author_id, username: row.username, displayName: row.display_name }
  return [{ id, body: row.body, createdAt: row.created_at.toISOString(), author }]
}

/** The latest 200 notes, newest first. @throws DomainError not_found when there is no such user */
export async function notesOf(db: Queryable, userId: number): Promise<StaffNote[]> {
  const rows = await db.run<NoteRow>(readOfUser, [userId])
  if (rows.length === 0) throw new DomainError('not_found', 'User not found')
  return rows.flatMap(noteFrom)
}

/** A note that was just written. */
export async function noteById(db: Queryable, noteId: number): Promise<StaffNote> {
  const [note] = (await db.run<NoteRow>(readOne, [noteId])).flatMap(noteFrom)
  invariant(note !== undefined, 'a written note can be read')
  return note
}

export function powersOf(role: Role, isStrict: boolean): StaffPowers {
  return {
    mayActOnEverybody: mayActOnEverybody(role, isStrict),
    mayChangeSuperUsers: mayChangeRole(role, 'user', 'super_user', isStrict),
  }
}
