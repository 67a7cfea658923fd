// The member of staff behind a change, the entry that their action leaves in the log, and the users
// it concerns.

/** Who changes something, and the request it came with. */
export interface StaffMember {
  readonly actorId: number
  readonly requestId: string
}

/** What an action was done to, as its entry names it. */
export const targetOf = (targetType: string, id: number | string) => ({
  targetType,
  targetId: String(id),
})

/** One entry of the log of staff actions. */
export interface StaffAction {
  /** Null for what follows from a rule, without anybody of staff. */
  readonly actorId: number | null
  /** Verb and noun, for example `redcoin.grant`. */
  readonly action: string
  readonly targetType: string | null
  readonly targetId: string | null
  readonly before?: unknown
  readonly after?: unknown
  readonly reason?: string | undefined
  readonly batchId?: string | undefined
  readonly requestId: string | null
  readonly now: Date
}

/** More users than this are told of as everybody: a grant to 100,000 is no 200,000 events. */
const namedMax = 200

/** The events that these users have changed, each named once, or everybody where they are many. */
export function changedUsers(
  userIds: readonly number[],
  types: readonly ('user_changed' | 'holdings_changed')[] = ['user_changed'],
) {
  if (userIds.length > namedMax) return [{ type: 'everybody_changed' as const }]
  return userIds.flatMap((userId) => types.map((type) => ({ type, userId })))
}
