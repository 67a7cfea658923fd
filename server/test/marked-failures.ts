// A database that fails in a chosen way, with errors that carry every value there was.

import type { Database, Statement, Values } from '../src/adapters/db/database.ts'
import { askedDatabase } from './asked-database.ts'
import { mark } from './marked-requests.ts'

/** How a database fails: SQLSTATE, or the code of a lost connection, or a fault of our own. */
export const failures = [
  'none',
  '23505',
  '23514',
  '22P02',
  '57014',
  '42P01',
  'XX000',
  '57P01',
  'ECONNREFUSED',
  'wrapped',
  'fault',
] as const
export type Failure = (typeof failures)[number]

/** Chosen by the test; read whenever a statement is run. */
export const database: { failure: Failure } = { failure: 'none' }

/** What drivers put into their errors, and more: the values stand in every field there is. */
function failing({ name, text }: Statement, values: Values): Error {
  const shown = `${JSON.stringify(values)} ${mark}`
  const error = failureWith(text, values, shown)
  const driver = '    at Parser.parse (/x/node_modules/pg-protocol/dist/parser.js:1:1)'
  // As drivers throw them: no frame of ours comes first.
  for (const each of [error, error.cause]) {
    if (each instanceof Error) each.stack = `${each.name}: ${each.message}\n${driver}`
  }
  return Object.assign(error, { query: `${name}: ${text} ${shown}` })
}

function failureWith(text: string, values: Values, shown: string): Error {
  if (database.failure === 'fault') return new SyntaxError(`Unexpected token in ${shown}`)
  if (database.failure === 'wrapped') {
    const told = `Failed query: ${text}\nparams: ${shown}`
    return Object.assign(new Error(told, { cause: new Error(shown) }), { params: [values, mark] })
  }
  return Object.assign(new Error(`duplicate key or invalid text: "${shown}"`), {
    code: database.failure,
    name: 'error',
    detail: `Key (username)=(${shown}) already exists.`,
    where: `unnamed portal parameter $1 = '${shown}'`,
    hint: shown,
    internalQuery: shown,
    parameters: values,
    table: 'users',
    constraint: mark.length > 0 ? `${mark} "${shown}"` : '',
  })
}

/** Who calls is found; after that every statement fails in the chosen way. */
export function failingDatabase(db: Database): Database {
  return askedDatabase(db, (statement, values) => {
    if (database.failure !== 'none' && !/session/.test(statement.name))
      throw failing(statement, values)
  })
}
