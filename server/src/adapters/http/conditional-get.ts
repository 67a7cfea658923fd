// Answers that are polled every few seconds and rarely change: rebuilt only after a commit.

import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { EndpointShape } from '@redpack/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { type JsonText, trustedJson } from '../../shared/json-text.ts'
import { batchedReads } from '../../shared/turns.ts'
import type { Database } from '../db/database.ts'
import { oneValueQuery } from '../db/queries.ts'
import { sha256Hex } from '../random/hashing.ts'
import {
  answerWriter,
  type Call,
  type Handler,
  type RouteGuards,
  SerializedAnswer,
  serve,
} from './endpoint-routes.ts'
import { ReadyAnswer } from './response-cache.ts'

// Which transactions have ended. Whoever commits a change moves it, in whatever process, so two
// equal answers mean that nothing was written between them. It reads no table.
const readSnapshot = oneValueQuery<{ snapshot: string }>(
  'read_commit_snapshot',
  'SELECT pg_current_snapshot()::text AS snapshot',
)

/**
 * The state of the database as a short text. Callers share a read that began after they came, so
 * that a crowd costs one small query at a time, and none is told of an older state.
 */
function commitSnapshot(db: Pick<Database, 'run'>): () => Promise<string> {
  const reads = batchedReads(async (callers: readonly undefined[]) => {
    const snapshot = await readSnapshot(db)
    return callers.map(() => snapshot)
  }, 1)
  return () => reads.enqueue(undefined)
}

/** JSON text of an answer, with its version where there is one, both of the same moment. */
export interface Built {
  readonly text: string
  readonly version?: string | undefined
}

export interface Building {
  readonly build: () => Promise<Built>
  /**
   * A text that differs whenever the answer does, where finding it is much cheaper than the answer.
   * It saves building when something else was committed. Undefined where there is none.
   */
  readonly version?: (() => Promise<string | undefined>) | undefined
  /** A text that changes as often as what follows from the time may change; no version then. */
  readonly moment?: string | undefined
}

interface Made {
  readonly bytes: ReadyAnswer<unknown>
  readonly version: string | undefined
}

interface Kept {
  /** Nothing was committed, and nothing has followed from the time, while this is the same. */
  readonly snapshot: string
  readonly made: Promise<Made>
  readonly size: number
}

const bytesMaxDefault = 64 * 1024 * 1024
/** What an entry costs besides its body, roughly. */
const entryBytes = 500

/**
 * Finished answers by key. An answer is kept for as long as the database says that nothing was
 * committed since it was begun, so it is never older than one that is built now, however many
 * processes write. The least recently asked for go when the bodies outgrow `bytesMax`.
 */
export class ConditionalGet {
  readonly #readSnapshot: () => Promise<string>
  readonly #kept: LRUCache<string, Kept>

  constructor(db: Pick<Database, 'run'>, bytesMax = bytesMaxDefault) {
    this.#readSnapshot = commitSnapshot(db)
    this.#kept = new LRUCache({ maxSize: bytesMax, sizeCalculation: ({ size }) => size })
  }

  async get(key: string, building: Building): Promise<ReadyAnswer<unknown>> {
    // Before anything is read: what is committed from here on moves the next snapshot.
    const committed = await this.#readSnapshot()
    const snapshot =
      building.moment === undefined ? committed : `${committed} at ${building.moment}`
    const kept = this.#kept.get(key)
    if (kept?.snapshot === snapshot) return (await kept.made).bytes
    const entry: Kept = { snapshot, made: make(building, kept?.made), size: entryBytes }
    this.#kept.set(key, entry)
    try {
      const { bytes } = await entry.made
      if (this.#kept.peek(key) === entry) this.#grow(key, entry, bytes.body.length)
      return bytes
    } catch (error) {
      if (this.#kept.peek(key) === entry) this.#kept.delete(key)
      throw error
    }
  }

  /** Counts the body once it is known; one that is larger than everything kept goes again. */
  #grow(key: string, entry: Kept, size: number): void {
    this.#kept.set(key, { ...entry, size: entryBytes + size })
  }
}

/** What was made last stands as long as its version does. */
async function make({ build, version }: Building, last: Promise<Made> | undefined): Promise<Made> {
  if (version !== undefined && last !== undefined) {
    const [versioned, made] = await Promise.all([version(), last.catch(() => undefined)])
    if (versioned !== undefined && made?.version === versioned) return made
  }
  const built = await build()
  // Hashing many megabytes would hold up everybody else; the version says the same.
  const digest = built.version === undefined ? undefined : sha256Hex(Buffer.from(built.version))
  // Private: the answer may be kept in the caller's browser and nowhere between.
  const bytes = new ReadyAnswer(trustedJson(built.text), 'private, no-cache', digest)
  return { bytes, version: built.version }
}

/** An answer that is JSON text already, with the version of the same moment if it has one. */
export class VersionedAnswer<Answer> extends SerializedAnswer<Answer> {
  readonly version: string | undefined

  constructor(body: JsonText<Answer>, version: string | undefined) {
    super(body)
    this.version = version
  }
}

interface Context {
  readonly app: FastifyInstance
  readonly guards: RouteGuards
  readonly changing: ConditionalGet
}

interface Changing<E extends EndpointShape> {
  /** Whether everybody who may call gets the same, or each caller their own. */
  readonly sameFor: 'everyone' | 'caller'
  readonly version?: (call: Call<E>) => Promise<string | undefined>
  /** For an answer that the time changes too: another text whenever it is to be built again. */
  readonly moment?: () => string
}

/**
 * Serves an endpoint whose answer depends on the database, the query and at most the caller, and
 * on the time only as far as `moment` says. A browser that has the answer already gets 304 without
 * it.
 */
export function serveConditional<E extends EndpointShape>(
  { app, guards, changing }: Context,
  endpoint: E,
  { sameFor, version, moment }: Changing<E>,
  handler: Handler<E>,
): void {
  serve(app, guards, endpoint, async (call) => {
    const who = sameFor === 'everyone' ? '' : call.actor?.userId
    const { params, query } = call
    const key = `${endpoint.path} ${JSON.stringify([who, params, query])}`
    const ready = await changing.get(key, {
      build: async () => builtFrom(await handler(call), endpoint, call.reply),
      version: version === undefined ? undefined : () => version(call),
      moment: moment?.(),
    })
    return ready as Awaited<ReturnType<Handler<E>>>
  })
}

/** Written as any other answer would be: with the fields of the schema and no others. */
function builtFrom(value: unknown, endpoint: EndpointShape, reply: FastifyReply): Built {
  if (value instanceof VersionedAnswer) return { text: value.body, version: value.version }
  if (value instanceof SerializedAnswer) return { text: value.body }
  return { text: answerWriter(endpoint, reply)(value) }
}

const compress = promisify(gzip)

/** A body, and the same compressed where that makes it smaller. */
export interface ImmutableBytes {
  readonly plain: Buffer
  readonly gzip: Buffer | undefined
}

export async function immutableBytes(
  plain: Buffer,
  isCompressible: boolean,
): Promise<ImmutableBytes> {
  return { plain, gzip: isCompressible ? await compress(plain) : undefined }
}

/** The bodies that were asked for last, as many as fit. */
export const bytesCache = (bytesMax: number) =>
  new LRUCache<string, ImmutableBytes>({
    maxSize: bytesMax,
    sizeCalculation: ({ plain, gzip: compressed }) => plain.length + (compressed?.length ?? 0) || 1,
  })

/** Sends the body, compressed for whoever takes it so. */
export function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  { plain, gzip: compressed }: ImmutableBytes,
): FastifyReply {
  reply.type('application/octet-stream')
  if (compressed === undefined) return reply.send(plain)
  reply.header('vary', 'accept-encoding')
  const isTaken = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(
    String(request.headers['accept-encoding'] ?? ''),
  )
  return isTaken ? reply.header('content-encoding', 'gzip').send(compressed) : reply.send(plain)
}
