// Where news reaches people, and what waits to go out, over HTTP.

import { adminOutboxContract, notificationsContract as contract } from '@redpack/contract'
import { command, withAnswer } from '../../adapters/http/command.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { channelsOf } from './deliver.ts'
import { newsPreviews } from './mail-texts.ts'
import {
  addDevice,
  askToVerify,
  changeSettings,
  forgetDevice,
  unsubscribe,
  verifyAddress,
} from './own-settings.ts'
import { saveSentence, sendAgain } from './send-again.ts'
import { notificationsOf, outboxPage } from './views.ts'

export function registerOutbox(context: FeatureContext): void {
  const { app, deps, guards } = context
  const settingsOf = (userId: number) =>
    notificationsOf(deps.db, userId, channelsOf(deps), deps.clock.now())

  serve(app, guards, contract.read, ({ actor }) => settingsOf(actor.userId))
  serve(app, guards, contract.update, async ({ actor, body }) => {
    await deps.db.transaction((tx) => changeSettings(tx, actor.userId, body))
    return settingsOf(actor.userId)
  })
  serve(app, guards, contract.verifyEmail, async ({ actor, body }) => {
    await askToVerify(deps, actor.userId, body.address)
    return settingsOf(actor.userId)
  })
  serve(app, guards, contract.pushKey, async () => ({ publicKey: deps.pusher.publicKey ?? null }))
  serve(app, guards, contract.addDevice, async ({ actor, body, request }) => {
    await addDevice(deps, actor, body, request.headers['user-agent'])
    return settingsOf(actor.userId)
  })
  serve(app, guards, contract.forgetDevice, async ({ actor, body }) => {
    await forgetDevice(deps.db, actor.userId, body)
    return settingsOf(actor.userId)
  })
  serve(app, guards, contract.verify, async ({ query }) => {
    await verifyAddress(deps, query.token)
    return { success: true, message: 'Your address is confirmed' } as const
  })
  serve(app, guards, contract.unsubscribe, async ({ query }) => {
    await unsubscribe(deps, query.token)
    return { success: true, message: 'You will get no more emails from us' } as const
  })
  // Mail gateways open every link: these change nothing.
  for (const purpose of ['verify', 'unsubscribe'] as const) {
    serve(app, guards, contract[`${purpose}Page`], async ({ query, reply }) =>
      reply.redirect(`/notifications?${purpose}=${encodeURIComponent(query.token)}`, 302),
    )
  }

  serve(app, guards, adminOutboxContract.list, ({ query }) => outboxPage(deps.db, query))
  serve(app, guards, adminOutboxContract.kinds, () => newsPreviews(deps.db, deps))
  command(context, adminOutboxContract.saveSentence, {
    order: ({ params, body }) => [params.kind, body] as const,
    run: async (tx, by, [kind, change]) =>
      withAnswer(await saveSentence(tx, by, kind, change), await newsPreviews(tx, deps)),
  })
  command(context, adminOutboxContract.again, {
    order: ({ params }) => params.id,
    run: sendAgain,
  })
}
