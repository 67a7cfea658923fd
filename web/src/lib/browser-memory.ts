// What this browser remembers for long: rows under names, in IndexedDB, beyond a logout.

import { logFailure } from './log.ts'

/** Reads and writes rows; a row is plain data. */
interface Rows {
  read(name: string): Promise<unknown>
  /** Changes one row in one step, so that two tabs cannot overwrite each other's change. */
  change(name: string, next: (row: unknown) => unknown): Promise<void>
  /** All rows whose names begin with the text, in the order of their names. */
  list(beginning: string): Promise<unknown[]>
  clear(): Promise<void>
}

const databaseName = 'redpack-fairness'
const storeName = 'rows'

function answered<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

function opened(): Promise<IDBDatabase> {
  const request = indexedDB.open(databaseName, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(storeName)
  return answered(request)
}

async function storedRows(): Promise<Rows> {
  const database = await opened()
  const rows = (mode: IDBTransactionMode) =>
    database.transaction(storeName, mode).objectStore(storeName)
  return {
    read: (name) => answered(rows('readonly').get(name)),
    async change(name, next) {
      const store = rows('readwrite')
      await answered(store.put(next(await answered(store.get(name))), name))
    },
    list: (beginning) =>
      answered(rows('readonly').getAll(IDBKeyRange.bound(beginning, `${beginning}\uffff`))),
    clear: async () => void (await answered(rows('readwrite').clear())),
  }
}

/** For browsers that keep nothing: what is remembered lasts as long as the page. */
function passingRows(): Rows {
  const kept = new Map<string, unknown>()
  return {
    read: async (name) => kept.get(name),
    change: async (name, next) => void kept.set(name, next(kept.get(name))),
    list: async (beginning) =>
      [...kept]
        .filter(([name]) => name.startsWith(beginning))
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .map(([, row]) => row),
    clear: async () => kept.clear(),
  }
}

let rows: Promise<Rows> | undefined

function open(): Promise<Rows> {
  rows ??= storedRows().catch((error) => {
    if (typeof indexedDB !== 'undefined') logFailure('This browser remembers nothing', error)
    return passingRows()
  })
  return rows
}

/** A database that was cleared under the page is opened anew; one that is full does not stop it. */
async function using<T>(work: (rows: Rows) => Promise<T>): Promise<T> {
  try {
    return await work(await open())
  } catch {
    rows = undefined
  }
  try {
    return await work(await open())
  } catch (error) {
    logFailure('This browser can remember no more', error)
    rows = Promise.resolve(passingRows())
    return work(await rows)
  }
}

/** The rows of this browser. What reads them has to know their shape by their name. */
export const browserMemory: Rows = {
  read: (name) => using((open) => open.read(name)),
  change: (name, next) => using((open) => open.change(name, next)),
  list: (beginning) => using((open) => open.list(beginning)),
  clear: () => using((open) => open.clear()),
}
