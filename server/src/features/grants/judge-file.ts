// Judges the file of a bulk grant against the database: the one way for looking and for applying.

import { createHash } from 'node:crypto'
import { bulkRepeatHours, integerMax, redCoinMax } from '@redpack/contract/limits'
import type { Queryable } from '../../adapters/db/database.ts'
import {
  type BulkKind,
  type BulkRow,
  type Carrier,
  isCsvFile,
  type JudgedRow,
  judgeRows,
  readBulkFile,
} from '../../rules/bulk-file.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { type FileUse, formerNames, holdingsOf, usersNamed } from './batch-tables.ts'
import { packTypeName } from './tables.ts'

/** A file and what it is to give. */
export interface BulkOrder {
  readonly kind: BulkKind
  /** Packs of this type; undefined for RedCoin. */
  readonly packTypeId: number | undefined
  readonly fileName: string
  /** As the sender claims. */
  readonly contentType: string
  readonly bytes: Uint8Array
  /** Grants it also when it was applied within the day. */
  readonly isAgain?: boolean | undefined
}

export interface JudgedFile {
  /** `RedCoin`, or the name of the pack type with `pack(s)`. */
  readonly granted: string
  readonly packType: { readonly id: number; readonly name: string } | null
  readonly rows: readonly JudgedRow[]
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** The action and the file under one name, whoever sends it. */
export function fingerprintOf(order: BulkOrder): string {
  const action = `${order.kind}:${order.packTypeId ?? ''}:${hashOf(order.bytes)}`
  return createHash('sha256').update(action).digest('hex')
}

/** The same file counts once a day for each action. */
export function useOf(order: BulkOrder, now: Date): FileUse {
  const since = new Date(now.getTime() - bulkRepeatHours * 3_600_000)
  return { fingerprint: fingerprintOf(order), now, since }
}

/** The rows of the file. @throws DomainError invalid_input for what is no such CSV file */
export function readOrder(order: BulkOrder): BulkRow[] {
  if (!isCsvFile(order.fileName, order.contentType)) {
    throw new DomainError('invalid_input', 'Only CSV files are allowed')
  }
  return readBulkFile(order.bytes, order.kind)
}

/**
 * A verdict for every row. With `lock` users and pack type stay as they were judged until the
 * transaction ends; whatever changes a holding locks its user first.
 * @throws DomainError not_found for a pack type that cannot be granted
 */
export async function judgeFile(
  tx: Queryable,
  order: BulkOrder,
  rows: readonly BulkRow[],
  lock: boolean,
): Promise<JudgedFile> {
  const { packTypeId } = order
  const packType = packTypeId === undefined ? null : await packTypeOf(tx, packTypeId, lock)
  const names = [...new Set(rows.map(({ username }) => username))]
  const users = await usersNamed(tx, names, lock)
  const held =
    packTypeId === undefined
      ? undefined
      : await holdingsOf(
          tx,
          users.map(({ id }) => id),
          packTypeId,
        )
  const carriers = new Map<string, Carrier[]>()
  for (const { balance, ...user } of users) {
    const has = held === undefined ? balance : (held.get(user.id) ?? 0)
    carriers.set(user.username, [...(carriers.get(user.username) ?? []), { ...user, has }])
  }
  const lost = names.filter((name) => !carriers.has(name))
  const former = lost.length === 0 ? [] : await formerNames(tx, lost)
  return {
    granted: packType === null ? 'RedCoin' : `${packType.name} pack(s)`,
    packType,
    rows: judgeRows(rows, {
      carriers,
      former: new Map(former.map(({ formerName, ...user }) => [formerName, user])),
      max: packTypeId === undefined ? redCoinMax : integerMax,
    }),
  }
}

async function packTypeOf(
  tx: Queryable,
  id: number,
  hold: boolean,
): Promise<{ id: number; name: string }> {
  const name = await packTypeName(tx, id, hold)
  if (name === undefined) throw new DomainError('not_found', 'Pack type not found')
  return { id, name }
}
