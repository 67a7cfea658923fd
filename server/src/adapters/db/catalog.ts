// What the database says about its tables: columns, foreign keys, sequences.

import { createHash } from 'node:crypto'
import { type Queryable, type Statement, statement } from './database.ts'

export interface CatalogTable {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
}

const tablesAndColumns = statement(
  'catalog_tables',
  `SELECT c.relname AS "table", a.attname AS "column", format_type(a.atttypid, a.atttypmod) AS type
   FROM pg_class c
   JOIN pg_namespace n ON n.oid = c.relnamespace
   JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
   WHERE n.nspname = 'public' AND c.relkind = 'r' AND a.attgenerated = ''
     AND c.relname <> 'schema_migrations'
   ORDER BY c.relname, a.attnum`,
)
const references = statement(
  'catalog_references',
  `SELECT DISTINCT c.relname AS "from", t.relname AS "to"
   FROM pg_constraint f
   JOIN pg_class c ON c.oid = f.conrelid
   JOIN pg_class t ON t.oid = f.confrelid
   JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE f.contype = 'f' AND n.nspname = 'public' AND f.conrelid <> f.confrelid`,
)
const sequences = statement(
  'catalog_sequences',
  `SELECT c.relname AS "table", a.attname AS "column",
     pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname), a.attname) AS sequence
   FROM pg_class c
   JOIN pg_namespace n ON n.oid = c.relnamespace
   JOIN pg_attribute a ON a.attrelid = c.oid AND a.attidentity <> ''
   WHERE n.nspname = 'public'
   ORDER BY c.relname, a.attname`,
)

/**
 * Tables of the product, those that others refer to first.
 * @throws when references form a circle
 */
export async function readTables(db: Queryable): Promise<CatalogTable[]> {
  const rows = await db.run<{ table: string; column: string; type: string }>(tablesAndColumns, [])
  const columns = new Map<string, { name: string; type: string }[]>()
  for (const { table, column, type } of rows) {
    columns.set(table, [...(columns.get(table) ?? []), { name: column, type }])
  }
  const pairs = await db.run<{ from: string; to: string }>(references, [])
  const ordered = referredFirst([...columns.keys()], pairs)
  return ordered.map((name) => ({ name, columns: columns.get(name) ?? [] }))
}

function referredFirst(
  names: readonly string[],
  pairs: readonly { from: string; to: string }[],
): string[] {
  const ordered: string[] = []
  let waiting = [...names]
  while (waiting.length > 0) {
    const isWaiting = new Set(waiting)
    const free = waiting.filter(
      (name) => !pairs.some(({ from, to }) => from === name && isWaiting.has(to)),
    )
    if (free.length === 0) throw new Error(`Tables refer to each other: ${waiting.join(', ')}`)
    ordered.push(...free)
    waiting = waiting.filter((name) => !free.includes(name))
  }
  return ordered
}

/** The next value of every identity column. The sequences themselves say whether it was used. */
export async function readSequences(
  db: Queryable,
): Promise<{ table: string; column: string; next: string }[]> {
  const found = await db.run<{ table: string; column: string; sequence: string }>(sequences, [])
  const read = []
  for (const { table, column, sequence } of found) {
    const [state] = await db.run<{ next: string }>(
      composed(
        `SELECT (CASE WHEN is_called THEN last_value + 1 ELSE last_value END)::text AS next
         FROM ${sequence}`,
      ),
      [],
    )
    read.push({ table, column, next: state?.next ?? '1' })
  }
  return read
}

/** A statement whose text is made up from the catalog; its name follows from the text. */
export function composed(text: string): Statement {
  return statement(`composed_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`, text)
}

/** A name as it stands in SQL, whatever characters it has. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
