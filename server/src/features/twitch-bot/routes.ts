// The Twitch bot's credentials over HTTP.

import { adminBotsContract as contract } from '@redpack/contract'
import { command, withAnswer, withSentence } from '../../adapters/http/command.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { invariant } from '../../shared/domain-error.ts'
import {
  checkCredentials,
  deleteCredentials,
  maskedCredentials,
  replaceCredentials,
} from './credentials.ts'

export function registerChatBot(context: FeatureContext): void {
  const { app, deps, guards } = context
  serve(app, guards, contract.credentials, () => maskedCredentials(deps))
  command(context, contract.saveCredentials, {
    order: ({ body }) => body,
    prepare: (order) => checkCredentials(deps, order),
    run: async (tx, _by, _order, checked) => {
      const done = await replaceCredentials(tx, deps, checked)
      const masked = await maskedCredentials(deps, tx)
      invariant(masked !== null, 'credentials that were just saved are there')
      return withAnswer(done, masked)
    },
  })
  command(context, contract.deleteCredentials, {
    order: () => undefined,
    run: async (tx) => withSentence(await deleteCredentials(tx, deps), 'Bot credentials deleted'),
  })
}
