// Answers that are asked for every few seconds and rarely change: built again only when something
// was committed.

import type { EndpointShape } from '@redpack/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { JsonText } from '../../rules/json-text.ts'
import { type Database, statement } from '../db/database.ts'
import { sha256Hex } from '../random/rolls.ts'
import { type Call, type Handler, ReadyAnswer, type RouteGuards, serve } from './endpoint-routes.ts'
import { finishText, type ReadyBytes, sendReady } from './ready-answers.ts'

// Which transactions have ended. Whoever commits a change moves it, in whatever process, so two
// equal answers mean that nothing was written between them. It reads no table.
const readMark = statement('read_commit_mark', 'SELECT pg_current_snapshot()::text AS mark')

/**
 * The state of the database as a short text. Callers share a read that began after they came, so
 * that any number of them costs one small query at a time, and none is told of an older state.
 */
class CommitMark {
  readonly #db: Pick<Database, 'run'>
  #running: Promise<string> | undefined
  #waiting: Promise<string> | undefined

  constructor(db: Pick<Database, 'run'>) {
    this.#db = db
  }

  read(): Promise<string> {
    if (this.#running === undefined) return this.#start()
    this.#waiting ??= this.#running.catch(() => undefined).then(() => this.#start())
    return this.#waiting
  }

  #start(): Promise<string> {
    this.#waiting = undefined
    const running = this.#ask().finally(() => {
      if (this.#running === running) this.#running = undefined
    })
    this.#running = running
    return running
  }

  async #ask(): Promise<string> {
    const [row] = await this.#db.run<{ mark: string }>(readMark, [])
    if (row === undefined) throw new Error('The database gave no mark')
    return row.mark
  }
}

/** JSON text of an answer, with its print where there is one, both of the same moment. */
export interface Built {
  readonly text: string
  readonly print?: string | undefined
}

export interface Building {
  readonly build: () => Promise<Built>
  /**
   * A text that differs whenever the answer does, where finding it is much cheaper than the answer.
   * It saves building when something else was committed. Undefined where there is none.
   */
  readonly print?: (() => Promise<string | undefined>) | undefined
}

interface Made {
  readonly bytes: ReadyBytes
  readonly print: string | undefined
}

interface Kept {
  /** Nothing was committed while the mark is this one. */
  readonly mark: string
  readonly made: Promise<Made>
  size: number
}

const bytesMaxDefault = 64 * 1024 * 1024
/** What an entry costs besides its body, roughly. */
const entryBytes = 500

/**
 * Finished answers by key. An answer is kept for as long as the database says that nothing was
 * committed since it was begun, so it is never older than one that is built now, however many
 * processes write. The least recently asked for go when the bodies outgrow `bytesMax`.
 */
export class ChangingAnswers {
  readonly #mark: CommitMark
  readonly #bytesMax: number
  readonly #kept = new Map<string, Kept>()
  #bytes = 0

  constructor(db: Pick<Database, 'run'>, bytesMax = bytesMaxDefault) {
    this.#mark = new CommitMark(db)
    this.#bytesMax = bytesMax
  }

  async get(key: string, building: Building): Promise<ReadyBytes> {
    // Before anything is read: what is committed from here on moves the next mark.
    const mark = await this.#mark.read()
    const kept = this.#kept.get(key)
    if (kept?.mark === mark) return this.#use(key, kept)
    const entry: Kept = { mark, made: make(building, kept?.made), size: entryBytes }
    this.#drop(key)
    this.#kept.set(key, entry)
    this.#bytes += entry.size
    try {
      const { bytes } = await entry.made
      this.#grow(key, entry, bytes.body.length)
      return bytes
    } catch (error) {
      if (this.#kept.get(key) === entry) this.#drop(key)
      throw error
    }
  }

  async #use(key: string, kept: Kept): Promise<ReadyBytes> {
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    return (await kept.made).bytes
  }

  #grow(key: string, entry: Kept, size: number): void {
    if (this.#kept.get(key) !== entry) return
    entry.size += size
    this.#bytes += size
    for (const [oldest] of this.#kept) {
      if (this.#bytes <= this.#bytesMax) return
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key)
    if (kept === undefined) return
    this.#kept.delete(key)
    this.#bytes -= kept.size
  }
}

/** What was made last stands as long as its print does. */
async function make({ build, print }: Building, last: Promise<Made> | undefined): Promise<Made> {
  if (print !== undefined && last !== undefined) {
    const [printed, made] = await Promise.all([print(), last.catch(() => undefined)])
    if (printed !== undefined && made?.print === printed) return made
  }
  const built = await build()
  // Hashing many megabytes would hold up everybody else; the print says the same.
  const digest = built.print === undefined ? undefined : sha256Hex(Buffer.from(built.print))
  return { bytes: finishText(built.text, digest), print: built.print }
}

/** An answer that is JSON text already, with the print of the same moment. */
export class PrintedAnswer<Answer> extends ReadyAnswer<Answer> {
  readonly print: string

  constructor(body: JsonText<Answer>, print: string) {
    super(body)
    this.print = print
  }
}

interface Context {
  readonly app: FastifyInstance
  readonly guards: RouteGuards
  readonly changing: ChangingAnswers
}

interface Changing<E extends EndpointShape> {
  /** Whether everybody who may call gets the same, or each caller their own. */
  readonly sameFor: 'everyone' | 'caller'
  readonly print?: (call: Call<E>) => Promise<string | undefined>
}

/**
 * Serves an endpoint whose answer depends on the database, the query and at most the caller; never
 * on the time. A browser that has the answer already gets 304 without it.
 */
export function serveChanging<E extends EndpointShape>(
  { app, guards, changing }: Context,
  endpoint: E,
  { sameFor, print }: Changing<E>,
  handler: Handler<E>,
): void {
  serve(app, guards, endpoint, async (call) => {
    const { request, reply } = call
    const who = sameFor === 'everyone' ? '' : call.actor?.userId
    const { params, query } = call
    const key = `${endpoint.path} ${JSON.stringify([who, params, query])}`
    const ready = await changing.get(key, {
      build: async () => builtFrom(await handler(call), reply),
      print: print === undefined ? undefined : () => print(call),
    })
    // Private: the answer may be kept in the caller's browser and nowhere between.
    return sendReady(request, reply, ready, 'private, no-cache') as Awaited<ReturnType<Handler<E>>>
  })
}

/** Written as any other answer would be: with the fields of the schema and no others. */
function builtFrom(value: unknown, reply: FastifyReply): Built {
  if (value instanceof PrintedAnswer) return { text: value.body, print: value.print }
  if (value instanceof ReadyAnswer) return { text: value.body }
  const write = reply.getSerializationFunction('200') as ((value: unknown) => string) | undefined
  return { text: write === undefined ? JSON.stringify(value) : write(value) }
}
