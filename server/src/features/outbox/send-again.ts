// What staff do about messages: one that failed is sent again, and a kind gets their own words.

import type { NotificationKind } from '@redpack/contract/notification-kinds'
import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import { refuseChangedMeanwhile } from '../../rules/changed-meanwhile.ts'
import { DomainError, existing } from '../../shared/domain-error.ts'
import { targetOf } from '../../shared/staff-call.ts'
import { holdSentence, replaceSentence } from './news-tables.ts'
import { kindOfMessage, restartMessage } from './sending-tables.ts'

/** @throws DomainError not_found, or wrong_state for one that waits or was sent */
export async function sendAgain(
  tx: Queryable,
  by: Author,
  id: number,
): Promise<Outcome<{ readonly success: true; readonly message: string }>> {
  const kind = existing(await kindOfMessage(tx, id), 'Message not found')
  if (!(await restartMessage(tx, id, by.now))) {
    throw new DomainError(
      'wrong_state',
      'Only a message that failed and whose time is not over can be sent again',
    )
  }
  return {
    answer: { success: true, message: 'The message is sent again' },
    audit: { action: 'outbox.again', ...targetOf('message', id), after: { kind } },
  }
}

interface Sentence {
  readonly sentence: string | null
}

/**
 * Adds a sentence to a kind of news from now on; null takes it off. `expected` is what the sender
 * saw before.
 * @throws DomainError changed_meanwhile
 */
export async function saveSentence(
  tx: Queryable,
  { now }: Author,
  kind: NotificationKind,
  { sentence, expected }: Sentence & { readonly expected?: Sentence | undefined },
): Promise<Outcome<void>> {
  const before = { sentence: await holdSentence(tx, kind) }
  refuseChangedMeanwhile(before, { sentence }, expected)
  await replaceSentence(tx, kind, sentence, now)
  return {
    answer: undefined,
    audit: {
      ...{ action: 'outbox.sentence', ...targetOf('news', kind) },
      ...{ before, after: { sentence } },
    },
  }
}
