// Rows of the books on their way into the database, a few thousand a statement.

import { createHash } from 'node:crypto'
import { type Queryable, statement } from '../server/src/adapters/db/database.ts'

const rowsPerInsert = 5_000

type Row = Readonly<Record<string, unknown>>

/** Gathers rows by table; those of one table have the same columns. */
export class Rows {
  private readonly waiting = new Map<string, Row[]>()
  private readonly db: Queryable

  constructor(db: Queryable) {
    this.db = db
  }

  async add(table: string, row: Row): Promise<void> {
    const rows = this.waiting.get(table) ?? []
    this.waiting.set(table, rows)
    rows.push(row)
    if (rows.length >= rowsPerInsert) await this.insert(table)
  }

  /** Writes what still waits. */
  async flush(): Promise<void> {
    for (const table of this.waiting.keys()) await this.insert(table)
  }

  private async insert(table: string): Promise<void> {
    const rows = this.waiting.get(table) ?? []
    this.waiting.delete(table)
    const columns = Object.keys(rows[0] ?? {}).join(', ')
    const insert = statement(
      `bench_insert_${table}`,
      `INSERT INTO ${table} (${columns})
       SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table}, $1::text::jsonb)`,
    )
    await this.db.run(insert, [JSON.stringify(rows)])
  }
}

/** Statements of a text, none of which has a semicolon inside. */
export async function runAll(db: Queryable, text: string): Promise<void> {
  for (const sql of text.split(';').filter((one) => one.trim() !== '')) {
    await db.run(statement(`bench_${createHash('sha1').update(sql).digest('hex')}`, sql), [])
  }
}
