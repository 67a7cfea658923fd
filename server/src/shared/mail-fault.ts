// How the far side says no to a mail, in the words the product acts on.

import { Unavailable } from './domain-error.ts'

export type MailFaultKind =
  /** This mailbox takes nothing: it is asked no more. */
  | 'mailbox'
  /** The message is refused for good, whoever it is for. */
  | 'refused'
  /** Not now, this one. */
  | 'later'
  /** Nobody there, or nobody who lets us in: the next message would fare the same. */
  | 'unreachable'

/** Made by the adapter. The message says where it went wrong and nothing that names a person. */
export class MailFault extends Unavailable {
  readonly kind: MailFaultKind

  constructor(kind: MailFaultKind, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'MailFault'
    this.kind = kind
  }
}
