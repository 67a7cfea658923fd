// Who of staff calls, in the words of a use-case.

import type { EndpointShape } from '@redpack/contract'
import type { Actor } from '../../rules/roles.ts'
import type { StaffCall } from '../../rules/staff-call.ts'

interface CalledByStaff {
  readonly actor: Actor
  readonly request: { readonly id: string }
  readonly idempotencyKey: string | undefined
}

/** What a change by staff is recorded and repeated under. */
export function staffCall(
  endpoint: Pick<EndpointShape, 'method' | 'path'>,
  call: CalledByStaff,
): StaffCall {
  return {
    actorId: call.actor.userId,
    requestId: call.request.id,
    route: `${endpoint.method} ${endpoint.path}`,
    idempotencyKey: call.idempotencyKey,
  }
}
