// Who of staff calls, in the words of a use-case.

import type { EndpointShape } from '@redpack/contract'
import type { Actor } from '../../rules/roles.ts'
import type { StaffCall, StaffMember } from '../../rules/staff-call.ts'

interface CalledByStaff {
  readonly actor: Actor
  readonly request: { readonly id: string }
}

/** What a change by staff is recorded under. */
export function staffMember({ actor, request }: CalledByStaff): StaffMember {
  return { actorId: actor.userId, requestId: request.id }
}

/** What a change by staff is recorded and repeated under. */
export function staffCall(
  { method, path }: Pick<EndpointShape, 'method' | 'path'>,
  call: CalledByStaff & { readonly idempotencyKey: string | undefined },
): StaffCall {
  const { idempotencyKey } = call
  return { ...staffMember(call), route: `${method} ${path}`, idempotencyKey }
}
