// The only way a command takes effect: key, work, audit entry and answer in one transaction, and
// events after the commit.

import type { JsonText } from '../../shared/json-text.ts'
import type { StaffAction, StaffMember } from '../../shared/staff-call.ts'
import type { Queryable } from '../db/database.ts'
import { type IdempotentAnswer, idempotent } from '../db/idempotent.ts'
import type { Deps } from '../deps.ts'
import type { ProductEvent } from '../events/events.ts'

/** Who changes something, the request it came with, and the moment that counts for all of it. */
export interface Author extends StaffMember {
  readonly now: Date
}

/** What a command tells the log of staff actions; who did it and when is the edge's to say. */
export type AuditEntry = Omit<StaffAction, keyof Author>

/** What has come of a command. */
export interface Outcome<Answer> {
  readonly answer: Answer
  /**
   * Recorded in the same transaction, one entry or one for each thing that was changed; absent for
   * what players do and for what changed nothing.
   */
  readonly audit?: AuditEntry | readonly AuditEntry[] | undefined
  /** Told after the commit, and not at all when the answer is a stored one. */
  readonly events?: readonly ProductEvent[]
  /** True when an earlier command did this already, so that this one has changed nothing. */
  readonly isRepeat?: boolean
  /** What remains to do in this process once it is committed; must not throw. */
  readonly afterCommit?: () => void
}

export type RecordAction = (tx: Queryable, action: StaffAction) => Promise<void>

export interface CommandDeps {
  readonly deps: Pick<Deps, 'clock' | 'db' | 'events'>
  readonly recordAction: RecordAction
}

/** One call of a command, as the edge has read it. */
export interface CommandCall extends StaffMember {
  /** Method and path of the endpoint, so that one key can serve different calls. */
  readonly route: string
  readonly idempotencyKey: string | undefined
  /** Everything that decides what the call does. */
  readonly input: unknown
}

/**
 * Runs a command. `run` may be started over by a deadlock, so it must have no effect outside of its
 * transaction; what comes of its last attempt counts. `write` makes the text that is stored and
 * sent.
 * @throws DomainError what `idempotent` throws, or whatever `run` throws
 */
export async function runCommand<Answer>(
  { deps, recordAction }: CommandDeps,
  { actorId, requestId, route, idempotencyKey, input }: CommandCall,
  run: (tx: Queryable, by: Author) => Promise<Outcome<Answer>>,
  write?: (answer: Answer) => JsonText<Answer>,
): Promise<IdempotentAnswer<Answer>> {
  const by = { actorId, requestId, now: deps.clock.now() }
  const keyed = { userId: actorId, route, key: idempotencyKey, input, now: by.now }
  const last: { outcome?: Outcome<Answer> } = {}
  const work = async (tx: Queryable) => {
    const outcome = await run(tx, by)
    last.outcome = outcome
    for (const entry of entriesOf(outcome)) await recordAction(tx, { ...entry, ...by })
    return outcome.answer
  }
  const answer = await idempotent(deps.db, keyed, work, write)
  if (answer.replayed || last.outcome === undefined) return answer
  const { events = [], isRepeat = false, afterCommit } = last.outcome
  for (const event of events) deps.events.publish(event)
  afterCommit?.()
  return { ...answer, replayed: isRepeat }
}

function entriesOf({ audit }: Outcome<unknown>): readonly AuditEntry[] {
  if (audit === undefined) return []
  return 'action' in audit ? [audit] : audit
}
