// Sets the live flag of a stream by hand, for installations without the platform.

import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import { afterStaff } from '../../rules/live-state.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { lockStreamLive, writeStreamLive } from './live-tables.ts'

/** What is set stands until the platform says the same. @throws DomainError not_found */
export async function setLive(
  tx: Queryable,
  { now }: Author,
  id: number,
  order: { readonly isLive: boolean; readonly streamId: string | undefined },
  newStreamId: string,
): Promise<Outcome<void>> {
  const stream = await lockStreamLive(tx, id)
  if (stream === undefined) throw new DomainError('not_found', 'Stream not found')
  const live = afterStaff(stream.live, order, newStreamId, now)
  await writeStreamLive(tx, id, live)
  return {
    answer: undefined,
    audit: {
      action: 'stream.set_live',
      targetType: 'stream',
      targetId: String(id),
      before: { isLive: stream.live.isLive, currentStreamId: stream.live.currentStreamId },
      after: { isLive: live.isLive, currentStreamId: live.currentStreamId },
    },
    events: [{ type: 'streams_changed' }],
  }
}
