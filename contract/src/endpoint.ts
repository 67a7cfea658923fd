// The shape of an endpoint: everything both sides need to know about one call, as data.

import type * as z from 'zod/mini'
import type { DomainErrorCode } from './error-codes.ts'
import type { BodyLimit } from './limits.ts'
import type { Topic } from './topics.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call an endpoint. `viewer` needs any session and reaches only the caller's own rows,
 * `staff` needs the role admin or super_user as the database has it now, `signature` is a webhook
 * that proves its sender by a signature, `operator` is staff, a caller on the loopback interface or
 * whoever carries METRICS_TOKEN.
 */
export type Access = 'public' | 'viewer' | 'staff' | 'signature' | 'operator'

/** How the request body travels. `json-or-multipart` chooses by content type. */
export type BodyKind = 'none' | 'json' | 'multipart' | 'json-or-multipart' | 'raw'

type Schema = z.ZodMiniType

export interface EndpointShape {
  readonly method: Method
  /** Path with `{name}` for each parameter, as in OpenAPI. */
  readonly path: `/${string}`
  /**
   * Further requests that the same handler answers, with the same access. Old addresses stand in
   * `compat/`.
   */
  readonly aliases?: readonly { readonly method: Method; readonly path: `/${string}` }[]
  /**
   * What a call may have changed, whether it succeeds or not: pages ask again for every query that
   * shows one of these topics. What the answer itself fills in place is left out. Every method but
   * GET says it.
   */
  readonly changes?: readonly Topic[]
  /** A field of the answer that is true when something did change; `refused`: only by a failure. */
  readonly changesWhen?: string
  readonly access: Access
  /** One sentence for the OpenAPI document. */
  readonly summary: string
  readonly params?: Schema
  readonly query?: Schema
  readonly bodyKind: BodyKind
  /** How large the body may be, by what it carries; `fields` when absent. */
  readonly bodyLimit?: BodyLimit
  readonly body?: Schema
  /**
   * File part of a multipart body. `field` is the name the documentation gives; the first file of
   * the body is taken whatever its name. `missing` is said when a required file is not there.
   */
  readonly file?: {
    readonly field: string
    readonly isRequired: boolean
    readonly missing?: string
  }
  /** Answer of status 200, or `redirect` for browser navigations that answer 302. */
  readonly response: Schema | 'redirect' | 'text'
  /** Screen to which a browser is led that came here by itself when the server cannot serve it. */
  readonly failsTo?: `/${string}`
  /** Reasons this endpoint can refuse with, beyond those every endpoint has. */
  readonly domainErrors: readonly DomainErrorCode[]
  /** True when the call moves value or stock and so takes an `Idempotency-Key`. */
  readonly idempotent?: boolean
  /**
   * True for what takes something from everybody at once: where roles are strict super users alone
   * may, and who has a second factor is asked for a code again.
   */
  readonly concernsEverybody?: boolean
  /** True for what a suspended caller may not do: opening, buying, earning. */
  readonly stoppedBySuspension?: boolean
  /** Limiter that guards the call; `none` only where the answer costs next to nothing. */
  readonly rate:
    | 'read'
    | 'write'
    | 'spend'
    | 'sign-in'
    | 'heartbeat'
    | 'upload'
    | 'public-log'
    | 'none'
}

type Usual = 'domainErrors' | 'bodyKind' | 'rate'
type Declared = Omit<EndpointShape, 'access' | 'method' | 'path' | Usual> &
  Partial<Pick<EndpointShape, Usual>>
type UsualBody<E> = E extends { readonly body: Schema } ? 'json' : 'none'
type Complete<A extends Access, P extends EndpointShape['path'], E extends Declared> = E &
  Pick<EndpointShape, 'method' | Exclude<Usual, 'bodyKind' | keyof E>> & {
    readonly access: A
    readonly path: P
  } & ('bodyKind' extends keyof E ? unknown : { readonly bodyKind: UsualBody<E> })

/**
 * Declares an endpoint, keeping the exact types of its schemas for handlers and callers. What is
 * not said is as usual: no refusals of its own, JSON where there is a schema for a body, and the
 * limiter `read` for GET or `write` for the rest.
 */
export function endpoint<
  A extends Access,
  P extends EndpointShape['path'],
  const E extends Declared,
>(access: A, method: Method, path: P, declared: E): Complete<A, P, E> {
  const usual: Pick<EndpointShape, Usual> = {
    domainErrors: [],
    bodyKind: declared.body === undefined ? 'none' : 'json',
    rate: method === 'GET' ? 'read' : 'write',
  }
  // Spreading loses which of the two a field comes from; the type knows it.
  return { ...usual, ...declared, access, method, path } as unknown as Complete<A, P, E>
}

type In<S> = S extends Schema ? z.input<S> : undefined
type Out<S> = S extends Schema ? z.output<S> : undefined

/** What a caller sends as the body. */
export type BodyInput<E extends EndpointShape> = In<E['body']>
/** What a handler receives as the body, after parsing. */
export type Body<E extends EndpointShape> = Out<E['body']>
export type Params<E extends EndpointShape> = Out<E['params']>
export type Query<E extends EndpointShape> = Out<E['query']>
export type QueryInput<E extends EndpointShape> = In<E['query']>
/** What the server answers with status 200. */
export type Response<E extends EndpointShape> = Out<E['response']>

/** Addresses of the screens beside the landing page; the browser has a route for each. */
export const screens: ReadonlySet<string> = new Set([
  '/admin',
  '/admin-new',
  '/admin-old',
  '/dashboard',
  '/fairness',
  '/history',
  '/inventory',
  '/leaderboard',
  '/logout',
  '/my-prizes',
  '/notifications',
  '/profile',
  '/store',
  '/twitch-streams',
])

/** Whether a decoded path leads to a screen, in any way of writing it that the browser follows. */
export function isScreenAddress(path: string): boolean {
  return path === '/' || screens.has(path.toLowerCase().replace(/\/$/, ''))
}
