// Staff have a message sent again that had failed for good.

import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { kindOfMessage, restartMessage } from './sending-tables.ts'

/** @throws DomainError not_found, or wrong_state for one that waits or was sent */
export async function sendAgain(
  tx: Queryable,
  by: Author,
  id: number,
): Promise<Outcome<{ readonly success: true; readonly message: string }>> {
  const kind = await kindOfMessage(tx, id)
  if (kind === undefined) throw new DomainError('not_found', 'Message not found')
  if (!(await restartMessage(tx, id, by.now))) {
    throw new DomainError('wrong_state', 'Only a message that failed can be sent again')
  }
  return {
    answer: { success: true, message: 'The message is sent again' },
    audit: { action: 'outbox.again', targetType: 'message', targetId: String(id), after: { kind } },
  }
}
