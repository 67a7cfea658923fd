// What is read of the public delivery record.

import { type Cell, type Deliveries, deliveriesOf } from '@redpack/fair/delivery-record'
import { entryOfText } from '@redpack/fair/entries'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { stepsOfOpenings } from './delivery-sql.ts'

const readCounts = statement(
  'read_delivery_counts',
  'SELECT step, due::text AS due, days, shipments FROM delivery_counts WHERE shipments <> 0',
)

/** What the log tells of all shipments, by the day of `now` in UTC. */
export async function deliveries(db: Queryable, now: Date): Promise<Deliveries> {
  const rows = await db.run<{
    step: Cell[0]
    due: string | null
    days: number | null
    shipments: number
  }>(readCounts, [])
  const cells = rows.map(({ step, due, days, shipments }) => {
    return [[step, due, days], shipments] as const
  })
  return deliveriesOf(cells, now.toISOString().slice(0, 10))
}

const readSteps = statement('read_steps_of_opening', `${stepsOfOpenings} ORDER BY index`)
const stepsShown = 20

/** The newest entries about one pack of an opening, oldest first. */
export async function stepsInLog(db: Queryable, requestId: string, position: number) {
  const rows = await db.run<{ index: number; body: string }>(readSteps, [[requestId]])
  const isOfPack = ({ body }: { readonly body: string }) => {
    const entry = entryOfText(body)
    return entry?.type === 'shipment' && entry.position === position
  }
  return rows.filter(isOfPack).slice(-stepsShown)
}
