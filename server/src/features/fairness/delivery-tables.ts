// The public delivery record: the steps of shipments on their way into the log, and how they are
// counted.

import {
  type Cell,
  cellOf,
  type Step,
  shipmentKey,
  stepAfter,
  type Told,
} from '@redpack/fair/delivery-record'
import { entryOfText, entryText } from '@redpack/fair/entries'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { grouped } from '../../shared/grouped.ts'
import { stepsOfOpenings } from './delivery-sql.ts'
import type { WaitingRow } from './log-tables.ts'

// Row by row, as a plain join is planned to read all openings that there are.
const readFirst = statement(
  'read_first_steps',
  `SELECT o.request_id AS opening, o.position, utc_day(c.created_at) AS day,
     utc_day(s.won_deadline) AS due
   FROM unnest($1::uuid[]) AS r (id)
   CROSS JOIN LATERAL (SELECT * FROM all_pack_openings WHERE request_id = r.id
     AND prize_id IS NOT NULL OFFSET 0) o
   JOIN LATERAL (SELECT * FROM prize_claims WHERE pack_opening_id = o.id LIMIT 1) c ON true
   JOIN LATERAL (SELECT * FROM shipments WHERE id = c.id LIMIT 1) s ON true
   ORDER BY o.request_id, o.position`,
)
const readTold = statement(
  'read_steps_in_log',
  `${stepsOfOpenings} AND index < coalesce($2::bigint, 9223372036854775807) ORDER BY index`,
)
const addCounts = statement(
  'add_to_delivery_counts',
  `INSERT INTO delivery_counts (step, due, days, shipments)
   SELECT * FROM unnest($1::text[], $2::text[]::date[], $3::int[], $4::bigint[])
   ON CONFLICT (step, due, days) DO UPDATE
     SET shipments = delivery_counts.shipments + EXCLUDED.shipments`,
)

/** How shipments of requests begin in the log, in the order of their packs. */
async function firstStepsOf(db: Queryable, requestIds: readonly string[]): Promise<Step[]> {
  const rows = await db.run<Omit<Step, 'type' | 'step'>>(readFirst, [requestIds])
  return rows.map(({ opening, position, day, due }) => {
    return { type: 'shipment', opening, position, step: 'wanted', day, due }
  })
}

const stepIn = (text: string): Step | undefined => {
  const entry = entryOfText(text)
  return entry?.type === 'shipment' ? entry : undefined
}

/** By how much the number of shipments changes, by the JSON of what is counted together. */
export type CellChanges = Map<string, number>

/** Goes on from what the log tells of shipments, and adds up what their steps change. */
class StepChanges {
  readonly cells: CellChanges = new Map()
  private readonly told = new Map<string, Told>()

  constructor(before: readonly string[]) {
    for (const text of before) {
      const step = stepIn(text)
      const told = step && stepAfter(this.told.get(shipmentKey(step)), step)
      if (step && typeof told === 'object') this.told.set(shipmentKey(step), told)
    }
  }

  has(step: Step): boolean {
    return this.told.has(shipmentKey(step))
  }

  /** Why the step cannot follow, if so. */
  take(step: Step): string | undefined {
    const key = shipmentKey(step)
    const before = this.told.get(key)
    const told = stepAfter(before, step)
    if (typeof told === 'string') return `it ${told}`
    this.told.set(key, told)
    if (before) this.add(before, -1)
    this.add(told, 1)
    return undefined
  }

  private add(told: Told, by: number): void {
    const cell = JSON.stringify(cellOf(told))
    this.cells.set(cell, (this.cells.get(cell) ?? 0) + by)
  }
}

async function changesAfter(db: Queryable, steps: readonly Step[], end: number | null) {
  const openings = [...new Set(steps.map(({ opening }) => opening))]
  const rows = await db.run<{ index: number; body: string }>(readTold, [openings, end])
  return new StepChanges(rows.map(({ body }) => body))
}

/** Whether one of its packs may have won something to send: it paid no RedCoin. */
function maySend({ entry }: WaitingRow): boolean {
  return (
    entry?.type === 'opening' &&
    entry.results.some(([prizeId, , , redCoin]) => prizeId !== null && redCoin === 0)
  )
}

/**
 * What rows that are to be appended tell of shipments: the first steps of what openings have won,
 * by the row's id; rows with a step that cannot follow, with the reason; and the changed counts.
 */
export async function stepsOfRows(tx: Queryable, rows: readonly WaitingRow[]) {
  const firstSteps = new Map<number, string[]>()
  const faults = new Map<WaitingRow, string>()
  const moved = new Map(
    rows.flatMap((row) => (row.kind === 'shipment' ? [[row, stepIn(row.body ?? '')]] : [])),
  )
  const winning = rows.filter(maySend).flatMap(({ requestId }) => requestId ?? [])
  const first = winning.length > 0 ? await firstStepsOf(tx, winning) : []
  if (moved.size === 0 && first.length === 0) return { firstSteps, faults, changes: new Map() }
  const steps = [...moved.values()].flatMap((step) => step ?? [])
  const changes = await changesAfter(tx, steps, null)
  const byRequest = grouped(first, ({ opening }) => opening)
  for (const row of rows) {
    const step = moved.get(row)
    const reason = step && changes.take(step)
    if (reason !== undefined) faults.set(row, reason)
    const won = byRequest.get(row.requestId ?? '') ?? []
    for (const each of won) changes.take(each)
    if (won.length > 0) firstSteps.set(row.id, won.map(entryText))
  }
  return { firstSteps, faults, changes: changes.cells }
}

/** Keeps the counts with the log; to be called in the transaction that appends. */
export async function countSteps(tx: Queryable, changes: CellChanges): Promise<void> {
  const changed = [...changes].filter(([, by]) => by !== 0)
  if (changed.length === 0) return
  const cells = changed.map(([cell]) => JSON.parse(cell) as Cell)
  await tx.run(addCounts, [
    cells.map(([step]) => step),
    cells.map(([, due]) => due),
    cells.map(([, , days]) => days),
    changed.map(([, by]) => by),
  ])
}

const isRequestId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * What is wrong with steps that stand in the log, by their index, beside the shipments that there
 * are; and what they add to the counts. `start` is the index before which everything was looked at.
 */
export async function judgeSteps(
  db: Queryable,
  logged: readonly { readonly index: number; readonly entry: Step }[],
  start: number,
) {
  const faults = new Map<number, string>()
  if (logged.length === 0) return { faults, changes: new Map() as CellChanges }
  const steps = logged.map(({ entry }) => entry)
  const openings = [...new Set(steps.map(({ opening }) => opening))]
  const first = await firstStepsOf(
    db,
    openings.filter((id) => isRequestId.test(id)),
  )
  const known = new Map(first.map((step) => [shipmentKey(step), entryText(step)]))
  const changes = await changesAfter(db, steps, start)
  for (const { index, entry } of logged) {
    const begins = known.get(shipmentKey(entry))
    const isOther = !changes.has(entry) && entryText(entry) !== begins
    const reason = changes.take(entry) ?? (isOther ? 'its shipment has begun otherwise' : undefined)
    const problem = begins === undefined ? 'there is no such shipment' : reason
    if (problem !== undefined) faults.set(index, problem)
  }
  return { faults, changes: changes.cells }
}
