// Seals everything anew with the key that seals now, so that earlier keys are needed no more.

import { parsed } from '@redpack/fair/bytes'
import type { Database } from '../adapters/db/database.ts'
import type { Encryption } from '../adapters/encryption/encryption.ts'
import { dropMark, keysOfDatabase, putMark } from '../adapters/encryption/key-marks.ts'
import {
  countSealed,
  type FreshRow,
  replaceSealed,
  type SealedColumn,
  type SealedCount,
  type SealedRow,
  sealedColumns,
} from '../adapters/encryption/sealed-columns.ts'
import { countKeyedMarks } from '../features/account/leaving-tables.ts'
import { markedOf } from '../features/catalogue/prize-codes.ts'
import { isSealedText } from '../shared/sealed-text.ts'

const batchSize = 500
/** Rows that others write at the same moment are tried again. */
const roundsMax = 3

/** Whole tables are read, and an operator waits for it. */
const statementMillisMax = 3_600_000

export interface Reencrypted {
  /** How many texts were sealed anew, by what they are. */
  readonly done: ReadonlyMap<string, number>
  /** What other keys than the current one have still sealed, but for keys that were given up. */
  readonly left: readonly SealedCount[]
  /** What keys that were given up have sealed; it stays unreadable. */
  readonly unreadable: readonly SealedCount[]
  /** Keys with which nothing is sealed any more. */
  readonly free: readonly string[]
  /** Marks of people who have left; those made with an earlier key are known only by that key. */
  readonly keyedMarks: number
}

/**
 * Works in small transactions beside a product that runs. Call it when every process seals with
 * the current key: what another one seals with an earlier key afterwards is found by the next
 * start.
 */
export async function reencrypt(
  db: Database,
  encryption: Encryption,
  onProgress: (done: number) => void = () => undefined,
): Promise<Reencrypted> {
  const { keyId } = encryption
  if (keyId === undefined) throw new Error('No encryption key is set')
  await db.transaction((tx) => putMark(tx, encryption))
  const done = new Map<string, number>()
  for (let round = 0; round < roundsMax; round += 1) {
    let changed = 0
    for (const column of sealedColumns) {
      const count = await sealColumn(db, encryption, column, keyId, (part) => {
        changed += part
        onProgress(changed)
      })
      if (count > 0) done.set(column.words, (done.get(column.words) ?? 0) + count)
    }
    if (changed === 0) break
  }
  return { done, ...(await settle(db, keyId)) }
}

async function sealColumn(
  db: Database,
  encryption: Encryption,
  column: SealedColumn,
  keyId: string,
  onBatch: (count: number) => void,
): Promise<number> {
  let total = 0
  for (let after = 0; ; ) {
    const rows = await db.longTransaction(statementMillisMax, (tx) =>
      column.readOfOthers(tx, keyId, after, batchSize),
    )
    const fresh = rows.flatMap((row) => reencrypted(encryption, column, row))
    if (fresh.length > 0) {
      const count = await db.transaction((tx) => replaceSealed(tx, column, fresh))
      total += count
      onBatch(count)
    }
    if (rows.length < batchSize) return total
    after = rows.at(-1)?.id ?? after
  }
}

/** Nothing for what no key opens: it stays as it is. */
function reencrypted(encryption: Encryption, column: SealedColumn, row: SealedRow): FreshRow[] {
  const context = column.contextOf(row.id, row.part)
  const stored = parsed(row.stored)
  const text = isSealedText(stored) ? encryption.open(stored, context) : undefined
  if (text === undefined) return []
  const mark = column.hasMark ? encryption.fingerprint(...markedOf(text)) : null
  return [{ ...row, mark, fresh: JSON.stringify(encryption.seal(text, context)) }]
}

/** Drops the marks of keys with which nothing is sealed any more. */
async function settle(db: Database, keyId: string): Promise<Omit<Reencrypted, 'done'>> {
  return db.longTransaction(statementMillisMax, async (tx) => {
    const ofOthers = (await countSealed(tx)).filter((each) => each.keyId !== keyId)
    const { needed, lost } = await keysOfDatabase(tx)
    const free = [...needed, ...lost].filter(
      (each) => each !== keyId && !ofOthers.some((texts) => texts.keyId === each),
    )
    for (const each of free) await dropMark(tx, each)
    const left = ofOthers.filter((each) => !lost.includes(each.keyId))
    const unreadable = ofOthers.filter((each) => lost.includes(each.keyId))
    return { left, unreadable, free, keyedMarks: await countKeyedMarks(tx) }
  })
}
