// The database engine for one machine: PostgreSQL compiled into the process, stored in a folder.

import { existsSync, renameSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { messages, PGlite, protocol, types } from '@electric-sql/pglite'
import type { Database, Queryable, Statement } from './database.ts'
import { inOrder, type Values } from './named-parameters.ts'
import { retryDeadlocks } from './retry.ts'
import { SyncedFolder, syncedStartParams, syncPath, syncTree } from './synced-folder.ts'

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
  const engine = await PGlite.create({ dataDir: unfinished, parsers })
  await engine.close()
  await syncTree(unfinished)
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
    throw new CorruptDatabase(`The database in ${folder} cannot be opened: it is damaged`, {
      cause,
    })
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
  const send = (...parts: Uint8Array[]) =>
    lite.execProtocolStream(Buffer.concat([...parts, serialize.sync()]))

  async function prepare(text: string): Promise<Prepared> {
    const name = `kept_${known.size + 1}`
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
