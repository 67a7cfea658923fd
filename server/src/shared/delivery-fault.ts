// How the far side says no to a message, in the words the product acts on.

import { Unavailable } from './domain-error.ts'

export type DeliveryFaultKind =
  /** This mailbox, device or account takes nothing: it is asked no more. */
  | 'recipient'
  /** The message is refused for good, whoever it is for. */
  | 'refused'
  /** Not now, this one. */
  | 'later'
  /** Nobody there, or nobody who lets us in: the next message would fare the same. */
  | 'unreachable'

/** Made for the outbox. The message says where it went wrong and nothing that names a person. */
export class DeliveryFault extends Unavailable {
  readonly kind: DeliveryFaultKind
  /** When to ask again, where the far side or the channel says so. */
  readonly waitSeconds: number | undefined

  constructor(
    kind: DeliveryFaultKind,
    message: string,
    options: { cause?: unknown; waitSeconds?: number | undefined } = {},
  ) {
    super(message, options)
    this.name = 'DeliveryFault'
    this.kind = kind
    this.waitSeconds = options.waitSeconds
  }
}
