// Who of staff calls, in the words of a use-case.

import type { Actor } from '../../rules/roles.ts'
import type { StaffMember } from '../../shared/staff-call.ts'

interface CalledByStaff {
  readonly actor: Actor
  readonly request: { readonly id: string }
}

/** What a change by staff is recorded under. */
export function staffMember({ actor, request }: CalledByStaff): StaffMember {
  return { actorId: actor.userId, requestId: request.id }
}
