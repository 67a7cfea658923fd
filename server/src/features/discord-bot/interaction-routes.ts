// Discord's webhooks: the sender is proven before anything of the body is believed.

import { systemContract } from '@redpack/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../adapters/deps.ts'
import type { SignedRequest } from '../../adapters/discord/interactions.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { bytesOf, leaveBytes } from '../../adapters/http/json-body.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { answerLate, handleClick } from './redeem-reward.ts'

/** Discord gives up after 3 s. What is not ready by now is announced and sent later. */
const patienceMillis = 1_500

/** Types of answers in Discord's documentation (interactions/receiving-and-responding). */
const pong = { type: 1 }
const message = 4
const later = 5
const onlyForThem = 64

/** Ends the link of a Discord account. */
export type WithdrawDiscord = (deps: Deps, discordUserId: string, at: Date) => Promise<void>

export function registerDiscordInteractions(
  context: FeatureContext,
  withdrawDiscord: WithdrawDiscord,
): void {
  void context.app.register(async (scope) => {
    // The signature covers the bytes as they came, so they must not be parsed before it is checked.
    leaveBytes(scope)
    const stop = new AbortController()
    scope.addHook('onClose', async () => stop.abort())
    serve(scope, context.guards, systemContract.discordInteractions, ({ request, reply }) =>
      answer(context, request, reply, stop.signal),
    )
    serve(scope, context.guards, systemContract.discordEvents, async ({ request, reply }) => {
      const { deps } = context
      const event = deps.discord.openEvent(signedRequest(request), deps.clock.now())
      if (event.kind === 'forged') throw forged()
      if (event.kind === 'withdrawn') await withdrawDiscord(deps, event.discordUserId, event.at)
      return reply.code(204).send()
    })
  })
}

async function answer(
  { deps }: FeatureContext,
  request: FastifyRequest,
  reply: FastifyReply,
  stopping: AbortSignal,
) {
  const interaction = deps.discord.openInteraction(signedRequest(request), deps.clock.now())
  if (interaction.kind === 'forged') throw forged()
  if (interaction.kind === 'ping') return pong
  if (interaction.kind === 'other') {
    const content = 'This is not something we can answer.'
    return { type: message, data: deps.discord.privateAnswer({ content }) }
  }
  const handled = handleClick(deps, interaction)
  const inTime = await Promise.race([handled, patience()])
  if (inTime !== undefined) return { type: message, data: deps.discord.privateAnswer(inTime) }
  // Discord knows of no later answer before it has the one that announces it.
  reply.raw.once('close', () => {
    handled
      .then((late) => answerLate(deps, interaction.token, late, stopping))
      .catch((error: unknown) => deps.log.warn({ err: error }, 'a late answer was not delivered'))
  })
  return { type: later, data: { flags: onlyForThem } }
}

function forged(): DomainError {
  return new DomainError('unauthorized', 'The request signature is not valid')
}

function signedRequest(request: FastifyRequest): SignedRequest {
  const header = (name: string) => {
    const value = request.headers[name]
    return typeof value === 'string' ? value : undefined
  }
  return {
    signature: header('x-signature-ed25519'),
    timestamp: header('x-signature-timestamp'),
    body: bytesOf(request),
  }
}

function patience(): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(resolve, patienceMillis, undefined).unref()
  })
}
