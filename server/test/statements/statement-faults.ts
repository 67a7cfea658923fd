// Where a statement and the program that runs it do not agree.

import type { Statement } from '../../src/adapters/db/database.ts'
import type { Described, DescribedColumn } from './described.ts'
import type { RunCall } from './run-calls.ts'
import type { Declared, Fields, Kind } from './value-kinds.ts'

/** What both engines make of a type of the database. Of others nothing is known. */
const kindsOfTypes: Readonly<Record<string, Kind>> = {
  boolean: 'boolean',
  smallint: 'number',
  integer: 'number',
  bigint: 'number',
  oid: 'number',
  real: 'number',
  'double precision': 'number',
  numeric: 'string',
  text: 'string',
  'character varying': 'string',
  character: 'string',
  '"char"': 'string',
  name: 'string',
  uuid: 'string',
  'timestamp with time zone': 'Date',
  date: 'Date',
  bytea: 'bytes',
  'boolean[]': 'boolean[]',
  'smallint[]': 'number[]',
  'integer[]': 'number[]',
  'text[]': 'string[]',
  'uuid[]': 'string[]',
}

/** Values that may be sent as well: the server reads them from the text that drivers send. */
const alsoSent: Readonly<Record<string, readonly Kind[]>> = {
  bigint: ['string'],
  'bigint[]': ['number[]'],
  numeric: ['number'],
  date: ['string'],
  'timestamp with time zone': ['string'],
  'timestamp with time zone[]': ['Date[]'],
  'jsonb[]': ['string[]'],
}

const isJson = (type: string) => type === 'json' || type === 'jsonb'

/** Columns that a statement says are never null, each with a reason in a comment of its text. */
const notNull = /--\s*not null:\s*([\w, ]+?)\s*\(([^)\n]+)\)/g

function provenNotNull(text: string): ReadonlySet<string> {
  const names = [...text.matchAll(notNull)].flatMap(([, list = '']) => list.split(/,\s*/))
  return new Set(names)
}

/** Compares what a call says about a statement with what the server says. */
export function faultsOf(
  { row, values }: Pick<RunCall, 'row' | 'values'>,
  { text, parameters = [] }: Pick<Statement, 'text' | 'parameters'>,
  described: Described,
): string[] {
  const faults = row === undefined ? [] : rowFaults(row, text, described.columns)
  if (values === undefined) return faults
  const isNamed = parameters.length > 0
  if (isList(values) === isNamed) return [...faults, 'values are given the other way']
  return [
    ...faults,
    ...(isList(values)
      ? listFaults(values, described.values)
      : namedFaults(values, parameters, described.values)),
  ]
}

function rowFaults(row: Fields, text: string, columns: readonly DescribedColumn[]): string[] {
  const faults: string[] = []
  const proven = provenNotNull(text)
  const answered = new Map(columns.map((column) => [column.name, column]))
  if (answered.size < columns.length) faults.push('two columns have the same name')
  for (const name of row.keys()) {
    if (!answered.has(name)) faults.push(`no column ${name} is answered`)
  }
  for (const [name, column] of answered) {
    const declared = row.get(name)
    if (declared === undefined) faults.push(`the column ${name} is not declared`)
    else faults.push(...columnFaults(declared, column, proven.has(name)))
  }
  return faults
}

function columnFaults(
  { kinds, isNullable }: Declared,
  { name, type, mayBeNull }: DescribedColumn,
  isProven: boolean,
): string[] {
  const faults: string[] = []
  if (mayBeNull && !isNullable && !isProven) faults.push(`the column ${name} may be null`)
  if (isProven && isNullable) faults.push(`the column ${name} is declared as null all the same`)
  if (isJson(type)) return faults
  const answered = kindsOfTypes[type]
  if (answered === undefined) return [...faults, `the column ${name} has the type ${type}`]
  const wrong = kinds.filter((kind) => kind !== answered && kind !== 'unknown')
  return wrong.length === 0
    ? faults
    : [...faults, `the column ${name} is ${type}, and declared as ${wrong.join(' or ')}`]
}

function listFaults(values: readonly Declared[], types: readonly string[]): string[] {
  if (values.length !== types.length) {
    return [`${values.length} values are given, and ${types.length} are taken`]
  }
  return values.flatMap((value, index) => valueFaults(`$${index + 1}`, value, types[index]))
}

function namedFaults(
  values: Fields,
  parameters: readonly string[],
  types: readonly string[],
): string[] {
  const unknown = [...values.keys()].filter((name) => !parameters.includes(name))
  const known = parameters.flatMap((name, index) => {
    const value = values.get(name)
    return value === undefined
      ? `:${name} is not given`
      : valueFaults(`:${name}`, value, types[index])
  })
  return [...unknown.map((name) => `there is no :${name} in the statement`), ...known]
}

function valueFaults(name: string, { kinds }: Declared, type = 'unknown'): string[] {
  const wrong = kinds.filter((kind) => !isSendable(kind, type))
  return wrong.map((kind) => `${name} is ${type}, and ${kind} is given`)
}

function isSendable(kind: Kind, type: string): boolean {
  if (kind === 'unknown' || kind === 'any') return true
  if (kind === 'unknown[]' && type.endsWith('[]')) return true
  // The driver writes a list as one of PostgreSQL's, which is no JSON.
  if (isJson(type)) return !kind.endsWith('[]')
  return kind === kindsOfTypes[type] || (alsoSent[type] ?? []).includes(kind)
}

function isList(values: readonly Declared[] | Fields): values is readonly Declared[] {
  return Array.isArray(values)
}
