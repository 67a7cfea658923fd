// What the product may ask of a database, whichever of the two engines it is.

/** A statement that is prepared once per connection under its name. */
export interface Statement {
  readonly name: string
  /** With `$1`, `$2` and so on for its values. */
  readonly text: string
  /** Names of its values in the order of their numbers; none where the values are a list. */
  readonly parameters?: readonly string[]
}

/** The part of a database that works inside a transaction as well as outside. */
export interface Queryable {
  /**
   * Runs one prepared statement. Outside a transaction it commits or rolls back as a whole. That
   * `Row` is what the statement answers is checked by `server/test/statements.test.ts`.
   */
  run<Row>(statement: Statement, values: Values): Promise<Row[]>
  /**
   * Lets each further statement of this transaction take so many milliseconds instead of five
   * seconds, for a change that may reach every user. Outside a transaction it is an error.
   */
  allow(statementMillisMax: number): Promise<void>
}

/** What somebody wants of the database: reads have connections that writes leave to them. */
export type Lane = 'read' | 'write'

export interface Database extends Queryable {
  readonly kind: 'embedded' | 'postgres'
  /**
   * Runs `work` in one READ COMMITTED transaction. A deadlock or serialization failure starts it
   * over, at most five times with jitter, so `work` must have no effect outside the transaction.
   * In the lane `read` it goes on while writes wait, and PostgreSQL refuses it to write.
   * @throws whatever `work` throws, after rolling back
   */
  transaction<Result>(work: (tx: Queryable) => Promise<Result>, lane?: Lane): Promise<Result>
  /**
   * Runs `work` like `transaction`, for what takes long and nobody waits for: migrations, dumps,
   * checks of all books. On PostgreSQL it has a connection of its own beside the pool, each
   * statement may take `statementMillisMax`, and `work` may pause between statements. The embedded
   * engine has one connection, so everybody else waits meanwhile.
   * @throws whatever `work` throws, after rolling back
   */
  longTransaction<Result>(
    statementMillisMax: number,
    work: (tx: Queryable) => Promise<Result>,
  ): Promise<Result>
  /** Runs a script of several statements without values; for migrations, restores and tests. */
  script(sql: string): Promise<void>
  /** How the connections stand, where there is a pool of them. */
  pool?(): PoolState
  close(): Promise<void>
}

export interface PoolState {
  readonly total: number
  readonly idle: number
  readonly waiting: number
  /** A pooler stands between, as far as is known from the connections made so far. */
  readonly isPooled: boolean
  /** How often something spoke against the server: another one may answer since. */
  readonly doubts: number
  /** How often another server was seen to take over, which may lack commits of the one before. */
  readonly takeovers: number
}

/**
 * Names an SQL text so that the server prepares it once per connection. Its values stand in it as
 * `$1` or as `:name`, never as both; a statement of more than six values has names.
 */
export function statement(name: string, text: string): Statement {
  return { name, ...positional(text) }
}

/** What stands in an SQL text where a colon is no sign of a parameter, or the name of one. */
const pattern = new RegExp(
  [
    /'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$[A-Za-z_]*\$)[\s\S]*?\1/,
    /--[^\n]*|\/\*[\s\S]*?\*\//,
    /\$\d+|::|:=/,
    /:([a-z][A-Za-z0-9]*)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

/**
 * Numbers the named parameters of an SQL text by their first appearance; those of a text that gives
 * numbers itself are none. Texts in quotes, comments and casts are left alone. A slice of an array
 * needs a space after its colon.
 * @throws when a text has names and numbers
 */
export function positional(text: string): Required<Omit<Statement, 'name'>> {
  const parameters: string[] = []
  let hasNumbers = false
  const numbered = text.replace(pattern, (found: string, _quote: unknown, name?: string) => {
    if (/^\$\d/.test(found)) hasNumbers = true
    if (name === undefined) return found
    if (!parameters.includes(name)) parameters.push(name)
    return `$${parameters.indexOf(name) + 1}`
  })
  if (hasNumbers && parameters.length > 0) {
    throw new Error('A statement has either names or numbers as parameters')
  }
  return { text: numbered, parameters }
}

/** Values of a statement in the order of its numbers. */
export type Values = readonly unknown[] | Readonly<Record<string, unknown>>

/**
 * Puts values into the order of the numbers. Dates, arrays and other values pass as they are; what
 * an object carries beside them is left alone.
 * @throws when values are missing, or come as a list where there are names, or the other way
 */
export function inOrder(
  { name, parameters = [] }: Omit<Statement, 'text'>,
  values: Values,
): unknown[] {
  if (isList(values)) {
    if (parameters.length === 0) return values as unknown[]
    throw new Error(`The statement ${name} takes its values by name`)
  }
  if (parameters.length === 0 || !parameters.every((parameter) => parameter in values)) {
    throw new Error(`The statement ${name} takes ${parameters.join(', ') || 'a list of values'}`)
  }
  return parameters.map((parameter) => values[parameter])
}

function isList(values: Values): values is readonly unknown[] {
  return Array.isArray(values)
}
