// The least each table takes for a row: every column that has a default, or may be empty, is left
// out.

import { createHash } from 'node:crypto'
import { v5 } from 'uuid'
import type { TestDeps } from './deps.ts'

export type Values = Readonly<Record<string, unknown>>
type Row = Record<string, unknown>

let counted = 0
/** A text no other row has. */
const fresh = (word: string) => {
  counted += 1
  return `${word}-${counted}`
}
const hex = () => createHash('sha256').update(fresh('hash')).digest('hex')

/** Adds rows to the tables of the specification and answers them as they were stored. */
export class LeastRows {
  private readonly rows: TestDeps['rows']

  constructor(rows: TestDeps['rows']) {
    this.rows = rows
  }

  /** Adds one row with `values`, and what the table cannot do without, and answers all of it. */
  async add(table: string, values: Values = {}): Promise<Row> {
    const all: Values = { ...(await this.needed(table, values)), ...values }
    const columns = Object.keys(all)
    const places = columns.map((_column, index) => `$${index + 1}`)
    const [row] = await this.rows(
      columns.length === 0
        ? `INSERT INTO ${table} DEFAULT VALUES RETURNING *`
        : `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places.join(', ')}) RETURNING *`,
      Object.values(all),
    )
    return row!
  }

  private async idOf(table: string, given: unknown): Promise<unknown> {
    return given ?? (await this.add(table))['id']
  }

  private async needed(table: string, given: Values): Promise<Values> {
    const user_id = () => this.idOf('users', given['user_id'])
    const pack_type_id = () => this.idOf('pack_types', given['pack_type_id'])
    const prize_id = () => this.idOf('prizes', given['prize_id'])
    const stream_id = () => this.idOf('twitch_streams', given['stream_id'])
    switch (table) {
      case 'users':
        return { username: 'ana', display_name: 'Ana' }
      case 'pack_types':
      case 'prizes':
        return { name: 'A name' }
      case 'user_packs':
        return { user_id: await user_id(), pack_type_id: await pack_type_id() }
      case 'prize_pack_types':
        return { prize_id: await prize_id(), pack_type_id: await pack_type_id() }
      case 'red_coin_transactions':
        return {
          user_id: await user_id(),
          amount: 5,
          type: 'admin_grant',
          balance_after: 5,
          source_type: 'test',
          source_id: fresh('source'),
        }
      case 'prize_claims':
        return {
          user_id: await user_id(),
          prize_id: await prize_id(),
          prize_name: 'Mug',
          prize_description: '',
          red_coin_amount: 0,
          pack_quantity: 0,
        }
      case 'pack_openings':
        return this.neededForOpening(await user_id(), await pack_type_id())
      case 'store_pack_listings':
        return { pack_type_id: await pack_type_id(), red_coin_price: 10 }
      case 'store_purchases':
        return {
          user_id: await user_id(),
          store_pack_listing_id: (await this.add('store_pack_listings'))['id'],
          quantity: 2,
          unit_price: 10,
          red_coin_cost: 20,
        }
      case 'viewer_sessions':
        return {
          user_id: await user_id(),
          stream_id: await stream_id(),
          stream_session_id: 'broadcast',
        }
      case 'watch_completions':
        return {
          user_id: await user_id(),
          stream_id: await stream_id(),
          stream_session_id: 'broadcast',
          watch_time_completed: 7200,
          required: 7200,
        }
      case 'stream_rewards':
        return { stream_id: await stream_id() }
      case 'discord_reward_claims':
        return {
          user_id: await user_id(),
          discord_server_id: 'server',
          message_id: fresh('message'),
          red_coin_amount: 0,
        }
      default:
        return standsAlone[table]!()
    }
  }

  private async neededForOpening(user_id: unknown, pack_type_id: unknown): Promise<Values> {
    const commitment = hex()
    const [chain] = await this.rows<{ id: number }>(
      `INSERT INTO draw_chains (user_id, day, first_commitment, commitment, created_at, ended_at)
       VALUES ($1, '2020-01-01', $2, $2, now(), now()) RETURNING id`,
      [user_id, commitment],
    )
    const [table] = await this.rows<{ id: number }>(
      'INSERT INTO odds_tables (pack_type_id, table_hash, body) VALUES ($1, $2, $3) RETURNING id',
      [pack_type_id, hex(), '{}'],
    )
    const request_id = v5(fresh('request'), v5.URL)
    await this.rows(
      `INSERT INTO opening_requests (id, user_id, pack_type_id, chain_id, chain_index, server_seed,
         entropy, entropy_from, next_commitment, odds_table_id, quantity, consolation_red_coin,
         created_at)
       VALUES ($1, $2, $3, $4, 0, $6, $6, 'server', $6, $5, 1, 5, now())`,
      [request_id, user_id, pack_type_id, chain!.id, table!.id, commitment],
    )
    return { request_id, user_id, pack_type_id, position: 0 }
  }
}

const standsAlone: Readonly<Record<string, () => Values>> = {
  app_settings: () => ({ key: fresh('key'), value: '1' }),
  discord_servers: () => ({
    server_id: fresh('server'),
    server_name: 'Server',
    channel_id: 'channel',
    channel_name: 'general',
  }),
  discord_bot_settings: () => ({}),
  discord_messages: () => ({
    message_id: fresh('message'),
    channel_id: 'channel',
    server_id: 'server',
    expires_at: new Date('2026-01-02T00:00:00Z'),
    reward_amount: 25,
  }),
  twitch_bot_credentials: () => ({
    bot_username: 'bot',
    bot_user_id: '1',
    access_token: 'token',
    client_id: 'client',
  }),
  twitch_streams: () => ({
    twitch_channel_id: fresh('channel'),
    channel_name: 'ana',
    display_name: 'Ana',
  }),
}
