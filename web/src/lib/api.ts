// Calls the server: one typed function for every endpoint of the contract.

import type {
  BodyInput,
  EndpointShape,
  QueryInput,
  Response as ResponseOf,
} from '@redpack/contract'
import { ApiError, NoAnswer, statusTextOf } from './api-error.ts'
import { changedTopics } from './changed-topics.ts'

type Name<Path extends string> = Path extends `${string}{${infer Found}}${infer Rest}`
  ? Found | Name<Rest>
  : never

type PathParams<E extends EndpointShape> = [Name<E['path']>] extends [never]
  ? { readonly params?: undefined }
  : { readonly params: Readonly<Record<Name<E['path']>, string | number>> }

type QueryPart<E extends EndpointShape> = [QueryInput<E>] extends [undefined]
  ? { readonly query?: undefined }
  : { readonly query?: Readonly<Partial<QueryInput<E>>> }

type BodyPart<E extends EndpointShape> = E['bodyKind'] extends 'none'
  ? { readonly body?: undefined }
  : { readonly body: ([BodyInput<E>] extends [undefined] ? never : BodyInput<E>) | FormData }

export type CallOptions<E extends EndpointShape> = PathParams<E> &
  QueryPart<E> &
  BodyPart<E> & {
    /** Same key, same effect once; for calls whose endpoint says `idempotent`. */
    readonly idempotencyKey?: string
    readonly signal?: AbortSignal
    /** True lets the request outlive the page. */
    readonly keepalive?: boolean
  }

type Arguments<E extends EndpointShape> = [Name<E['path']>] extends [never]
  ? E['bodyKind'] extends 'none'
    ? [options?: CallOptions<E>]
    : [options: CallOptions<E>]
  : [options: CallOptions<E>]

/**
 * Path of an endpoint with its parameters and query filled in; absent and null values are left
 * out.
 */
export function urlOf(
  path: string,
  params: Readonly<Record<string, string | number>> = {},
  query: Readonly<Record<string, unknown>> = {},
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value))
  }
  const text = search.toString()
  return text === '' ? filled : `${filled}?${text}`
}

/**
 * Calls an endpoint with the session cookie. What the call may have changed is announced, also when
 * it failed: a refusal often means that the page was out of date, and a lost answer may have been a
 * success.
 * @returns the parsed answer; an empty one is null
 * @throws ApiError for an answer that is not a success; NoAnswer when none came
 */
export async function call<E extends EndpointShape>(
  endpoint: E,
  ...[options]: Arguments<E>
): Promise<ResponseOf<E>> {
  let answer: ResponseOf<E> | undefined
  try {
    answer = await send<E>(endpoint, (options ?? {}) as Options)
    return answer
  } finally {
    changedTopics.announce(changesOf(endpoint, answer), 'call')
  }
}

/** What a call may have changed, by its answer; undefined when it failed. */
function changesOf({ changes = [], changesWhen }: EndpointShape, answer: unknown) {
  if (changesWhen === undefined || answer === undefined) return changes
  return (answer as Record<string, unknown> | null)?.[changesWhen] === true ? changes : []
}

async function send<E extends EndpointShape>(
  endpoint: E,
  { params, query, body, idempotencyKey, signal, keepalive }: Options,
): Promise<ResponseOf<E>> {
  const isForm = body instanceof FormData
  const headers: Record<string, string> = { accept: 'application/json' }
  if (!isForm && endpoint.method !== 'GET') headers['content-type'] = 'application/json'
  if (idempotencyKey) headers['idempotency-key'] = idempotencyKey
  const url = urlOf(endpoint.path, params, query)
  const early = takeFirstAnswer(endpoint.method, url)
  return readJson(
    early ??
      fetch(url, {
        method: endpoint.method,
        credentials: 'same-origin',
        headers,
        body: isForm ? body : body === undefined ? undefined : JSON.stringify(body),
        signal,
        keepalive,
        // What is named by its hash holds for ever.
        cache: endpoint.path.endsWith('{hash}') ? 'default' : cache,
      }),
  )
}

interface FirstAnswer {
  readonly answer: Promise<Response>
  /** When it was asked for, in milliseconds since 1970. */
  readonly atMs: number
}

declare global {
  interface Window {
    /** By address, what the page's first script has asked ahead of the app (`public/start.js`). */
    redpackFirstAnswers?: Record<string, FirstAnswer> | undefined
  }
}

/** An answer that was asked for longer ago may be out of date, in milliseconds. */
export const firstAnswerMsMax = 10_000

/** The early answer, once; none after a call that may have changed what it says. */
function takeFirstAnswer(method: string, url: string): Promise<Response> | undefined {
  if (method !== 'GET') window.redpackFirstAnswers = undefined
  const first = window.redpackFirstAnswers?.[url]
  if (!first) return undefined
  delete window.redpackFirstAnswers?.[url]
  return Date.now() - first.atMs < firstAnswerMsMax ? first.answer : undefined
}

interface Options {
  readonly params?: Record<string, string | number>
  readonly query?: Record<string, unknown>
  readonly body?: unknown
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
  readonly keepalive?: boolean
}

/**
 * On the way back through the history a browser shows what it has kept, also what must be asked for
 * again each time.
 */
const cache: RequestCache = 'no-cache'

/** Loads JSON from an address on this server, with the same rules as `call`. */
export async function load<T>(url: string, signal?: AbortSignal): Promise<T> {
  return readJson(
    fetch(url, {
      credentials: 'same-origin',
      headers: { accept: 'application/json' },
      signal,
      cache,
    }),
  )
}

async function readJson<T>(coming: Promise<Response>): Promise<T> {
  const { response, text } = await textOf(coming)
  if (!response.ok) throw new ApiError(response.status, statusTextOf(response), text)
  return (text === '' ? null : JSON.parse(text)) as T
}

async function textOf(coming: Promise<Response>) {
  try {
    const response = await coming
    return { response, text: await response.text() }
  } catch (error) {
    // The way for the browser to say that the network failed.
    throw error instanceof TypeError ? new NoAnswer(error) : error
  }
}
