// Writes a consistent dump of either engine to a file, and never leaves a partial file under that
// name.

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { parsed } from '@redpack/fair/bytes'
import { type CatalogTable, composed, quoted, readSequences, readTables } from './catalog.ts'
import { type Database, type Queryable, statement } from './database.ts'
import { syncPath } from './embedded.ts'

export interface DumpOptions {
  readonly createdAt: Date
  /** Called now and then with the rows written so far. */
  readonly onProgress?: (rows: number) => void
  /** Stops the dump; nothing is left behind. */
  readonly signal?: AbortSignal
}

const rowsPerFetch = 500
const statementMillisMax = 600_000
/** Most of the size is saved at once, at a third of the time of the usual level. */
const gzipLevel = 3

const snapshot = statement(
  'dump_snapshot',
  'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY',
)
const printing = [
  statement('dump_time_zone', "SET LOCAL TimeZone = 'UTC'"),
  statement('dump_date_style', "SET LOCAL DateStyle = 'ISO, YMD'"),
]
const readMigrationLog = statement(
  'dump_migration_log',
  'SELECT name, checksum FROM schema_migrations ORDER BY version',
)
const fetchRows = statement('dump_fetch', `FETCH ${rowsPerFetch} FROM dump_rows`)
const closeRows = statement('dump_close', 'CLOSE dump_rows')

/**
 * Dumps all tables as they stand at one moment; others may go on writing to a PostgreSQL meanwhile,
 * while the embedded engine has one connection and waits. The file appears complete and synced
 * under its name, readable by its owner alone, or not at all. Answers how many rows it holds.
 */
export async function writeDump(
  db: Database,
  file: string,
  options: DumpOptions,
): Promise<{ rows: number }> {
  const temporary = `${file}.${process.pid}.unfinished`
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  let rows = 0
  try {
    await db.longTransaction(statementMillisMax, async (tx) => {
      rows = 0
      await tx.run(snapshot, [])
      for (const setting of printing) await tx.run(setting, [])
      const lines = dumpContent(tx, db.kind, options.createdAt, (done) => {
        rows = done
        options.onProgress?.(done)
      })
      const written = createWriteStream(temporary, { mode: 0o600 })
      try {
        const packed = createGzip({ level: gzipLevel })
        await pipeline(Readable.from(lines), packed, written, { signal: options.signal })
      } finally {
        // Who stops while it is being opened would else find nothing to remove yet.
        if (!written.closed) await once(written, 'close')
      }
    })
    syncPath(temporary)
    renameSync(temporary, file)
    syncPath(dirname(file))
  } finally {
    rmSync(temporary, { force: true })
  }
  return { rows }
}

async function* dumpContent(
  tx: Queryable,
  engine: Database['kind'],
  createdAt: Date,
  onRows: (done: number) => void,
): AsyncGenerator<string> {
  const hash = createHash('sha256')
  const hashed = (lines: string) => {
    const text = `${lines}\n`
    hash.update(text)
    return text
  }
  let rows = 0
  const header: DumpHeader = {
    format: 'redpack-dump',
    version: dumpVersion,
    createdAt: createdAt.toISOString(),
    engine,
    migrations: await tx.run(readMigrationLog, []),
  }
  yield hashed(JSON.stringify(header))
  for (const table of await readTables(tx)) {
    const columns = table.columns.map(({ name }) => name)
    yield hashed(JSON.stringify({ table: table.name, columns }))
    for await (const lines of tableRows(tx, table)) {
      rows += lines.length
      onRows(rows)
      yield hashed(lines.join('\n'))
    }
  }
  // Sequences stand outside transactions. Read last, they are never behind the rows above.
  yield hashed(JSON.stringify({ sequences: await readSequences(tx) }))
  yield `${JSON.stringify({ end: true, rows, sha256: hash.digest('hex') })}\n`
}

/** Rows as the database prints them, a few hundred at a time, so that no table stands in memory. */
async function* tableRows(tx: Queryable, table: CatalogTable): AsyncGenerator<string[]> {
  const values = table.columns.map(({ name }) => `${quoted(name)}::text`).join(', ')
  await tx.run(
    composed(
      `DECLARE dump_rows NO SCROLL CURSOR FOR
       SELECT to_json(ARRAY[${values}])::text AS line FROM ${quoted(table.name)}`,
    ),
    [],
  )
  for (;;) {
    const rows = await tx.run<{ line: string }>(fetchRows, [])
    if (rows.length === 0) break
    yield rows.map(({ line }) => line)
  }
  await tx.run(closeRows, [])
}

/**
 * A dump is read from start to end: the header; for each table a line that names it and its
 * columns, followed by one line for each row with every value as PostgreSQL's text or null; the
 * next value of every sequence; the end, whose checksum covers all bytes before its own line.
 */
export interface DumpHeader {
  readonly format: 'redpack-dump'
  readonly version: number
  /** ISO 8601, UTC. */
  readonly createdAt: string
  readonly engine: 'embedded' | 'postgres'
  readonly migrations: readonly { readonly name: string; readonly checksum: string }[]
}

export interface DumpTable {
  readonly table: string
  readonly columns: readonly string[]
}

export interface DumpSequence {
  readonly table: string
  readonly column: string
  /** The next id, as a decimal number. */
  readonly next: string
}

export interface DumpEnd {
  readonly end: true
  readonly rows: number
  readonly sha256: string
}

export const dumpVersion = 1

/** The file is no whole dump, or none that this program can read. */
export class UnusableDump extends Error {}

/**
 * Lines of a dump file without their line ends. Split at the byte 10 alone: text may hold other
 * characters that some readers take for a line end. @throws UnusableDump when it cannot be read
 */
export async function* dumpLines(file: string): AsyncGenerator<string> {
  const source = createReadStream(file)
  const content = source.pipe(createGunzip())
  source.on('error', (error) => content.destroy(error))
  let rest: Buffer[] = []
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      let start = 0
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, start)) {
        rest.push(chunk.subarray(start, at))
        yield Buffer.concat(rest).toString('utf8')
        rest = []
        start = at + 1
      }
      if (start < chunk.length) rest.push(chunk.subarray(start))
    }
  } catch (cause) {
    throw unreadable(file, cause)
  } finally {
    source.destroy()
    content.destroy()
  }
  if (rest.length > 0) throw new UnusableDump(`The dump ${file} is cut off`)
}

function unreadable(file: string, cause: unknown): Error {
  const { code, message } = cause as NodeJS.ErrnoException
  if (message === 'incorrect header check') {
    return new UnusableDump(`The file ${file} is no dump`, { cause })
  }
  if (code === 'ENOENT') return new UnusableDump(`The dump ${file} does not exist`, { cause })
  if (code === 'Z_BUF_ERROR') return new UnusableDump(`The dump ${file} is cut off`, { cause })
  if (code?.startsWith('Z_')) return new UnusableDump(`The dump ${file} is damaged`, { cause })
  return new UnusableDump(`The dump ${file} cannot be read: ${code ?? String(cause)}`, { cause })
}

/**
 * Reads the whole file and checks that it is complete and unchanged. Answers its header and how
 * many rows it holds. @throws UnusableDump
 */
export async function checkDump(file: string): Promise<{ header: DumpHeader; rows: number }> {
  const hash = createHash('sha256')
  let header: DumpHeader | undefined
  let end: DumpEnd | undefined
  for await (const line of dumpLines(file)) {
    if (header === undefined) header = parseHeader(file, line)
    if (end !== undefined)
      throw new UnusableDump(`The dump ${file} is damaged: it goes on after its end`)
    end = parseEnd(line)
    if (end === undefined) hash.update(line).update('\n')
  }
  if (header === undefined || end === undefined) {
    throw new UnusableDump(`The dump ${file} is cut off`)
  }
  if (end.sha256 !== hash.digest('hex')) {
    throw new UnusableDump(`The dump ${file} is damaged: its checksum does not match`)
  }
  return { header, rows: end.rows }
}

function parseHeader(file: string, line: string): DumpHeader {
  const header = parsed(line) as Partial<DumpHeader> | undefined
  if (header?.format !== 'redpack-dump' || !Array.isArray(header.migrations)) {
    throw new UnusableDump(`The file ${file} is no dump`)
  }
  if (header.version !== dumpVersion) {
    throw new UnusableDump(`The dump ${file} was made by a newer program: it has another format`)
  }
  return header as DumpHeader
}

function parseEnd(line: string): DumpEnd | undefined {
  return line.startsWith('{"end":') ? (parsed(line) as DumpEnd) : undefined
}
