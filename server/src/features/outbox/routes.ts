// Where news reaches people, and what waits to go out, over HTTP.

import { adminOutboxContract, notificationsContract as contract } from '@redpack/contract'
import { command } from '../../adapters/http/command.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { askToVerify, changeSettings, unsubscribe, verifyAddress } from './own-settings.ts'
import { sendAgain } from './send-again.ts'
import { notificationsOf, outboxPage } from './views.ts'

export function registerOutbox(context: FeatureContext): void {
  const { app, deps, guards } = context
  const settingsOf = (userId: number) => notificationsOf(deps.db, userId, deps.mailer.isSetUp)

  serve(app, guards, contract.read, ({ actor }) => settingsOf(actor.userId))
  serve(app, guards, contract.update, async ({ actor, body }) => {
    const { channels, preferences, quietHours } = body
    const change = { forgetsAddress: channels?.email === null, preferences, quietHours }
    await deps.db.transaction((tx) => changeSettings(tx, actor.userId, change, deps.clock.now()))
    return settingsOf(actor.userId)
  })
  serve(app, guards, contract.verifyEmail, async ({ actor, body }) => {
    await askToVerify(deps, actor.userId, body.address)
    return settingsOf(actor.userId)
  })
  serve(app, guards, contract.verify, async ({ query, reply }) => {
    const isProven = await verifyAddress(deps, query.token)
    return reply.redirect(`/notifications?result=${isProven ? 'verified' : 'expired'}`, 302)
  })
  serve(app, guards, contract.unsubscribe, async ({ query }) => {
    await unsubscribe(deps, query.token)
    return { success: true, message: 'No more mails are sent to you' } as const
  })
  serve(app, guards, contract.unsubscribePage, async ({ query, reply }) =>
    reply.redirect(`/notifications?unsubscribe=${encodeURIComponent(query.token)}`, 302),
  )

  serve(app, guards, adminOutboxContract.list, ({ query }) => outboxPage(deps.db, query))
  command(context, adminOutboxContract.again, {
    order: ({ params }) => params.id,
    run: sendAgain,
  })
}
