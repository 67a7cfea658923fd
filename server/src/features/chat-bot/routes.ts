// The Twitch bot's credentials over HTTP.

import { adminBotsContract as contract } from '@redpack/contract'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { staffMember } from '../../adapters/http/staff-call.ts'
import { invariant } from '../../rules/refusal.ts'
import { deleteCredentials, replaceCredentials, shownCredentials } from './manage-credentials.ts'

export function registerChatBot({ app, world, guards }: FeatureContext): void {
  serve(app, guards, contract.credentials, () => shownCredentials(world))
  serve(app, guards, contract.saveCredentials, async (call) => {
    await replaceCredentials(world, staffMember(call), call.body)
    const shown = await shownCredentials(world)
    invariant(shown !== null, 'credentials that were just saved are there')
    return shown
  })
  serve(app, guards, contract.deleteCredentials, async (call) => {
    await deleteCredentials(world, staffMember(call))
    return { success: true, message: 'Bot credentials deleted' } as const
  })
}
