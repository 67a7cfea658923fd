// A database that says what it is asked, before it answers.

import type { Database, Queryable, Statement, Values } from '../src/adapters/db/database.ts'

/**
 * `hear` is told of each statement, also inside of transactions, and may refuse it by throwing, or
 * answer rows in place of the database.
 */
export function askedDatabase(
  db: Database,
  hear: (statement: Statement, values: readonly unknown[]) => unknown,
): Database {
  const heard = (runner: Queryable): Queryable => ({
    allow: (statementMillisMax) => runner.allow(statementMillisMax),
    async run<Row>(statement: Statement, values: Values) {
      const rows = await hear(statement, Object.values(values))
      return Array.isArray(rows) ? (rows as Row[]) : runner.run<Row>(statement, values)
    },
  })
  return {
    ...db,
    ...heard(db),
    transaction: (work) => db.transaction((tx) => work(heard(tx))),
    longTransaction: (millisMax, work) => db.longTransaction(millisMax, (tx) => work(heard(tx))),
  }
}
