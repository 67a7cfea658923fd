// The dump file: gzip'd lines of JSON with a header, the rows of every table, and a checksum at the
// end.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'

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
  const { code } = cause as NodeJS.ErrnoException
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
  const header = parseJson(line) as Partial<DumpHeader> | undefined
  if (header?.format !== 'redpack-dump' || !Array.isArray(header.migrations)) {
    throw new UnusableDump(`The file ${file} is no dump`)
  }
  if (header.version !== dumpVersion) {
    throw new UnusableDump(`The dump ${file} was made by a newer program: it has another format`)
  }
  return header as DumpHeader
}

function parseEnd(line: string): DumpEnd | undefined {
  return line.startsWith('{"end":') ? (parseJson(line) as DumpEnd) : undefined
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
