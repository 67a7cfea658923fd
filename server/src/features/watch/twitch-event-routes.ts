// Twitch's webhook: the sender is proven before anything of the body is believed.

import { systemContract } from '@redpack/contract'
import type { FastifyRequest } from 'fastify'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { receiveEvent } from './receive-event.ts'

export function registerTwitchEvents({ app, deps, guards }: FeatureContext): void {
  void app.register(async (scope) => {
    // The signature covers the bytes as they came, so they must not be parsed before it is checked.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
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
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
  }
}
