// Where RedCoin comes from and where it goes, day by day, from the ledger.

import type { EconomyFlow } from '@redpack/contract'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { redCoinTotal } from '../ledger/people-totals-sql.ts'
import { ledgerDays } from './history-sums-sql.ts'

const dayMillis = 86_400_000

const readFlow = statement(
  'read_red_coin_flow',
  `SELECT to_char(day, 'YYYY-MM-DD') AS day, type, is_source AS "isSource",
     amount::bigint AS amount
   FROM (${ledgerDays('$1::date', '$2::date')}) flow ORDER BY 1, 2`,
)
const readCirculation = statement(
  'read_red_coin_circulation',
  `SELECT ${redCoinTotal}::bigint AS total`,
)

interface FlowRow {
  readonly day: string
  readonly type: string
  readonly isSource: boolean
  readonly amount: number
}

type Sums = Pick<EconomyFlow['totals'], 'sources' | 'sinks' | 'created' | 'removed'>

/** The last `days` days of UTC, today included, each of them there even when nothing happened. */
export async function flowForStaff(db: Queryable, days: number, now: Date): Promise<EconomyFlow> {
  const tomorrow = (Math.floor(now.getTime() / dayMillis) + 1) * dayMillis
  const first = tomorrow - days * dayMillis
  const names = Array.from({ length: days }, (_, index) =>
    new Date(first + index * dayMillis).toISOString().slice(0, 10),
  )
  const [rows, circulation] = await Promise.all([
    db.run<FlowRow>(readFlow, [names[0], names.at(-1)]),
    db.run<{ total: number }>(readCirculation, []),
  ])
  return {
    days: names.map((day) => ({ day, ...sumsOf(rows.filter((row) => row.day === day)) })),
    totals: sumsOf(rows),
    inCirculation: circulation[0]?.total ?? 0,
  }
}

function sumsOf(rows: readonly FlowRow[]): Sums {
  const sources = byType(rows.filter(({ isSource }) => isSource))
  const sinks = byType(rows.filter(({ isSource }) => !isSource))
  return { sources, sinks, created: total(sources), removed: total(sinks) }
}

function byType(rows: readonly FlowRow[]): Sums['sources'] {
  const sums = new Map<string, number>()
  for (const { type, amount } of rows) sums.set(type, (sums.get(type) ?? 0) + amount)
  return [...sums]
    .map(([type, amount]) => ({ type, amount }))
    .sort((left, right) => right.amount - left.amount)
}

function total(sums: Sums['sources']): number {
  return sums.reduce((sum, { amount }) => sum + amount, 0)
}
