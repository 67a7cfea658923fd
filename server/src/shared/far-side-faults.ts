// How a far side says no, in the words the product acts on.

import { Unavailable } from './domain-error.ts'

/** Made by adapters. Where nothing acts on it, it is answered 503 like any failed service. */
abstract class Fault<Kind extends string> extends Unavailable {
  readonly kind: Kind
  /** Status of Twitch's answer, or Discord's own number of the error, where there was one. */
  readonly code: number | undefined
  /** When to ask again, where the far side or the channel says so. */
  readonly waitSeconds: number | undefined

  constructor(
    kind: Kind,
    message: string,
    details: { cause?: unknown; code?: number | undefined; waitSeconds?: number | undefined } = {},
  ) {
    const { cause, code, waitSeconds } = details
    super(message, { cause, retryAfterSeconds: waitSeconds })
    this.kind = kind
    this.code = code
    this.waitSeconds = waitSeconds
  }
}

export class TwitchFault extends Fault<
  /** No answer, an answer that makes no sense, or too many of those in a row to ask again now. */
  | 'unreachable'
  | 'rate_limited'
  /** The token is not accepted, or lacks a scope. */
  | 'unauthorized'
  /** The token's owner may not do this, for example because they are no moderator. */
  | 'forbidden'
  /** The request itself is wrong; it will be refused again. */
  | 'refused'
> {
  override readonly name = 'TwitchFault'
}

export class DiscordFault extends Fault<
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
> {
  override readonly name = 'DiscordFault'
}

/** Made for the outbox. The message says where it went wrong and nothing that names a person. */
export class DeliveryFault extends Fault<
  /** This mailbox, device or account takes nothing: it is asked no more. */
  | 'recipient'
  /** The message is refused for good, whoever it is for. */
  | 'refused'
  /** Not now, this one. */
  | 'later'
  /** Nobody there, or nobody who lets us in: the next message would fare the same. */
  | 'unreachable'
> {
  override readonly name = 'DeliveryFault'
}
