// The Discord bot's whitelist, settings and test post over HTTP.

import { adminBotsContract as contract } from '@redpack/contract'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { staffMember } from '../../adapters/http/staff-call.ts'
import { invariant } from '../../rules/refusal.ts'
import { addServer } from './add-server.ts'
import { botProblem } from './bot-stop.ts'
import { removeServer } from './remove-server.ts'
import { saveSettings } from './save-settings.ts'
import { sendTestClaim } from './send-test-claim.ts'
import { botSettings, discordServer, discordServerList } from './views.ts'

export function registerDiscordBot({ app, world, guards }: FeatureContext): void {
  const settings = async () =>
    botSettings(world.db, {
      hasToken: world.discord.hasToken,
      problem: await botProblem(world),
      now: world.clock.now(),
    })
  serve(app, guards, contract.servers, () => discordServerList(world.db))
  serve(app, guards, contract.addServer, async (call) => {
    const id = await addServer(world, staffMember(call), call.body)
    const added = await discordServer(world.db, id)
    invariant(added !== undefined, 'a server that was just added is there')
    return added
  })
  serve(app, guards, contract.removeServer, async (call) => {
    await removeServer(world, staffMember(call), call.params.id)
    return { success: true as const, message: 'Discord server removed' }
  })
  serve(app, guards, contract.settings, settings)
  serve(app, guards, contract.saveSettings, async (call) => {
    await saveSettings(world, staffMember(call), call.body)
    return settings()
  })
  serve(app, guards, contract.testClaim, async (call) => {
    const messageId = await sendTestClaim(world, staffMember(call), call.body.channelId)
    return { success: true as const, message: 'Test claim sent', messageId }
  })
}
