// Statements as functions: a statement's values and rows are declared beside its text. `Given` are
// the values in the order of their numbers, or one object if they have names.

import { type Queryable, statement, type Values } from './database.ts'

type Query<Given extends readonly unknown[], Answer> = (
  db: Pick<Queryable, 'run'>,
  ...given: Given
) => Promise<Answer>

/** Answers all rows. */
export function rowsQuery<Row, Given extends readonly unknown[] = []>(
  name: string,
  text: string,
): Query<Given, Row[]> {
  const made = statement(name, text)
  const isNamed = (made.parameters ?? []).length > 0
  return (db, ...given) => db.run<Row>(made, isNamed ? (given[0] as Values) : given)
}

/** Answers the first row; undefined where there is none. */
export function rowQuery<Row, Given extends readonly unknown[] = []>(
  name: string,
  text: string,
): Query<Given, Row | undefined> {
  const rows = rowsQuery<Row, Given>(name, text)
  return async (db, ...given) => (await rows(db, ...given))[0]
}

/** Answers the first row of what always has one. */
export function oneQuery<Row, Given extends readonly unknown[] = []>(
  name: string,
  text: string,
): Query<Given, Row> {
  const rows = rowsQuery<Row, Given>(name, text)
  return async (db, ...given) => {
    const [row] = await rows(db, ...given)
    if (row === undefined) throw new Error(`The statement ${name} answered no row`)
    return row
  }
}

/** Answers the only column of all rows. */
export function valuesQuery<Row extends object, Given extends readonly unknown[] = []>(
  name: string,
  text: string,
): Query<Given, Row[keyof Row][]> {
  const rows = rowsQuery<Row, Given>(name, text)
  return async (db, ...given) => (await rows(db, ...given)).map((row) => Object.values(row)[0])
}

/** Answers the only column of the first row of what always has one. */
export function oneValueQuery<Row extends object, Given extends readonly unknown[] = []>(
  name: string,
  text: string,
): Query<Given, Row[keyof Row]> {
  const row = oneQuery<Row, Given>(name, text)
  return async (db, ...given) => Object.values(await row(db, ...given))[0]
}

/** Answers the only column of the first row; undefined where there is no row. */
export function valueQuery<Row extends object, Given extends readonly unknown[] = []>(
  name: string,
  text: string,
): Query<Given, Row[keyof Row] | undefined> {
  const row = rowQuery<Row, Given>(name, text)
  return async (db, ...given) => {
    const [value] = Object.values<Row[keyof Row]>((await row(db, ...given)) ?? {})
    return value
  }
}

/** Answers how many rows there are. */
export function countQuery<Given extends readonly unknown[] = []>(
  name: string,
  text: string,
): Query<Given, number> {
  const rows = rowsQuery<unknown, Given>(name, text)
  return async (db, ...given) => (await rows(db, ...given)).length
}

/** Answers whether there is a row. */
export function existsQuery<Given extends readonly unknown[] = []>(
  name: string,
  text: string,
): Query<Given, boolean> {
  const count = countQuery<Given>(name, text)
  return async (db, ...given) => (await count(db, ...given)) > 0
}

/** Answers nothing. */
export function writeQuery<Given extends readonly unknown[] = []>(
  name: string,
  text: string,
): Query<Given, void> {
  const rows = rowsQuery<unknown, Given>(name, text)
  return async (db, ...given) => {
    await rows(db, ...given)
  }
}
