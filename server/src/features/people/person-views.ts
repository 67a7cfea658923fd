// Everything staff need to know of one user, on one page.

import type { AdminPerson } from '@redpack/contract'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { isWalletAddress } from '../../rules/wallet.ts'
import { adminUser } from './users-views.ts'

const readAccount = statement(
  'read_person_account',
  `SELECT u.bio, u.country, u.timezone, u.twitch_id, u.discord_id, u.discord_username,
     u.solana_wallet, u.solana_wallet_verified_at, u.is_hidden_from_leaderboard,
     u.total_red_coin_won,
     (SELECT max(s.last_seen_at) FROM sessions s WHERE s.user_id = u.id) AS last_seen_at,
     (SELECT coalesce(sum(h.quantity), 0)::bigint FROM user_packs h
       WHERE h.user_id = u.id) AS packs,
     (SELECT count(*)::int FROM pack_openings o WHERE o.user_id = u.id) AS openings,
     (SELECT count(*)::int FROM store_purchases b WHERE b.user_id = u.id) AS purchases,
     (SELECT count(*)::int FROM watch_completions w WHERE w.user_id = u.id) AS watches
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
  `SELECT id, created_at, amount, type, description, balance_after AS "balanceAfter"
   FROM red_coin_transactions WHERE user_id = $1 ORDER BY id DESC LIMIT 20`,
)
const readPackHistory = statement(
  'read_person_pack_history',
  `SELECT e.id, e.created_at, t.name AS "packTypeName", e.delta, e.type, e.description,
     e.quantity_after AS "quantityAfter"
   FROM pack_transactions e JOIN pack_types t ON t.id = e.pack_type_id
   WHERE e.user_id = $1 ORDER BY e.id DESC LIMIT 20`,
)
const readStaffActions = statement(
  'read_person_staff_actions',
  `SELECT a.created_at, a.before, a.after, a.reason, u.id AS actor_id, u.username, u.display_name
   FROM audit_log a LEFT JOIN users u ON u.id = a.actor_id
   WHERE a.target_type = 'user' AND a.target_id = $1::int::text AND a.action = $2
   ORDER BY a.id DESC LIMIT 20`,
)
const readNotes = statement(
  'read_person_notes',
  `SELECT n.id, n.body, n.created_at, u.id AS actor_id, u.username, u.display_name
   FROM staff_notes n LEFT JOIN users u ON u.id = n.author_id
   WHERE n.user_id = $1 ORDER BY n.id DESC LIMIT 50`,
)

interface AccountRow {
  readonly bio: string | null
  readonly country: string | null
  readonly timezone: string | null
  readonly twitch_id: string | null
  readonly discord_id: string | null
  readonly discord_username: string | null
  readonly solana_wallet: string | null
  readonly solana_wallet_verified_at: Date | null
  readonly is_hidden_from_leaderboard: boolean
  readonly total_red_coin_won: number
  readonly last_seen_at: Date | null
  readonly packs: number
  readonly openings: number
  readonly purchases: number
  readonly watches: number
}

interface ActorRow {
  readonly created_at: Date
  readonly actor_id: number | null
  readonly username: string
  readonly display_name: string
}

interface StaffActionRow extends ActorRow {
  readonly before: unknown
  readonly after: unknown
  readonly reason: string | null
}

type Dated<Row> = Omit<Row, 'createdAt'> & { readonly created_at: Date }

function withIsoTime<Row extends { readonly created_at: Date }>({ created_at, ...row }: Row) {
  return { ...row, createdAt: created_at.toISOString() }
}

function actorOf({ actor_id, username, display_name }: ActorRow) {
  return actor_id === null ? null : { id: actor_id, username, displayName: display_name }
}

/** @throws DomainError not_found, also for somebody who has left */
export async function adminPerson(db: Queryable, userId: number): Promise<AdminPerson> {
  const user = await adminUser(db, userId)
  const [accounts, claims, ledger, packHistory, roles, blocks, notes] = await Promise.all([
    db.run<AccountRow>(readAccount, [userId]),
    db.run<AdminPerson['claims']>(readClaims, [userId]),
    db.run<Dated<AdminPerson['ledger'][number]>>(readLedger, [userId]),
    db.run<Dated<AdminPerson['packHistory'][number]>>(readPackHistory, [userId]),
    db.run<StaffActionRow>(readStaffActions, [userId, 'role.change']),
    user.isEarningBlocked
      ? db.run<StaffActionRow>(readStaffActions, [userId, 'earning.block'])
      : [],
    db.run<ActorRow & { readonly id: number; readonly body: string }>(readNotes, [userId]),
  ])
  const account = accounts[0]
  const counted = claims[0]
  if (account === undefined || counted === undefined) throw new Error('A user has no account')
  return {
    user,
    ...accountOf(account, user.redCoinBalance),
    claims: counted,
    ledger: ledger.map(withIsoTime),
    packHistory: packHistory.map(withIsoTime),
    roleHistory: roles.map(roleChange),
    notes: notes.map((row) => ({
      id: row.id,
      body: row.body,
      createdAt: row.created_at.toISOString(),
      author: actorOf(row),
    })),
    earningBlock: user.isEarningBlocked ? blockOf(blocks[0]) : null,
  }
}

function accountOf(row: AccountRow, redCoinBalance: number) {
  return {
    account: {
      bio: row.bio,
      country: row.country,
      timezone: row.timezone,
      twitchId: row.twitch_id,
      discordId: row.discord_id,
      discordUsername: row.discord_username,
      solanaWallet: row.solana_wallet,
      walletVerifiedAt: row.solana_wallet_verified_at?.toISOString() ?? null,
      isWalletUnchecked: row.solana_wallet !== null && !isWalletAddress(row.solana_wallet),
      isHiddenFromLeaderboard: row.is_hidden_from_leaderboard,
      lastSeenAt: row.last_seen_at?.toISOString() ?? null,
    },
    totals: {
      redCoinBalance,
      redCoinWon: row.total_red_coin_won,
      unopenedPacks: row.packs,
      openings: row.openings,
      purchases: row.purchases,
      completedWatches: row.watches,
    },
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

/** A block that was set by hand in the database has nobody who said why. */
function blockOf(row: StaffActionRow | undefined): AdminPerson['earningBlock'] {
  if (row === undefined) return { reason: '', createdAt: null, actor: null }
  return { reason: row.reason ?? '', createdAt: row.created_at.toISOString(), actor: actorOf(row) }
}
