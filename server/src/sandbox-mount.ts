// Mounts the sandbox when the mode is on, and hands it the parts it may move.

import type { FastifyInstance } from 'fastify'
import type { MovableClock } from './adapters/clock/clock.ts'
import type { Deps } from './adapters/deps.ts'
import { isLocalCaller } from './adapters/http/caller-address.ts'
import { isOwnOrigin } from './adapters/http/hosts.ts'
import type { LoadedRandom } from './adapters/random/random.ts'
import { demoStreams } from './demo/catalogue.ts'
import { demoViewers } from './demo/viewers.ts'
import { invariant } from './shared/domain-error.ts'

/** Loads the stand-ins only here, so that a product without them does not carry their code. */
export async function mountSandboxWhenOn(
  app: FastifyInstance,
  deps: Deps,
  runDueJobs: () => Promise<void>,
): Promise<void> {
  const { config, clock, random } = deps
  if (!config.sandbox) return
  invariant(isMovable(clock), 'the clock of a sandbox can be moved')
  invariant(isLoaded(random), 'the dice of a sandbox can be loaded')
  const { mountSandbox } = await import('@redpack/sandbox')
  await mountSandbox(app, {
    publicUrl: config.publicUrl,
    twitchClient: clientOf(config.twitch),
    discordClient: clientOf(config.discord),
    discordBotToken: config.discord.botToken ?? '',
    viewers: demoViewers.map(({ twitchId, username, displayName, avatar }) => {
      return { id: twitchId, login: username, displayName, avatar }
    }),
    liveChannelIds: demoStreams
      .filter(({ isLive }) => isLive)
      .map(({ twitchChannelId }) => twitchChannelId),
    clock,
    dice: random,
    runDueJobs,
    isLoopback: isLocalCaller,
    isOwnOrigin: (request, origin) => isOwnOrigin(request, config, origin),
  })
}

function isMovable(clock: Deps['clock']): clock is MovableClock {
  return 'advance' in clock
}

function isLoaded(random: Deps['random']): random is LoadedRandom {
  return 'load' in random
}

function clientOf({
  clientId = '',
  clientSecret = '',
}: {
  clientId?: string
  clientSecret?: string
}) {
  return { clientId, clientSecret }
}
