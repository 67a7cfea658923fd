// How Discord says no, in the words the product acts on.

import { Unavailable } from './domain-error.ts'

export type DiscordFaultKind =
  /** The bot token is not accepted. */
  | 'token'
  /** The bot lacks a permission, or sees no such place. */
  | 'forbidden'
  /** The server, channel or message does not exist. */
  | 'unknown'
  | 'rate_limited'
  /** The request itself is wrong; it will be refused again. */
  | 'refused'
  | 'unreachable'

/** Made by the adapter. Where nothing acts on it, it is answered 503 like any failed service. */
export class DiscordFault extends Unavailable {
  readonly kind: DiscordFaultKind
  /** Discord's own number of the error, when it gave one. */
  readonly code: number | undefined

  constructor(
    kind: DiscordFaultKind,
    message: string,
    details: { cause?: unknown; code?: number | undefined; retryAfterSeconds?: number } = {},
  ) {
    super(message, details)
    this.name = 'DiscordFault'
    this.kind = kind
    this.code = details.code
  }
}
