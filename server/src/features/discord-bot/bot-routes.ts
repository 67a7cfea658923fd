// The Discord bot's whitelist, settings and test post over HTTP.

import { adminBotsContract as contract } from '@redpack/contract'
import type { Queryable } from '../../adapters/db/database.ts'
import { command, withAnswer, withSentence } from '../../adapters/http/command.ts'
import { serve, staffMember } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { invariant } from '../../shared/domain-error.ts'
import { addServer, checkServer, removeServer, saveSettings } from './bot-settings.ts'
import { sendTestClaim } from './posts.ts'
import { botProblem } from './send-post.ts'
import { botSettings, discordServer, discordServerList } from './views.ts'

export function registerDiscordBot(context: FeatureContext): void {
  const { app, deps, guards } = context
  const settings = async (db: Queryable = deps.db) =>
    botSettings(db, {
      hasToken: deps.discord.hasToken,
      problem: await botProblem({ ...deps, db }),
      now: deps.clock.now(),
    })
  serve(app, guards, contract.servers, () => discordServerList(deps.db))
  command(context, contract.addServer, {
    order: ({ body }) => body,
    prepare: (server) => checkServer(deps, server),
    run: async (tx, by, server, check) => {
      const done = await addServer(tx, by, server, check)
      const added = await discordServer(tx, done.answer)
      invariant(added !== undefined, 'a server that was just added is there')
      return withAnswer(done, added)
    },
  })
  command(context, contract.removeServer, {
    order: ({ params }) => params.id,
    run: async (tx, by, id) =>
      withSentence(await removeServer(tx, by, id), 'Discord server removed'),
  })
  serve(app, guards, contract.settings, () => settings())
  command(context, contract.saveSettings, {
    order: ({ body }) => body,
    run: async (tx, by, change) =>
      withAnswer(await saveSettings(tx, by, change), await settings(tx)),
  })
  // Its post is planned, sent and recorded in transactions of their own.
  serve(app, guards, contract.testClaim, async (call) => {
    const messageId = await sendTestClaim(deps, staffMember(call), call.body.channelId)
    return { success: true as const, message: 'Test claim sent', messageId }
  })
}
