// Streams as staff keep them, over HTTP, under both prefixes; and Twitch's webhook, whose sender is
// proven before anything of the body is believed.

import {
  type AdminStream,
  adminStreamsContract as contract,
  systemContract,
} from '@redpack/contract'
import type { FastifyRequest } from 'fastify'
import type { Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import { command, withAnswer, withSentence } from '../../adapters/http/command.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { bytesOf, leaveBytes } from '../../adapters/http/json-body.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { receiveEvent } from './live.ts'
import { adminStreamRewards, adminStreams, adminStreamWith } from './stream-views.ts'
import {
  changeStream,
  createStream,
  deleteStream,
  restoreStream,
  setLive,
  toggleStream,
} from './streams.ts'

/** The change, answered with the stream as it is then. */
async function shown(
  tx: Queryable,
  id: number,
  outcome: Outcome<unknown>,
): Promise<Outcome<AdminStream>> {
  return withAnswer(outcome, await adminStreamWith(tx, id))
}

export function registerStreams(context: FeatureContext): void {
  const { app, deps, guards } = context
  serve(app, guards, contract.list, () => adminStreams(deps.db))
  command(context, contract.create, {
    order: ({ body }) => body,
    run: async (tx, by, order) => {
      const created = await createStream(tx, by, order)
      return shown(tx, created.answer, created)
    },
  })
  command(context, contract.update, {
    order: ({ params, body }) => [params.id, body] as const,
    run: async (tx, by, [id, change]) => shown(tx, id, await changeStream(tx, by, id, change)),
  })
  command(context, contract.toggle, {
    order: ({ params, body }) => [params.id, body.isActive] as const,
    run: async (tx, by, [id, wished]) => shown(tx, id, await toggleStream(tx, by, id, wished)),
  })
  command(context, contract.remove, {
    order: ({ params }) => params.id,
    run: async (tx, by, id) => withSentence(await deleteStream(tx, by, id), 'Stream deleted'),
  })
  command(context, contract.restore, {
    order: ({ params }) => params.id,
    run: async (tx, by, id) => shown(tx, id, await restoreStream(tx, by, id)),
  })
  serve(app, guards, contract.rewards, ({ params }) => adminStreamRewards(deps.db, params.id))
  command(context, contract.setLive, {
    order: ({ params, body: { isLive, currentStreamId } }) =>
      [params.id, { isLive, streamId: currentStreamId ?? undefined }] as const,
    run: async (tx, by, [id, live]) =>
      shown(tx, id, await setLive(tx, by, id, live, deps.random.uuidInOrder())),
  })
}

export function registerTwitchEvents({ app, deps, guards }: FeatureContext): void {
  void app.register(async (scope) => {
    // The signature covers the bytes as they came, so they must not be parsed before it is checked.
    leaveBytes(scope)
    serve(scope, guards, systemContract.twitchEventSub, async ({ request, reply }) => {
      const outcome = await receiveEvent(deps, messageOf(request))
      if (outcome.kind === 'forged') {
        throw new DomainError('forbidden', 'The message signature is not valid')
      }
      const text = outcome.kind === 'challenge' ? outcome.text : ''
      return reply.type('text/plain').send(text)
    })
  })
}

function messageOf(request: FastifyRequest) {
  const header = (name: string) => {
    const value = request.headers[`twitch-eventsub-${name}`]
    return typeof value === 'string' ? value : ''
  }
  return {
    id: header('message-id'),
    timestamp: header('message-timestamp'),
    signature: header('message-signature'),
    type: header('message-type'),
    subscriptionType: header('subscription-type'),
    body: bytesOf(request),
  }
}
