// Registers endpoints of the contract as routes: access, limits, parsing and answers in one place.

import { Readable } from 'node:stream'
import {
  addressesOf,
  type Body,
  type EndpointShape,
  type Params,
  type Query,
  type Response,
} from '@redpack/contract'
import {
  type BodyLimit,
  bodyBytesMax,
  idempotencyKeyMax,
  listedProblemsMax,
} from '@redpack/contract/limits'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import { type Actor, isStaff } from '../../rules/roles.ts'
import { DomainError, signedOut, Unavailable, wrongField } from '../../shared/domain-error.ts'
import { type JsonText, jsonText } from '../../shared/json-text.ts'
import type { StaffMember } from '../../shared/staff-call.ts'
import { withinMillis } from '../clock/clock.ts'
import type { IdempotentAnswer } from '../db/idempotent.ts'
import { readBody, requireFile, type UploadedFile } from './multipart.ts'
import { answerSchema } from './openapi.ts'
import { ReadyAnswer, sendReady } from './response-cache.ts'

type FileOf<F> = F extends { readonly isRequired: true }
  ? UploadedFile
  : F extends { readonly isRequired: boolean }
    ? UploadedFile | undefined
    : undefined

/** What one call brings to its handler: everything parsed, the caller known. */
export interface Call<E extends EndpointShape> {
  readonly params: Params<E>
  readonly query: Query<E>
  readonly body: Body<E>
  /** File of a multipart body, where the endpoint takes one. */
  readonly file: FileOf<E['file']>
  readonly actor: E['access'] extends 'viewer' | 'staff' ? Actor : Actor | undefined
  /** Value of the Idempotency-Key header, 1 to 255 characters, where the endpoint takes one. */
  readonly idempotencyKey: string | undefined
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** An answer that is JSON text already, sent as it stands. */
export class SerializedAnswer<Answer> {
  readonly body: JsonText<Answer>
  readonly headers: Readonly<Record<string, string>>

  constructor(body: JsonText<Answer>, headers: Readonly<Record<string, string>> = {}) {
    this.body = body
    this.headers = headers
  }

  /** Writes a value once, for answers that are sent many times. */
  static of<Answer>(value: Answer): SerializedAnswer<Answer> {
    return new SerializedAnswer(jsonText(value))
  }
}

type Answer<E extends EndpointShape> = E['response'] extends 'redirect' | 'text'
  ? FastifyReply
  : Response<E> | SerializedAnswer<Response<E>> | ReadyAnswer<Response<E>>

export type Handler<E extends EndpointShape> = (call: Call<E>) => Promise<Answer<E>>

/** What the routes need from the rest of the product; given once when the application is built. */
export interface RouteGuards {
  /** The signed-in caller, or undefined. `fresh` reads the role from the database now. */
  authenticate(
    request: FastifyRequest,
    reply: FastifyReply,
    options: { fresh: boolean },
  ): Promise<Actor | undefined>
  /** Refuses with rate_limited when the caller has used up the limiter. */
  limit(
    rate: EndpointShape['rate'],
    request: FastifyRequest,
    actor: Actor | undefined,
  ): Promise<void>
  /** Runs the work of a call in a turn of whoever calls; at once when that is nobody known. */
  inTurn<Result>(actor: Actor | undefined, work: () => Promise<Result>): Promise<Result>
  isOperator(request: FastifyRequest): boolean
  /** Refuses what concerns everybody to who may not do it, or has to confirm it is them first. */
  requireForEverybody(actor: Actor): Promise<void>
  /** Refuses with suspended what a suspension stops. */
  requireNotSuspended(actor: Actor): void
  /** When each of the sessions ends if it is not seen again; those that are gone have no entry. */
  sessionEnds(sessionHashes: readonly string[]): Promise<ReadonlyMap<string, Date>>
  /**
   * Sessions that have ended since an earlier answer's `asOf`, or without it in the last seconds.
   * Undefined when it cannot be told, so that every session has to be looked at.
   */
  endedSessions(since: Date | undefined): Promise<EndedSessions | undefined>
}

/** Sessions that have ended, as of a moment on the database's clock. */
export interface EndedSessions {
  readonly asOf: Date
  readonly sessionHashes: readonly string[]
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Every route states its access, or the server refuses to start. */
    access?: EndpointShape['access'] | 'static'
    /** How the body travels; only routes that say so may be sent a form. */
    bodyKind?: EndpointShape['bodyKind']
    /** How large the body may be, where the contract says so. */
    bodyLimit?: BodyLimit
    failsTo?: EndpointShape['failsTo']
    fromAnySite?: EndpointShape['fromAnySite']
  }
  interface FastifyRequest {
    /** Who calls, as far as the session says; the route decides whether to let them in. */
    caller?: Actor | undefined
  }
}

/** Serves an endpoint and its aliases with one handler. */
export function serve<E extends EndpointShape>(
  app: FastifyInstance,
  guards: RouteGuards,
  endpoint: E,
  handler: Handler<E>,
): void {
  const { access, bodyKind, bodyLimit = 'fields', failsTo, fromAnySite } = endpoint
  for (const { method, path } of addressesOf(endpoint)) {
    app.route({
      method,
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      config: { access, bodyKind, bodyLimit, failsTo, fromAnySite },
      bodyLimit: bodyBytesMax[bodyLimit],
      // A HEAD twin would run the same handler; nothing of ours asks for one.
      exposeHeadRoute: false,
      // Before the body is read: nobody who may not call gets to send one.
      onRequest: async (request, reply) => {
        const refusal = await admit(guards, endpoint, request, reply).catch((error) => error)
        // Also of somebody who may not call, so that trying without an end has one.
        if (refusal === undefined || request.caller !== undefined) {
          await guards.limit(endpoint.rate, request, request.caller)
        }
        if (refusal !== undefined) throw refusal
      },
      handler: (request, reply) =>
        guards.inTurn(request.caller, () => answer(guards, endpoint, handler, request, reply)),
    })
  }
}

async function answer<E extends EndpointShape>(
  guards: RouteGuards,
  endpoint: E,
  handler: Handler<E>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  refuseNul(endpoint, request.query)
  const params = parse(endpoint.params, request.params)
  const query = parse(endpoint.query, request.query)
  const sent = await readBody(endpoint, request)
  const body = parse(endpoint.body, sent.body)
  requireFile(endpoint, sent.file)
  // A body can be held back, and a turn can take a while: meanwhile a role or a session may have
  // ended. What is only read is as old as its question.
  if (request.method !== 'GET' && !isOpenToAll(endpoint)) {
    await admit(guards, endpoint, request, reply)
  }
  const call = {
    params,
    query,
    body,
    file: sent.file,
    actor: request.caller,
    idempotencyKey: endpoint.idempotent === true ? readIdempotencyKey(request) : undefined,
    request,
    reply,
  } as Call<E>
  const result = await handler(call)
  if (result instanceof ReadyAnswer) return sendReady(request, reply, result)
  if (reply.sent || typeof endpoint.response === 'string') return result
  reply.type('application/json; charset=utf-8')
  if (result instanceof SerializedAnswer) {
    return reply
      .headers(result.headers)
      .serializer((body: string) => body)
      .send(result.body)
  }
  reply.serializer(answerWriter(endpoint, reply))
  return result
}

/** Writes an answer as JSON with the fields of the endpoint's response, and no others. */
export function answerWriter(
  { response }: EndpointShape,
  reply: FastifyReply,
): (answer: unknown) => string {
  if (typeof response === 'string') throw new TypeError('An answer of this kind has no fields')
  // Made for the first answer: doing it for all 360 addresses was most of what a start took.
  return reply.compileSerializationSchema(answerSchema(response)) as (answer: unknown) => string
}

const isOpenToAll = ({ access }: EndpointShape) => access === 'public' || access === 'signature'

async function admit(
  guards: RouteGuards,
  endpoint: EndpointShape,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { access } = endpoint
  const actor = await guards.authenticate(request, reply, {
    fresh: access === 'staff' || access === 'operator',
  })
  // Also of somebody who is refused, so that the refusal can say whom.
  request.caller = actor
  if (isOpenToAll(endpoint)) return
  if (access === 'operator' && guards.isOperator(request)) return
  if (actor === undefined) throw signedOut()
  if (access !== 'viewer' && !isStaff(actor.role)) {
    throw new DomainError('forbidden', 'You do not have permission to do this')
  }
  // Under a key it may be a repetition: what does the work refuses it behind what is stored.
  const mayRepeat = endpoint.idempotent === true && readIdempotencyKey(request) !== undefined
  if (endpoint.stoppedBySuspension === true && !mayRepeat) guards.requireNotSuspended(actor)
  if (endpoint.concernsEverybody === true && !mayRepeat) await guards.requireForEverybody(actor)
}

function parse(schema: z.ZodMiniType | undefined, value: unknown): unknown {
  if (schema === undefined) return undefined
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const errors = result.error.issues.slice(0, listedProblemsMax).map((issue) => ({
    path: issue.path.join('.'),
    message: issue.message,
  }))
  throw new DomainError('invalid_input', errors[0]?.message ?? 'Invalid input', { errors })
}

/**
 * Many a query value falls back when it is a bad one; NUL, which no database text can hold, is
 * never sent by accident. The ways back from a provider answer everything with a redirect.
 */
function refuseNul(endpoint: EndpointShape, query: unknown): void {
  if (endpoint.query === undefined || endpoint.response === 'redirect') return
  for (const [path, value] of Object.entries(query as object)) {
    if (!String(value).includes('\0')) continue
    throw wrongField(path, 'The address contains a character that is not allowed')
  }
}

function readIdempotencyKey(request: FastifyRequest): string | undefined {
  const header = request.headers['idempotency-key']
  if (header === undefined) return undefined
  const key = Array.isArray(header) ? header.join(',') : header
  if (key.length < 1 || key.length > idempotencyKeyMax || /[^\x20-\x7e]/.test(key)) {
    throw new DomainError(
      'invalid_input',
      `Idempotency-Key must have 1 to ${idempotencyKeyMax} printable characters`,
    )
  }
  return key
}

interface CalledByStaff {
  readonly actor: Actor
  readonly request: { readonly id: string }
}

/** What a change by staff is recorded under. */
export function staffMember({ actor, request }: CalledByStaff): StaffMember {
  return { actorId: actor.userId, requestId: request.id }
}

type KeyOf<Shape> = Shape extends unknown ? keyof Shape : never

/** What the contract does not know of; stored text is not filtered, so it would reach the wire. */
export type Unknown<Answer, Known> = Exclude<KeyOf<Answer>, KeyOf<Known>>

/**
 * The stored text byte for byte, marked when an earlier request made it. Does not compile when the
 * answer lacks a field of the endpoint's, has another type in one, or a field more.
 */
export function idempotentAnswer<E extends EndpointShape, Answer extends Response<E>>(
  _endpoint: E,
  answered: IdempotentAnswer<Answer>,
  ..._unknown: Unknown<Answer, Response<E>> extends never
    ? []
    : [field: Unknown<Answer, Response<E>>]
): SerializedAnswer<Response<E>> {
  return replayableAnswer<Response<E>>(answered)
}

/** The text of an answer that is checked where it comes from. */
export function replayableAnswer<Answer>({
  body,
  replayed,
}: IdempotentAnswer<Answer>): SerializedAnswer<Answer> {
  return new SerializedAnswer(body, replayed ? { 'idempotency-replayed': 'true' } : {})
}

const fileTypes = {
  // Its first line names the columns (RFC 4180, RFC 7111).
  csv: 'text/csv; charset=utf-8; header=present',
  json: 'application/json; charset=utf-8',
}

/**
 * Sends text piece by piece as a download. The next piece is made when the last one has been taken;
 * a failure before the first is answered like any other, a later one cuts the connection. The name
 * is plain ASCII, since it stands in a header.
 */
export function sendFile(
  reply: FastifyReply,
  name: string,
  type: keyof typeof fileTypes,
  pieces: AsyncIterable<string>,
): FastifyReply {
  return reply
    .headers({
      'content-type': fileTypes[type],
      'content-disposition': `attachment; filename="${name}.${type}"`,
      'cache-control': 'no-store',
    })
    .send(Readable.from(pieces))
}

interface Download {
  readonly what: string
  readonly actorId: number
  /** Whether delivery details are in it, where they can be. */
  readonly contact?: string
}

/** Says in the server's log who has taken a file of many people's data. */
export function logDownload({ log }: FastifyRequest, download: Download): void {
  log.info({ event: 'file_downloaded', ...download }, 'a file was downloaded')
}

/**
 * The outcome of `work`.
 * @throws Unavailable with `message` when the work fails or takes longer than `millisMax`
 */
export async function availableWithin<Result>(
  work: Promise<Result>,
  millisMax: number,
  message: string,
): Promise<Result> {
  try {
    return await withinMillis(work, millisMax)
  } catch (cause) {
    throw new Unavailable(message, { cause })
  }
}
