// Answers that are the same for everyone, built once per change and kept as bytes with an ETag.

import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { type JsonText, jsonText, trustedJson } from '../../shared/json-text.ts'
import type { Deps } from '../deps.ts'
import type { ProductEvent } from '../events/events.ts'
import { sha256Hex } from '../random/hashing.ts'

/** A finished answer, named by its content. */
export class ReadyAnswer<Answer> {
  readonly body: Buffer
  readonly etag: string
  readonly cacheControl: string
  declare protected readonly answer: Answer

  /** Named by `digest`, or by the bytes of the text when there is none. */
  constructor(text: JsonText<Answer>, cacheControl = 'no-cache', digest?: string) {
    this.body = Buffer.from(text)
    this.etag = `"${(digest ?? sha256Hex(this.body)).slice(0, 32)}"`
    this.cacheControl = cacheControl
  }
}

/** The beginning of a list, up to the comma at the byte `end`. */
export function beginningOf<Item>(list: ReadyAnswer<Item[]>, end: number): ReadyAnswer<Item[]> {
  return new ReadyAnswer(trustedJson<Item[]>(`${list.body.subarray(0, end)}]`))
}

interface Kept<Answer> {
  readonly bytes: Promise<ReadyAnswer<Answer>>
  /** False while the build waits for its turn: what changes until then will be in it. */
  isBegun: boolean
  /** Undefined while they are built. */
  builtAtMillis?: number
}

interface ResponseCacheOptions<Key> {
  /** True for events after which kept bytes may be wrong. */
  readonly isStaleAfter: (event: ProductEvent) => boolean
  /** Answers kept at most; the one that nobody has asked for the longest goes first. */
  readonly entriesMax: number
  /** How long nothing is built under a key after a build has ended; not at all if absent. */
  readonly restMillis?: (key: Key) => number
}

/**
 * How long bytes are kept after their build without an event. Another process without a bus between
 * them can change what they show, so they never grow old.
 */
const ageMillisMax = 1_000

export class ResponseCache<Key extends string | number, Answer> {
  readonly #world: Pick<Deps, 'clock' | 'events'>
  readonly #kept: LRUCache<Key, Kept<Answer>>
  readonly #restMillis: (key: Key) => number
  /** Ends of the builds under way and of the rests after them. */
  readonly #turns = new Map<Key, Promise<void>>()

  constructor(deps: Pick<Deps, 'clock' | 'events'>, options: ResponseCacheOptions<Key>) {
    this.#world = deps
    this.#kept = new LRUCache({ max: options.entriesMax })
    this.#restMillis = options.restMillis ?? (() => 0)
    deps.events.subscribe((event) => {
      if (!options.isStaleAfter(event)) return
      for (const [key, { isBegun }] of [...this.#kept.entries()]) {
        if (isBegun) this.#kept.delete(key)
      }
    })
  }

  /**
   * The bytes under `key`, built when there are none. Requests that arrive during a build share it,
   * however long it takes; a request that arrives after an event never gets bytes whose build began
   * before it.
   */
  async get(key: Key, build: () => Promise<Answer>): Promise<ReadyAnswer<Answer>> {
    const nowMillis = () => this.#world.clock.now().getTime()
    const kept = this.#kept.get(key)
    if (kept !== undefined && isFresh(kept, nowMillis())) return kept.bytes
    const entry = this.#begin(key, build)
    this.#kept.set(key, entry)
    try {
      const ready = await entry.bytes
      entry.builtAtMillis = nowMillis()
      return ready
    } catch (error) {
      if (this.#kept.peek(key) === entry) this.#kept.delete(key)
      throw error
    }
  }

  #begin(key: Key, build: () => Promise<Answer>): Kept<Answer> {
    const make = () => {
      const bytes = build().then((answer) => new ReadyAnswer(jsonText(answer)))
      const millis = this.#restMillis(key)
      if (millis > 0) this.#rest(key, bytes, millis)
      return bytes
    }
    const turn = this.#turns.get(key)
    if (turn === undefined) return { isBegun: true, bytes: make() }
    const begin = () => {
      entry.isBegun = true
      return make()
    }
    const entry: Kept<Answer> = { isBegun: false, bytes: turn.then(begin) }
    return entry
  }

  #rest(key: Key, bytes: Promise<unknown>, millis: number): void {
    const rest = () => pause(millis, undefined, { ref: false })
    const turn = bytes.then(rest, rest).then(() => {
      this.#turns.delete(key)
    })
    this.#turns.set(key, turn)
  }
}

function isFresh({ builtAtMillis }: Kept<unknown>, nowMillis: number): boolean {
  if (builtAtMillis === undefined) return true
  const ageMillis = nowMillis - builtAtMillis
  return ageMillis >= 0 && ageMillis <= ageMillisMax
}

/** Sends the bytes, or 304 without them to a browser that has them already (RFC 9110, 13.1.2). */
export function sendReady(
  request: FastifyRequest,
  reply: FastifyReply,
  ready: ReadyAnswer<unknown>,
): FastifyReply {
  reply.headers({ etag: ready.etag, 'cache-control': ready.cacheControl })
  if (hasAlready(request.headers['if-none-match'], ready.etag)) return reply.code(304).send()
  return reply.header('content-type', 'application/json; charset=utf-8').send(ready.body)
}

function hasAlready(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  const names = header.split(',').map((name) => name.trim().replace(/^W\//, ''))
  return names.includes(etag) || names.includes('*')
}
