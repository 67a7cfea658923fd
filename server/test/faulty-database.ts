// A database whose n-th step fails after it was done: the answer is lost, the effect is not.

import type { Database, Queryable, Statement, Values } from '../src/adapters/db/database.ts'

/** What the driver reports when the server ends a connection. */
const lost = () =>
  Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' })

export interface FaultyDatabase extends Database {
  /** True once the step was reached, so that there are no further ones to try. */
  hasFailed(): boolean
}

/** Counts statements and commits, from 1, and fails after step `failsAfter`. */
export function faultyDatabase(db: Database, failsAfter: number): FaultyDatabase {
  let steps = 0
  const step = () => {
    steps += 1
    if (steps === failsAfter) throw lost()
  }
  const faulty = (runner: Queryable): Queryable => ({
    allow: (statementMillisMax) => runner.allow(statementMillisMax),
    async run<Row>(statement: Statement, values: Values) {
      const rows = await runner.run<Row>(statement, values)
      step()
      return rows
    },
  })
  return {
    ...db,
    ...faulty(db),
    async transaction(work) {
      const result = await db.transaction((tx) => work(faulty(tx)))
      step()
      return result
    },
    hasFailed: () => steps >= failsAfter,
  }
}
