// The shape of an endpoint: all that both sides must know about one call, as data.

import type * as z from 'zod/mini'
import type { DomainErrorCode } from './error-codes.ts'
import type { BodyLimit } from './limits.ts'
import type { Topic } from './topics.ts'
import { IdParams } from './values.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call an endpoint. `viewer`: anyone with a session, for their own rows only. `staff`: the
 * role admin or super_user, as the database has it now. `signature`: a webhook whose signature
 * proves its sender. `operator`: staff, the loopback interface, or the METRICS_TOKEN.
 */
export type Access = 'public' | 'viewer' | 'staff' | 'signature' | 'operator'

/** Format of the request body. `json-or-multipart` chooses by content type. */
export type BodyKind = 'none' | 'json' | 'multipart' | 'json-or-multipart' | 'raw'

type Schema = z.ZodMiniType

export interface EndpointShape {
  readonly method: Method
  /** Path with `{name}` for each parameter, as in OpenAPI. */
  readonly path: `/${string}`
  /**
   * Other requests that the same handler answers, with the same access. Old addresses are in
   * `compat/`.
   */
  readonly aliases?: readonly { readonly method: Method; readonly path: `/${string}` }[]
  /**
   * What a call may have changed, whether it succeeds or not: pages repeat every query that shows
   * one of these topics. Topics that the answer itself updates are left out. Required for every
   * method but GET.
   */
  readonly changes?: readonly Topic[]
  /** A field of the answer that is true if something changed; `refused`: only failures do. */
  readonly changesWhen?: string
  readonly access: Access
  /** One sentence for the OpenAPI document. */
  readonly summary: string
  readonly params?: Schema
  readonly query?: Schema
  readonly bodyKind: BodyKind
  /** Largest body, by its contents; `fields` when absent. */
  readonly bodyLimit?: BodyLimit
  readonly body?: Schema
  /**
   * File part of a multipart body. `field` is its documented name; the first file counts, whatever
   * its name. `missing` is the error when a required file is absent.
   */
  readonly file?: {
    readonly field: string
    readonly isRequired: boolean
    readonly missing?: string
  }
  /** Answer of status 200, or `redirect` for browser navigations that answer 302. */
  readonly response: Schema | 'redirect' | 'text'
  /** Screen that a browser navigating here is sent to when the server cannot answer. */
  readonly failsTo?: `/${string}`
  /** Refusals of this endpoint, beyond those that every endpoint has. */
  readonly domainErrors: readonly DomainErrorCode[]
  /** True if the call moves value or stock, and so takes an `Idempotency-Key`. */
  readonly idempotent?: boolean
  /**
   * True if the call takes something from everybody at once. With strict roles only super users may
   * call it, and callers with a second factor must confirm it with a code.
   */
  readonly concernsEverybody?: boolean
  /** True if pages of other sites may call it, since it does nothing for the cookies they bring. */
  readonly fromAnySite?: boolean
  /** True if a suspended caller may not do it: opening, buying, earning. */
  readonly stoppedBySuspension?: boolean
  /** Rate limiter of the call; `none` only if the answer costs next to nothing. */
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
/** A path with `{id}` takes the number of a row, unless the call says otherwise. */
type UsualParams<P, E> = 'params' extends keyof E
  ? unknown
  : P extends `${string}{id}${string}`
    ? { readonly params: typeof IdParams }
    : unknown
type Declared = Omit<EndpointShape, 'access' | 'method' | 'path' | Usual> &
  Partial<Pick<EndpointShape, Usual>>
type UsualBody<E> = E extends { readonly body: Schema } ? 'json' : 'none'
type Complete<A extends Access, P extends EndpointShape['path'], E extends Declared> = E &
  Pick<EndpointShape, 'method' | Exclude<Usual, 'bodyKind' | keyof E>> & {
    readonly access: A
    readonly path: P
  } & UsualParams<P, E> &
  ('bodyKind' extends keyof E ? unknown : { readonly bodyKind: UsualBody<E> })

/**
 * Declares an endpoint, keeping the exact types of its schemas for handlers and callers. Defaults:
 * `IdParams` if the path has `{id}`, and then the refusal `not_found`, else none; a JSON body if
 * there is a schema for it; the limiter `read` for GET or `write` for the rest.
 */
export function endpoint<
  A extends Access,
  P extends EndpointShape['path'],
  const E extends Declared,
>(access: A, method: Method, path: P, declared: E): Complete<A, P, E> {
  const namesRow = path.includes('{id}')
  const usual: Pick<EndpointShape, Usual | 'params'> = {
    ...(namesRow && { params: IdParams }),
    domainErrors: namesRow ? ['not_found'] : [],
    bodyKind: declared.body === undefined ? 'none' : 'json',
    rate: method === 'GET' ? 'read' : 'write',
  }
  // Spreading loses which object a field comes from; the type knows it.
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

/** Addresses of the screens except the landing page; the browser has a route for each. */
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

/** Whether a decoded path leads to a screen, in any spelling that the browser accepts. */
export function isScreenAddress(path: string): boolean {
  return path === '/' || screens.has(path.toLowerCase().replace(/\/$/, ''))
}
