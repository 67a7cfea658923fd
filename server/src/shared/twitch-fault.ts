// How Twitch says no, in the words the product acts on.

import { Unavailable } from './domain-error.ts'

export type TwitchFaultKind =
  /** No answer, an answer that makes no sense, or too many of those in a row to ask again now. */
  | 'unreachable'
  | 'rate_limited'
  /** The token is not accepted, or lacks a scope. */
  | 'unauthorized'
  /** The token's owner may not do this, for example because they are no moderator. */
  | 'forbidden'
  /** The request itself is wrong; it will be refused again. */
  | 'refused'

/** Made by the adapter. Where nothing acts on it, it is answered 503 like any failed service. */
export class TwitchFault extends Unavailable {
  readonly kind: TwitchFaultKind
  /** HTTP status of the answer, where there was one. */
  readonly status: number | undefined

  constructor(
    kind: TwitchFaultKind,
    message: string,
    details: { cause?: unknown; retryAfterSeconds?: number; status?: number } = {},
  ) {
    super(message, details)
    this.name = 'TwitchFault'
    this.kind = kind
    this.status = details.status
  }
}
