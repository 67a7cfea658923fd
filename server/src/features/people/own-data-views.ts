// Everything that is kept about one person, as pieces of a JSON file.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import { contactInfoContext, isSealedText, type SealedText } from '../../rules/contact-info.ts'
import { type ExportedTable, exportedTables } from './own-table-views.ts'

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
  yield `{"exportedAt":${JSON.stringify(now)},"tables":{`
  for (const [index, { table, statement: query }] of reads.entries()) {
    yield `${index === 0 ? '' : ','}${JSON.stringify(camelCase(table.table))}:[`
    let after = firstKeys[table.keyType]
    for (let isFirst = true; ; isFirst = false) {
      const rows = await db.run<Row>(query, [userId, after])
      const texts = rows.map((row) => JSON.stringify(exportedRow(table, row, open)))
      if (texts.length > 0) yield `${isFirst ? '' : ','}${texts.join(',')}`
      if (rows.length < batchMax) break
      after = String(rows.at(-1)?.['exportKey'])
    }
    yield ']'
  }
  yield '}}'
}

function exportedRow({ table }: ExportedTable, row: Row, open: OpenText): Row {
  const { exportKey: _exportKey, ...columns } = row
  const columnsOfRow = Object.entries(columns).map(([name, value]) => [camelCase(name), value])
  const result: Record<string, unknown> = Object.fromEntries(columnsOfRow)
  if (table === 'prize_claims' && isSealedText(row['contact_info'])) {
    const text = open(row['contact_info'], contactInfoContext(Number(row['id'])))
    result['contactInfo'] = text === undefined ? null : JSON.parse(text)
  }
  return result
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())
}
