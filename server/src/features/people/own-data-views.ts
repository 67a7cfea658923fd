// Everything that is kept about one person, as pieces of a JSON file: which rows and columns those
// are, table by table.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import { contactInfoContext, isSealedText, type SealedText } from '../../shared/sealed-text.ts'

export interface ExportedTable {
  readonly table: string
  /** True for a row of the person, whose id is $1. */
  readonly isOwn: string
  /** Column by which the rows are read in batches, its type, and a value before the first. */
  readonly key: string
  readonly keyType: 'bigint' | 'uuid' | 'text'
  /** Columns as they stand in the table, or expressions with a name. */
  readonly columns: readonly string[]
  /** Columns that are kept back: secrets, and what is about somebody else. */
  readonly withheld: readonly string[]
}

type Own = Partial<Omit<ExportedTable, 'table' | 'columns'>>

function own(table: string, columns: string, more: Own = {}): ExportedTable {
  return {
    table,
    isOwn: 'user_id = $1',
    key: 'id',
    keyType: 'bigint',
    withheld: [],
    columns: columns.split(/\s+/),
    ...more,
  }
}

const openingColumns =
  'id request_id user_id pack_type_id prize_id sold_out_prize_id red_coin_earned position created_at stock_after'

/**
 * Every table that has a column `user_id`, the user's own row, and what hangs on both. A test
 * compares the list and its columns with the database, so that a new one cannot be forgotten.
 */
export const exportedTables: readonly ExportedTable[] = [
  own(
    'users',
    `id twitch_id username display_name email avatar bio country timezone notifications role
     red_coin_balance total_red_coin_won solana_wallet solana_wallet_verified_at discord_id
     discord_username discord_avatar discord_linked_at is_protected is_hidden_from_leaderboard
     is_earning_blocked last_watch_credit_at watch_set_back_from deleted_at created_at updated_at
     twitch_display_name notices_read_at own_name is_name_flagged suspended_until
     suspension_reason suspension_answer`,
    { isOwn: 'id = $1' },
  ),
  own('sessions', 'user_id kind created_at last_seen_at expires_at confirmed_at', {
    key: 'token_hash',
    keyType: 'text',
    withheld: ['token_hash', 'pair_mark'],
  }),
  own('sign_in_attempts', 'provider user_id return_to expires_at', {
    key: 'state_hash',
    keyType: 'text',
    withheld: ['state_hash', 'browser_hash', 'nonce'],
  }),
  own('twitch_sign_ins', 'user_id checked_at', { key: 'user_id', withheld: ['tokens'] }),
  own('user_packs', 'id user_id pack_type_id quantity updated_at'),
  own(
    'draw_chains',
    'id user_id day first_commitment index commitment created_at ended_at end_seed',
    // Until an opening or the end of the chain reveals it nobody may know it.
    { withheld: ['is_unused', 'sealed_by', 'sealed_seed'] },
  ),
  own(
    'opening_requests',
    `id user_id pack_type_id chain_id chain_index server_seed entropy entropy_from next_commitment
     odds_table_id quantity consolation_red_coin created_at`,
    {
      keyType: 'uuid',
      // Openings are indexed by user, requests are not.
      isOwn: 'id IN (SELECT request_id FROM all_pack_openings WHERE user_id = $1)',
    },
  ),
  own('pack_openings', openingColumns),
  own('pack_openings_archive', `${openingColumns} archived_at`),
  own(
    'prize_claims',
    `id user_id prize_id claim_id status contact_info pack_opening_id deleted_at deletion_batch
     created_at updated_at prize_name prize_description red_coin_amount pack_quantity
     is_also_sent image_hash`,
  ),
  own('prize_claim_events', 'id prize_claim_id kind status created_at', {
    isOwn: 'prize_claim_id IN (SELECT id FROM prize_claims WHERE user_id = $1)',
  }),
  own(
    'shipments',
    `id state deadline courier tracking_number tracking_url sent_at countries estimated_value
     questions won_deadline updated_at`,
    {
      isOwn: 'id IN (SELECT id FROM prize_claims WHERE user_id = $1)',
      withheld: ['handler_id'],
    },
  ),
  own(
    'red_coin_transactions',
    `id user_id amount type description prize_id pack_opening_id balance_after source_type
     source_id created_at`,
  ),
  own(
    'pack_transactions',
    `id user_id pack_type_id delta quantity_after type description source_type source_id
     created_at`,
  ),
  own(
    'store_purchases',
    'id user_id store_pack_listing_id quantity unit_price red_coin_cost created_at',
  ),
  own('idempotency_keys', 'user_id route key status body created_at', {
    key: `(route || ' ' || key)`,
    keyType: 'text',
    withheld: ['input_hash'],
  }),
  own(
    'viewer_sessions',
    `id user_id stream_id stream_session_id total_watch_time started_at last_active_at is_completed
     completed_at chat_seen_at chosen_at`,
  ),
  own(
    'watch_completions',
    `id user_id stream_id stream_session_id watch_time_completed required rewards_given
     completed_at`,
  ),
  own(
    'discord_reward_claims',
    `id user_id discord_server_id message_id discord_user_id red_coin_amount claimed_at`,
  ),
  own('wallet_challenges', 'user_id address message expires_at', {
    key: 'user_id',
    withheld: ['session_hash'],
  }),
  own('people_search', 'user_id words username created_at has_left', { key: 'user_id' }),
  own('people_changes', 'id user_id ranked_before ranked_after people red_coin'),
  own('former_usernames', 'id user_id username until'),
  own(
    'bulk_batch_rows',
    'id batch_id row_number username user_id verdict reason amount applied after',
  ),
  own('staff_notes', 'id user_id body created_at', { withheld: ['author_id'] }),
  own(
    'notification_settings',
    `user_id address pending_address pending_until refused_at preferences quiet_from
     quiet_until is_discord_on discord_refused_at live_streams`,
    { key: 'user_id', withheld: ['pending_key'] },
  ),
  own('push_subscriptions', 'id user_id label created_at', {
    keyType: 'text',
    withheld: ['endpoint', 'p256dh', 'auth'],
  }),
  own('outbox_messages', 'id user_id channel kind state created_at sent_at', {
    withheld: [
      'event',
      'bundled_into',
      'attempts',
      'first_tried_at',
      'next_try_at',
      'leased_until',
      'problem',
      // None of them is of a message to a person.
      ...['place', 'expires_at', 'lane'],
    ],
  }),
  own('second_factors', 'user_id confirmed_at created_at', {
    key: 'user_id',
    withheld: ['secret', 'last_step'],
  }),
  own('recovery_codes', 'id user_id used_at', { withheld: ['code_hash'] }),
  own('audit_log', 'id action target_type target_id before after reason created_at', {
    isOwn: `(actor_id = $1 OR (target_type = 'user' AND target_id = $1::text))`,
    withheld: ['actor_id', 'batch_id', 'request_id'],
  }),
]

const batchMax = 500

const firstKeys: Readonly<Record<ExportedTable['keyType'], string>> = {
  bigint: '0',
  uuid: '00000000-0000-0000-0000-000000000000',
  text: '',
}

const reads = exportedTables.map((table) => ({
  table,
  statement: statement(
    `export_${table.table}`,
    `SELECT ${table.key}::text AS "exportKey", ${table.columns.join(', ')} FROM ${table.table}
     WHERE ${table.isOwn.replaceAll('$1', '$1::int')} AND ${table.key} > $2::${table.keyType}
     ORDER BY ${table.key} LIMIT ${batchMax}`,
  ),
}))

type Row = Readonly<Record<string, unknown>>

/** Opens contact details; undefined when another key has sealed them. */
export type OpenText = (sealed: SealedText, place: string) => string | undefined

/**
 * The export as JSON text in pieces of at most 500 rows. Names of columns are written as in every
 * other answer; contact details are opened.
 */
export async function* exportPieces(
  db: Queryable,
  userId: number,
  now: Date,
  open: OpenText,
): AsyncGenerator<string> {
  // With the first rows, so that nothing comes where these cannot be read.
  let text = `{"exportedAt":${JSON.stringify(now)},"tables":{`
  for (const [index, { table, statement: query }] of reads.entries()) {
    text += `${index === 0 ? '' : ','}${JSON.stringify(camelCase(table.table))}:[`
    let after = firstKeys[table.keyType]
    for (let isFirst = true; ; isFirst = false) {
      const rows = await db.run<Row>(query, [userId, after])
      const told = rows.map((row) => ({ ...row, ...hiddenOf(table, row, userId) }))
      const texts = told.map((row) => JSON.stringify(exportedRow(row, open)))
      if (texts.length > 0) text += `${isFirst ? '' : ','}${texts.join(',')}`
      yield text
      text = ''
      if (rows.length < batchMax) break
      after = String(rows.at(-1)?.['exportKey'])
    }
    text = ']'
  }
  yield `${text}}}`
}

/** What a person did as staff is told without what it says of others. */
function hiddenOf({ table }: ExportedTable, row: Row, userId: number): Row {
  if (table === 'idempotency_keys') {
    return String(row['route']).includes('/api/admin/') ? { body: null } : {}
  }
  const isOfOther = row['target_type'] !== 'user' || row['target_id'] !== String(userId)
  return table === 'audit_log' && isOfOther ? { before: null, after: null, reason: null } : {}
}

function exportedRow(row: Row, open: OpenText): Row {
  const { exportKey: _exportKey, ...columns } = row
  const columnsOfRow = Object.entries(columns).map(([name, value]) => [camelCase(name), value])
  const result: Record<string, unknown> = Object.fromEntries(columnsOfRow)
  if (isSealedText(row['contact_info'])) {
    const text = open(row['contact_info'], contactInfoContext(Number(row['id'])))
    result['contactInfo'] = text === undefined ? null : JSON.parse(text)
  }
  return result
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())
}
