// The database engine for one machine: PostgreSQL compiled into the process, stored in a folder.

import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { messages, PGlite, protocol, types } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { lacksRoom, refusalOf, UnusableFolder } from '../data-folder/data-folder.ts'
import { type Database, inOrder, type Queryable, type Statement, type Values } from './database.ts'
import { retryDeadlocks } from './retry.ts'

const { serialize } = protocol
const { DataRowMessage, ParameterDescriptionMessage, RowDescriptionMessage } = messages
const parsers = { [types.INT8]: Number }

/** The folder holds something that the engine cannot open as its database. */
export class CorruptDatabase extends Error {}

export interface EmbeddedOptions {
  readonly files?: SyncedFolder
  /**
   * Called with the engine's last words when it has ended by itself, since it could not write or
   * sync its log. What was acknowledged is safe on the disk. The next query would never return, so
   * the callee must end the process before it does.
   */
  readonly onStopped?: (lastWords: string) => void
}

/**
 * Opens the database in `folder`, which is created when missing. The engine keeps no lock on the
 * folder: the caller must hold the data folder's lock. An acknowledged commit is on the disk.
 * @throws CorruptDatabase when the folder holds something else or is damaged
 */
export async function openEmbedded(
  folder: string,
  options: EmbeddedOptions = {},
): Promise<Database> {
  await createWhenMissing(folder)
  const files = options.files ?? new SyncedFolder(folder)
  return wrapEmbedded(await openEngine(folder, files, options.onStopped))
}

/** A folder gets its name only when it is complete, so a killed first start leaves none. */
async function createWhenMissing(folder: string): Promise<void> {
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  const isMissing = !existsSync(folder) || (await readdir(folder)).length === 0
  if (!isMissing) return
  try {
    const engine = await PGlite.create({ dataDir: unfinished, parsers })
    await engine.close()
    await syncTree(unfinished)
  } catch (cause) {
    rmSync(unfinished, { recursive: true, force: true })
    const why = refusalOf(cause) ?? String(cause)
    throw new UnusableFolder(`No database can be made in ${folder}: ${why}`, { cause })
  }
  rmSync(folder, { recursive: true, force: true })
  renameSync(unfinished, folder)
  syncPath(dirname(folder))
}

/** How the engine's own log says that it ends. Text of statements stands on lines of its own. */
const lastWordsPattern = /^[-\d]+ [\d:.]+ \w+ \[\d+\] (PANIC|FATAL): /

async function openEngine(
  folder: string,
  files: SyncedFolder,
  onStopped: EmbeddedOptions['onStopped'],
): Promise<PGlite> {
  // Without this file the engine would take the folder for empty and write a database into it.
  if (!existsSync(join(folder, 'PG_VERSION'))) {
    throw new CorruptDatabase(`The folder ${folder} holds no database`)
  }
  refuseStrangeFiles(folder)
  let isOpen = false
  try {
    const engine = await PGlite.create({
      fs: files,
      parsers,
      startParams: [...syncedStartParams],
      onStderr(line) {
        if (isOpen && lastWordsPattern.test(line)) onStopped?.(line)
        return true
      },
    })
    isOpen = true
    return engine
  } catch (cause) {
    const what = `The database in ${folder} cannot be opened`
    if (lacksRoom(folder)) {
      const why = `${what}: less than 50 MB are free on its disk. Make room and start again`
      throw new UnusableFolder(`${why} before you take it for damaged`, { cause })
    }
    throw new CorruptDatabase(`${what}: it is damaged`, { cause })
  }
}

/**
 * Somebody else's files, as a command run by root leaves them, would read like damage now or stop
 * the engine later. @throws UnusableFolder naming the first
 */
function refuseStrangeFiles(folder: string): void {
  try {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      accessSync(join(folder, name), constants.R_OK | constants.W_OK)
    }
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') throw error
    throw new UnusableFolder(
      `The database in ${folder} cannot be opened: this user may not read and write ${path}. ` +
        'Nothing is damaged: give the folder with all that is in it to this user',
    )
  }
}

interface Prepared {
  readonly name: string
  readonly types: readonly number[]
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
}

/**
 * Runs texts as statements that are prepared once, like on PostgreSQL. The engine's own `query`
 * parses and plans every text anew, which is most of what a call costs.
 * @returns what runs one text; the caller keeps others from the engine meanwhile
 */
function preparing(lite: PGlite) {
  const known = new Map<string, Prepared>()
  let named = 0
  const send = (...parts: Uint8Array[]) =>
    lite.execProtocolStream(Buffer.concat([...parts, serialize.sync()]))

  async function prepare(text: string): Promise<Prepared> {
    // A name is used once, since one that failed half way may stay taken.
    named += 1
    const name = `kept_${named}`
    const describe = serialize.describe({ type: 'S', name })
    const said = await send(serialize.parse({ name, text }), describe)
    const types = said.find((one) => one instanceof ParameterDescriptionMessage)?.dataTypeIDs ?? []
    const fields = said.find((one) => one instanceof RowDescriptionMessage)?.fields ?? []
    known.set(text, { name, types, fields })
    return { name, types, fields }
  }

  return async (text: string, given: readonly unknown[]) => {
    const { name, types, fields } = known.get(text) ?? (await prepare(text))
    const values = given.map((value, at) =>
      value == null ? null : (lite.serializers[types[at] ?? 0] ?? String)(value),
    )
    const said = await send(serialize.bind({ statement: name, values }), serialize.execute({}))
    return said
      .filter((one) => one instanceof DataRowMessage)
      .map(({ fields: texts }) =>
        Object.fromEntries(
          fields.map(({ name, dataTypeID }, at) => {
            const text = texts[at] ?? null
            if (text === null) return [name, null]
            return [name, (lite.parsers[dataTypeID] ?? String)(text, dataTypeID)]
          }),
        ),
      )
  }
}

/** Gives an opened engine the product's database interface. */
export function wrapEmbedded(lite: PGlite): Database {
  const runText = preparing(lite)
  const queryable = (exclusively: PGlite['_runExclusiveTransaction']): Queryable => ({
    // The engine runs in this process: it has no limit and cannot be lost.
    allow: async () => undefined,
    async run<Row>(statement: Statement, values: Values) {
      const ordered = inOrder(statement, values)
      const run = () => lite.runExclusive(() => runText(statement.text, ordered))
      return (await exclusively(run)) as Row[]
    },
  })
  const transaction: Database['transaction'] = (work) =>
    retryDeadlocks(() =>
      lite.transaction((tx) =>
        work(
          queryable((run) => {
            if (tx.closed) throw new Error('The transaction has ended')
            return run()
          }),
        ),
      ),
    )
  return {
    kind: 'embedded',
    ...queryable((run) => lite._runExclusiveTransaction(run)),
    transaction,
    longTransaction: (_statementMillisMax, work) => transaction(work),
    async script(sql) {
      await lite.exec(sql)
    },
    close: () => lite.close(),
  }
}

type EngineInit = NodeFS['init']
type EngineOptions = Parameters<EngineInit>[1]
/** The engine's module, as handed to its `preRun` steps. */
export type EngineModule = Parameters<NonNullable<EngineOptions['preRun']>[number]>[0]

/** The engine's table of operations on open files; Emscripten calls `fsync` when it is there. */
export interface StreamOperations {
  fsync?: (stream: OpenStream) => number
  write: (
    stream: OpenStream,
    memory: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ) => number
}

export interface OpenStream {
  /** File descriptor of the operating system. */
  readonly nfd: number
  readonly path: string
  readonly node: object
}

/** `errno` of an input/output error in the numbering of WASI, which the engine is compiled for. */
const wasiInputOutputError = 29

/**
 * Start parameters with which the engine keeps PostgreSQL's own rules of durability: without `-F`
 * it asks for a sync of its log before every commit is acknowledged, and of everything else at
 * checkpoints. The log must be synced by `fsync`: `fdatasync`, the default, is an empty stub in the
 * engine's C library.
 */
export const syncedStartParams: readonly string[] = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'wal_sync_method=fsync',
]

/** The operations on open files of an engine that is about to run. */
export function streamOperations(engine: EngineModule): StreamOperations {
  // Emscripten's types describe a file system by its mount alone.
  return (engine.NODEFS as unknown as { stream_ops: StreamOperations }).stream_ops
}

/** A folder of the operating system whose files are synced whenever the engine asks for it. */
export class SyncedFolder extends NodeFS {
  override async init(...[engine, options]: Parameters<EngineInit>): ReturnType<EngineInit> {
    const prepared = await super.init(engine, options)
    const preRun = [
      ...(prepared.emscriptenOpts.preRun ?? []),
      (started: EngineModule) => this.prepare(started),
    ]
    return { emscriptenOpts: { ...prepared.emscriptenOpts, preRun } }
  }

  protected prepare(engine: EngineModule): void {
    streamOperations(engine).fsync = syncStream
  }
}

/** Syncs an open file. A failure reaches PostgreSQL as such, which then refuses to go on. */
function syncStream(stream: OpenStream): number {
  try {
    fsyncSync(stream.nfd)
    return 0
  } catch {
    return wasiInputOutputError
  }
}

/** Syncs every file and folder below `folder`, and the folder itself, children before parents. */
export async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await syncTree(path)
    else if (entry.isFile()) syncPath(path)
  }
  syncPath(folder)
}

/** Syncs one file or folder by its path; syncing a folder makes names in it last. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
