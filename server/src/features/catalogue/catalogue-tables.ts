// What the tables of the catalogue have in common: how many rows each list may have, and which
// prizes and pack types belong together when one of them was deleted and comes back.

import { listingsMax, packTypesMax, prizesMax } from '@redpack/contract/limits'
import type { Queryable } from '../../adapters/db/database.ts'
import { existsQuery, writeQuery } from '../../adapters/db/queries.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { numberText } from '../../shared/number-text.ts'

/** Whoever looks whether there is room for one more waits until the one before has its place. */
const waitInLine = writeQuery<[table: string]>(
  'wait_for_room_in_catalogue',
  `SELECT pg_advisory_xact_lock(hashtextextended('room in ' || $1, 0))`,
)

/** Makes sure that a list can show one more. @throws DomainError invalid_input */
function room(table: string, what: string, max: number) {
  const isFull = existsQuery(
    `is_full_${table}`,
    `SELECT 1 AS found FROM ${table} WHERE archived_at IS NULL OFFSET ${max} - 1 LIMIT 1`,
  )
  return async (tx: Queryable): Promise<void> => {
    await waitInLine(tx, table)
    if (!(await isFull(tx))) return
    const sentence = `There can be at most ${numberText(max)} ${what}. Delete one first.`
    throw new DomainError('invalid_input', sentence)
  }
}

export const requireRoomForPrize = room('prizes', 'prizes', prizesMax)
export const requireRoomForPackType = room('pack_types', 'pack types', packTypesMax)
export const requireRoomForListing = room('store_pack_listings', 'listings', listingsMax)

const prizes = { table: 'prizes', id: 'prize_id', others: 'archived_pack_type_ids' }
const packTypes = { table: 'pack_types', id: 'pack_type_id', others: 'archived_prize_ids' }

/** How a locked row of one table is deleted and restored, with the rows it was assigned to. */
function deletion(mine: typeof prizes, theirs: typeof prizes) {
  const archive = writeQuery<[id: number, now: Date]>(
    `archive_in_${mine.table}`,
    `UPDATE ${mine.table} SET archived_at = $2, updated_at = $2, ${mine.others} = coalesce(
       (SELECT array_agg(${theirs.id} ORDER BY ${theirs.id}) FROM prize_pack_types
         WHERE ${mine.id} = $1), '{}')
     WHERE id = $1`,
  )
  const dropAssignments = writeQuery<[id: number]>(
    `drop_assignments_in_${mine.table}`,
    `DELETE FROM prize_pack_types WHERE ${mine.id} = $1`,
  )
  const bringBack = writeQuery<[id: number]>(
    `restore_assignments_in_${mine.table}`,
    `INSERT INTO prize_pack_types (${mine.id}, ${theirs.id})
     SELECT m.id, t.id FROM ${mine.table} m
     JOIN ${theirs.table} t ON t.id = ANY(m.${mine.others}) AND t.archived_at IS NULL
     WHERE m.id = $1 ORDER BY t.id
     ON CONFLICT DO NOTHING`,
  )
  // What is deleted itself by now brings the assignment along when it comes back.
  const handOver = writeQuery<[id: number]>(
    `hand_over_assignments_in_${mine.table}`,
    `UPDATE ${theirs.table} t SET ${theirs.others} = array_append(t.${theirs.others}, m.id)
     FROM ${mine.table} m WHERE m.id = $1 AND t.id = ANY(m.${mine.others})
       AND t.archived_at IS NOT NULL AND m.id <> ALL(t.${theirs.others})`,
  )
  const restore = writeQuery<[id: number, now: Date]>(
    `restore_in_${mine.table}`,
    `UPDATE ${mine.table} SET archived_at = NULL, ${mine.others} = NULL, updated_at = $2
     WHERE id = $1`,
  )
  return {
    /** Hides it from lists and draws; its assignments go and are remembered. */
    async archive(tx: Queryable, id: number, now: Date): Promise<void> {
      await archive(tx, id, now)
      await dropAssignments(tx, id)
    },
    /** Brings it back, with those of its assignments that are still there. */
    async restore(tx: Queryable, id: number, now: Date): Promise<void> {
      await bringBack(tx, id)
      await handOver(tx, id)
      await restore(tx, id, now)
    },
  }
}

export const prizeDeletion = deletion(prizes, packTypes)
export const packTypeDeletion = deletion(packTypes, prizes)
