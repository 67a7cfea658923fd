// Restores a dump of either engine into either engine, whole or not at all.

import { composed, quoted, readTables } from './catalog.ts'
import { type Database, type Queryable, statement } from './database.ts'
import {
  checkDump,
  type DumpHeader,
  type DumpSequence,
  type DumpTable,
  dumpLines,
  UnusableDump,
} from './dump.ts'
import { type Migration, migrateWithin } from './migrate.ts'
import { existsQuery, oneQuery, oneValueQuery } from './queries.ts'
import { retireChains } from './retire-chains.ts'

export interface RestoreOptions {
  readonly migrations: readonly Migration[]
  /** Replaces what the target holds. */
  readonly force: boolean
  /** Called now and then with the rows written so far and their number in all. */
  readonly onProgress?: (rows: number, total: number) => void
}

/** The target must not be restored into; nothing was changed. */
export class RestoreRefused extends Error {}

const batchRowsMax = 500
const batchLengthMax = 4_000_000
const statementMillisMax = 3_600_000

const settings = [
  statement('restore_lock_limit', "SET LOCAL lock_timeout = '10s'"),
  statement('restore_date_style', "SET LOCAL DateStyle = 'ISO, YMD'"),
]
const readState = oneQuery<{ hasUsers: boolean; hasLog: boolean; hasTables: boolean }>(
  'restore_state',
  `SELECT to_regclass('public.users') IS NOT NULL AS "hasUsers",
     to_regclass('public.schema_migrations') IS NOT NULL AS "hasLog",
     EXISTS (SELECT FROM pg_tables WHERE schemaname = 'public') AS "hasTables"`,
)
const hasUser = existsQuery('restore_any_user', 'SELECT 1 AS one FROM users LIMIT 1')
const countNeighbours = oneValueQuery<{ count: number }>(
  'restore_neighbours',
  `SELECT count(*)::int AS count FROM pg_stat_activity
   WHERE datname = current_database() AND application_name = 'redpack' AND pid <> pg_backend_pid()`,
)
/** Removes tables, views and functions, but nothing that an extension has brought. */
const removeEverything = `DO $$ DECLARE item text; BEGIN
  FOR item IN
    SELECT format('DROP %s IF EXISTS %I CASCADE',
      CASE c.relkind WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END, c.relname)
    FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'v')
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
  LOOP EXECUTE item; END LOOP;
  FOR item IN
    SELECT format('DROP FUNCTION IF EXISTS %s CASCADE', p.oid::regprocedure) FROM pg_proc p
    WHERE p.pronamespace = 'public'::regnamespace AND p.prokind = 'f'
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
  LOOP EXECUTE item; END LOOP;
END $$`

/**
 * Replaces everything in the database by the dump: checks the file, then in one transaction builds
 * the schema the dump was made with, fills it with its triggers at rest but all keys and checks in
 * force, and brings it up to this program. Answers how many rows it holds.
 * @throws UnusableDump when the file is damaged or newer, RestoreRefused when the target is in use
 * or not empty without `force`; the target is unchanged then
 */
export async function restoreDump(
  db: Database,
  file: string,
  options: RestoreOptions,
): Promise<{ rows: number }> {
  const { header, rows } = await checkDump(file)
  const schema = schemaOf(file, header, options.migrations)
  await db.longTransaction(statementMillisMax, async (tx) => {
    for (const setting of settings) await tx.run(setting, [])
    await refuseTarget(db, tx, options.force)
    await tx.run(composed(removeEverything), [])
    await migrateWithin(tx, schema)
    await fill(tx, file, (done) => options.onProgress?.(done, rows))
    await migrateWithin(tx, options.migrations)
    // Plans made for empty tables would be slow ones.
    await tx.run(composed('ANALYZE'), [])
    // The dump does not know which of their seeds were told after it was made.
    await retireChains(tx)
  })
  return { rows }
}

/** The program's migrations up to the dump's schema. */
function schemaOf(
  file: string,
  header: DumpHeader,
  known: readonly Migration[],
): readonly Migration[] {
  const newest = header.migrations.at(-1)?.name ?? 'an empty schema'
  if (header.migrations.length > known.length) {
    throw new UnusableDump(
      `The dump ${file} was made by a newer program: it is at ${newest}, ` +
        `this program knows up to ${known.at(-1)?.name ?? 'nothing'}`,
    )
  }
  for (const [index, { name, checksum }] of header.migrations.entries()) {
    if (known[index]?.checksum !== checksum) {
      throw new UnusableDump(`The dump ${file} was made with another schema: ${name} differs`)
    }
  }
  return known.slice(0, header.migrations.length)
}

async function refuseTarget(db: Database, tx: Queryable, force: boolean): Promise<void> {
  if (db.kind === 'postgres' && (await countNeighbours(tx)) > 0) {
    throw new RestoreRefused('The database is in use: stop the processes that are connected to it')
  }
  const { hasUsers, hasLog, hasTables } = await readState(tx)
  if (hasTables && !hasLog) {
    throw new RestoreRefused('The database holds tables of something else: choose an empty one')
  }
  if (hasUsers && !force && (await hasUser(tx))) {
    throw new RestoreRefused('The database is not empty: use --force to replace what it holds')
  }
}

async function fill(tx: Queryable, file: string, onRows: (done: number) => void): Promise<void> {
  const tables = await readTables(tx)
  const names = tables.map(({ name }) => quoted(name))
  // History refuses changes and prizes start draws over: neither is meant for a restore.
  for (const name of names) await tx.run(composed(`ALTER TABLE ${name} DISABLE TRIGGER USER`), [])
  await tx.run(composed(`TRUNCATE ${names.join(', ')} CASCADE`), [])
  const types = new Map(
    tables.map(({ name, columns }) => [name, new Map(columns.map((c) => [c.name, c.type]))]),
  )
  let done = 0
  for await (const batch of dumpBatches(file)) {
    if (batch.sequences !== undefined) {
      // All rows are there. Those that name a row after them are checked now: what still waits
      // forbids changing the tables.
      await tx.run(composed('SET CONSTRAINTS ALL IMMEDIATE'), [])
      await restart(tx, batch.sequences)
    }
    if (batch.table === undefined) continue
    await tx.run(insertInto(batch.table, types.get(batch.table.table)), [
      `[${batch.rows.join(',')}]`,
    ])
    done += batch.rows.length
    onRows(done)
  }
  for (const name of names) await tx.run(composed(`ALTER TABLE ${name} ENABLE TRIGGER USER`), [])
}

interface Batch {
  readonly table?: DumpTable
  readonly rows: readonly string[]
  readonly sequences?: readonly DumpSequence[]
}

/** Rows of one table at a time, in pieces that fit into a statement. */
async function* dumpBatches(file: string): AsyncGenerator<Batch> {
  let table: DumpTable | undefined
  let rows: string[] = []
  let length = 0
  const take = (): Batch => {
    const batch = { ...(table === undefined ? {} : { table }), rows }
    rows = []
    length = 0
    return batch
  }
  for await (const line of dumpLines(file)) {
    if (line.startsWith('[')) {
      rows.push(line)
      length += line.length
      if (rows.length >= batchRowsMax || length >= batchLengthMax) yield take()
      continue
    }
    if (rows.length > 0) yield take()
    const content = JSON.parse(line) as Partial<DumpTable> & { sequences?: DumpSequence[] }
    if (content.table !== undefined) table = content as DumpTable
    if (content.sequences !== undefined) yield { rows: [], sequences: content.sequences }
  }
}

function insertInto(table: DumpTable, types: ReadonlyMap<string, string> | undefined) {
  const columns = table.columns.map(quoted).join(', ')
  const values = table.columns.map((column, index) => {
    const type = types?.get(column)
    if (type === undefined) throw new UnusableDump(`The dump has an unknown column ${column}`)
    return `(r ->> ${index})::${type}`
  })
  return composed(
    `INSERT INTO ${quoted(table.table)} (${columns})
     SELECT ${values.join(', ')} FROM json_array_elements($1::json) AS rows (r)`,
  )
}

/** Identity columns go on counting where the dump's stood; unlike setval this rolls back. */
async function restart(tx: Queryable, sequences: readonly DumpSequence[]): Promise<void> {
  for (const { table, column, next } of sequences) {
    if (!/^\d{1,19}$/.test(next)) throw new UnusableDump(`The dump has a bad sequence ${next}`)
    await tx.run(
      composed(`ALTER TABLE ${quoted(table)} ALTER COLUMN ${quoted(column)} RESTART WITH ${next}`),
      [],
    )
  }
}
