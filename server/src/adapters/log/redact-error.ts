// What a log line says about an error: its kind and place, and nothing from a request, a row or
// another service.

import { Unavailable } from '../../shared/domain-error.ts'
import { DiscordFault, TwitchFault } from '../../shared/far-side-faults.ts'
import { DatabaseUnavailable } from '../db/retry.ts'

/** The only fields of an error that reach the log. */
export interface LoggedError {
  readonly type: string
  readonly code?: string | number
  /** Names out of the schema, for errors of the database. */
  readonly table?: string
  readonly column?: string
  readonly constraint?: string
  readonly message?: string
  /** Frames without the message, shortened. */
  readonly stack?: string
  readonly cause?: LoggedError
}

const messageMax = 240
const readMax = 1_000
const framesMax = 6
const frameMax = 110
const causesMax = 3
const schemaName = /^[a-z_][a-z0-9_]{0,62}$/
const codePattern = /^[A-Za-z0-9_]{2,60}$/
const sqlStatePattern = /^[0-9A-Z]{5}$/

/**
 * Tells an error without what it may carry: statements, values, bodies, addresses of people. A
 * message is told when it was written in this program, or is known to hold no value; of others the
 * type and the code remain.
 */
export function redactError(error: unknown, withStack = false, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error }
  const cause = depth < causesMax ? causeOf(error) : undefined
  return {
    type: typeOf(error),
    ...codeOf(error),
    ...schemaNamesOf(error),
    ...ifThere('message', messageOf(error)),
    ...(withStack ? ifThere('stack', framesOf(error)) : {}),
    ...(cause === undefined ? {} : { cause: redactError(cause, false, depth + 1) }),
  }
}

/** The same in one line for staff: the message where it may be told, else type and code. */
export function describeError(error: unknown): string {
  const { type, code, message, constraint } = redactError(error)
  if (message !== undefined) return message
  return [type, code, constraint].filter((part) => part !== undefined).join(' ')
}

function ifThere<Name extends string>(name: Name, value: string | undefined) {
  return value === undefined || value === '' ? {} : ({ [name]: value } as Record<Name, string>)
}

function typeOf(error: Error): string {
  const name = error.name === 'Error' ? error.constructor.name : error.name
  return /^\w{1,60}$/.test(name) ? name : 'Error'
}

function codeOf(error: Error): { code?: string | number } {
  const { code, status } = error as { code?: unknown; status?: unknown }
  const told = code ?? status
  if (typeof told === 'number') return { code: told }
  return typeof told === 'string' && codePattern.test(told) ? { code: told } : {}
}

function schemaNamesOf(error: Error) {
  if (!isOfDatabase(error)) return {}
  const named = (name: 'table' | 'column' | 'constraint') => {
    const value = (error as unknown as Record<string, unknown>)[name]
    return typeof value === 'string' && schemaName.test(value) ? { [name]: value } : {}
  }
  return { ...named('table'), ...named('column'), ...named('constraint') }
}

function causeOf(error: Error): unknown {
  return error instanceof AggregateError ? error.errors[0] : error.cause
}

function isOfDatabase(error: Error): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && sqlStatePattern.test(code) && !/^E[A-Z]{4}$/.test(code)
}

/** What the server, drivers and the language say without a value in it; quoted names are out. */
const plainSentences = [
  /^canceling statement due to (statement timeout|lock timeout|user request)$/,
  /^terminating connection due to [a-z -]+$/,
  /^the database system is (starting up|shutting down|in recovery mode)$/,
  /^the database system is not (yet )?accepting connections$/,
  /^sorry, too many clients already$/,
  /^remaining connection slots are reserved for [\w ,-]+$/,
  /^deadlock detected$/,
  /^could not serialize access due to [a-z /]+$/,
  /^cannot execute [A-Z ]+ in a read-only transaction$/,
  /^(relation|column|function|database|role|type|schema) … does not exist$/,
  /^permission denied for \w+ …$/,
  /^(password|\w+) authentication failed for user …$/,
  /^(duplicate key value violates unique constraint|null value in column) …/,
  /^timeout exceeded when trying to connect$/,
  /^Connection terminated( unexpectedly| due to connection timeout)?$/,
  /^Client (was closed|has encountered a connection error) and is not queryable$/,
  /^Query read timeout$/,
  /^Socket (closed unexpectedly|timeout)$/,
  /^The client is (closed|offline)$/,
  /^Connection timeout$/,
  /^The operation was aborted( due to timeout)?$/,
  /^fetch failed$/,
  /^Invalid (URL|time value|array length)$/,
  /^Maximum call stack size exceeded$/,
  /^premature close$/i,
]

function messageOf(error: Error): string | undefined {
  const line = error.message.slice(0, readMax).replace(/\s+/g, ' ').trim()
  if (isOwn(error)) return cut(line)
  const told = masked(line)
  if (plainSentences.some((sentence) => sentence.test(told))) return told
  if (isOfDatabase(error)) return undefined
  if (typeof (error as { syscall?: unknown }).syscall === 'string') return told
  return wasThrownHere(error) ? told : undefined
}

/** Errors whose sentences are made for people, by this program. */
function isOwn(error: Error): boolean {
  return (
    error.constructor === Unavailable ||
    error instanceof DatabaseUnavailable ||
    error instanceof TwitchFault ||
    error instanceof DiscordFault
  )
}

const plainKinds: readonly unknown[] = [Error, TypeError, RangeError, ReferenceError]

/**
 * Errors of other kinds belong to libraries, or to parsers that put what they could not read into
 * their messages.
 */
function wasThrownHere(error: Error): boolean {
  if (!plainKinds.includes(error.constructor)) return false
  const [first] = framesIn(error)
  return first !== undefined && !/node_modules|node:|\(<anonymous>\)|at <anonymous>/.test(first)
}

/** Takes out whatever is quoted, and what looks like an address, a person or a secret. */
export function masked(text: string): string {
  return cut(
    text
      .replace(/"[^"]*("|$)|`[^`]*(`|$)|(?<=^|[\s(:=])'[^']*('|$)/g, '…')
      .replace(/[a-z][a-z0-9+.-]*:\/\/\S+/gi, '…')
      .replace(/\S+@\S+/g, '…')
      .replace(/[A-Za-z0-9_\-+/=]{24,}/g, '…'),
  )
}

/** Leaves user and password out of every address in the text. */
export function withoutCredentials(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/?#]*@/gi, '$1…@')
}

function cut(text: string): string {
  return text.length > messageMax ? `${text.slice(0, messageMax)}…` : text
}

function framesIn(error: Error): string[] {
  const lines = (error.stack ?? '').split('\n')
  return lines.filter((line) => /^\s+at /.test(line)).map((line) => line.trim())
}

/** Paths begin at the program's own folders: where it is installed is nobody's business. */
function framesOf(error: Error): string {
  const own = framesIn(error).slice(0, framesMax)
  return own
    .map((frame) =>
      frame.replace(/(\(|\s)\S*?\/((?:server|sandbox|contract|node_modules)\/)/, '$1$2'),
    )
    .map((frame) => frame.replace(/^at /, '').slice(0, frameMax))
    .join(' < ')
}
