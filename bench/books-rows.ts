// Rows of the books on their way into the database, a few thousand a statement.

import { createHash } from 'node:crypto'
import { type Queryable, statement } from '../server/src/adapters/db/database.ts'

const rowsPerInsert = 5_000

type Columns = Readonly<Record<string, string>>

/** Rows on their way into one table. */
export class Rows {
  private readonly insert
  private columns: unknown[][]
  private count = 0
  private readonly db: Queryable
  private readonly width: number

  constructor(db: Queryable, name: string, columns: Columns) {
    this.db = db
    const names = Object.keys(columns)
    const values = Object.values(columns).map((type, index) => `$${index + 1}::${type}[]`)
    this.insert = statement(
      `bench_insert_${name}`,
      `INSERT INTO ${name} (${names.join(', ')}) SELECT * FROM unnest(${values.join(', ')})`,
    )
    this.width = names.length
    this.columns = names.map(() => [])
  }

  async add(...row: unknown[]): Promise<void> {
    for (let index = 0; index < this.width; index += 1) this.columns[index]?.push(row[index])
    this.count += 1
    if (this.count >= rowsPerInsert) await this.flush()
  }

  async flush(): Promise<void> {
    if (this.count === 0) return
    const columns = this.columns
    this.columns = columns.map(() => [])
    this.count = 0
    await this.db.run(this.insert, columns)
  }
}

/** The tables that an opening writes to. */
export function tablesOf(db: Queryable) {
  return {
    requests: new Rows(db, 'opening_requests', {
      id: 'uuid',
      user_id: 'int',
      pack_type_id: 'int',
      chain_id: 'int',
      chain_index: 'int',
      server_seed: 'text',
      entropy: 'text',
      entropy_from: 'text',
      next_commitment: 'text',
      odds_table_id: 'int',
      quantity: 'int',
      consolation_red_coin: 'bigint',
      created_at: 'timestamptz',
    }),
    openings: new Rows(db, 'pack_openings', {
      id: 'bigint',
      request_id: 'uuid',
      user_id: 'int',
      pack_type_id: 'int',
      prize_id: 'int',
      red_coin_earned: 'bigint',
      position: 'int',
      created_at: 'timestamptz',
      stock_after: 'int',
    }),
    claims: new Rows(db, 'prize_claims', {
      user_id: 'int',
      prize_id: 'int',
      claim_id: 'text',
      status: 'text',
      pack_opening_id: 'bigint',
      prize_name: 'text',
      prize_description: 'text',
      red_coin_amount: 'bigint',
      pack_quantity: 'int',
    }),
    ledger: new Rows(db, 'red_coin_transactions', {
      user_id: 'int',
      amount: 'bigint',
      type: 'text',
      prize_id: 'int',
      pack_opening_id: 'bigint',
      balance_after: 'bigint',
      source_type: 'text',
      source_id: 'text',
      created_at: 'timestamptz',
    }),
    packHistory: new Rows(db, 'pack_transactions', {
      user_id: 'int',
      pack_type_id: 'int',
      delta: 'int',
      quantity_after: 'int',
      type: 'text',
      source_type: 'text',
      source_id: 'text',
    }),
    stock: new Rows(db, 'stock_events', {
      kind: 'text',
      ref_id: 'int',
      delta: 'int',
      quantity_after: 'int',
      source_type: 'text',
      source_id: 'text',
    }),
    queue: new Rows(db, 'log_queue', { kind: 'text', ref: 'text' }),
    keys: new Rows(db, 'idempotency_keys', {
      user_id: 'int',
      route: 'text',
      key: 'text',
      input_hash: 'text',
      status: 'int',
      body: 'text',
      created_at: 'timestamptz',
    }),
  }
}

export type Tables = ReturnType<typeof tablesOf>

/** Writes what still waits. */
export async function flushAll(tables: Tables): Promise<void> {
  for (const rows of Object.values(tables)) await rows.flush()
}

/** Statements of a text, none of which has a semicolon inside. */
export async function runAll(db: Queryable, text: string): Promise<void> {
  for (const [index, sql] of text.split(';').entries()) {
    if (sql.trim() !== '')
      await db.run(
        statement(`bench_${createHash('sha1').update(sql).digest('hex')}_${index}`, sql),
        [],
      )
  }
}
