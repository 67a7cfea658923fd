// What a use-case needs to know about the call of a staff member.

import type { Actor } from '../../rules/roles.ts'
import type { StaffCall } from './distribute.ts'

interface CalledByStaff {
  readonly actor: Actor
  readonly request: { readonly id: string }
  readonly idempotencyKey: string | undefined
}

export function staffCall(
  endpoint: { readonly method: string; readonly path: string },
  call: CalledByStaff,
): StaffCall {
  return {
    actorId: call.actor.userId,
    requestId: call.request.id,
    route: `${endpoint.method} ${endpoint.path}`,
    idempotencyKey: call.idempotencyKey,
  }
}
