// Mounts the sandbox when the mode is on, and gives it the parts that it may control.

import type { FastifyInstance } from 'fastify'
import type { MovableClock } from '../adapters/clock/clock.ts'
import type { Deps } from '../adapters/deps.ts'
import { isLocalCaller } from '../adapters/http/caller-address.ts'
import { isOwnOrigin } from '../adapters/http/security-headers.ts'
import type { LoadedRandom } from '../adapters/random/random.ts'
import type { Config } from '../config/config.ts'
import { demoStreams } from '../demo/catalogue.ts'
import { demoViewers } from '../demo/viewers.ts'
import { invariant } from '../shared/domain-error.ts'

/** What the control calls of the sandbox move. */
export interface MovableParts {
  readonly clock: MovableClock
  readonly dice: Pick<LoadedRandom, 'load' | 'reset'>
  readonly runDueJobs: () => Promise<void>
}

/** Mounts the stand-ins when the mode is on and this process is the one that has them. */
export async function mountSandboxWhenOn(
  app: FastifyInstance,
  { config, clock, random }: Pick<Deps, 'config' | 'clock' | 'random'>,
  runDueJobs: () => Promise<void>,
): Promise<void> {
  if (!config.sandbox) return
  invariant(isMovable(clock), 'the clock of a sandbox can be moved')
  invariant(isLoaded(random), 'the dice of a sandbox can be loaded')
  await mountStandIns(app, config, { clock, dice: random, runDueJobs })
}

/** Loads the stand-ins only here, so that a product without them does not carry their code. */
export async function mountStandIns(
  app: FastifyInstance,
  config: Config,
  parts: MovableParts,
): Promise<void> {
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
    ...parts,
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
