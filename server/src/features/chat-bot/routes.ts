// The Twitch bot's credentials over HTTP.

import { adminBotsContract as contract } from '@redpack/contract'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { invariant } from '../../rules/refusal.ts'
import type { Actor } from '../../rules/roles.ts'
import { deleteCredentials, replaceCredentials, shownCredentials } from './manage-credentials.ts'

interface CalledByStaff {
  readonly actor: Actor
  readonly request: { readonly id: string }
}

function staffOf({ actor, request }: CalledByStaff) {
  return { actorId: actor.userId, requestId: request.id }
}

export function registerChatBot({ app, world, guards }: FeatureContext): void {
  serve(app, guards, contract.credentials, () => shownCredentials(world))
  serve(app, guards, contract.saveCredentials, async (call) => {
    await replaceCredentials(world, staffOf(call), call.body)
    const shown = await shownCredentials(world)
    invariant(shown !== null, 'credentials that were just saved are there')
    return shown
  })
  serve(app, guards, contract.deleteCredentials, async (call) => {
    await deleteCredentials(world, staffOf(call))
    return { success: true, message: 'Bot credentials deleted' } as const
  })
}
