// Builds the application from its world: every feature registered by name. It never listens.

import type { FastifyInstance } from 'fastify'
import { discordAccountLink } from './adapters/discord/account-link.ts'
import type { FeatureContext } from './adapters/http/feature-context.ts'
import { openLimiters, requestLimits } from './adapters/http/limiter.ts'
import { createHttpServer } from './adapters/http/server.ts'
import { answerUnknownPaths } from './adapters/http/unknown-paths.ts'
import { argon2Passwords } from './adapters/passwords/passwords.ts'
import { twitchIdentity } from './adapters/twitch/identity.ts'
import type { World } from './adapters/world.ts'
import { createGuards } from './features/auth/guards.ts'
import { registerAuth } from './features/auth/routes.ts'
import { registerClaims } from './features/claims/routes.ts'
import { registerCoins } from './features/coins/routes.ts'
import { registerTheme } from './features/theme/routes.ts'
import { registerUsers } from './features/users/routes.ts'
import { registerWatch } from './features/watch/routes.ts'
import { mountSandboxWhenOn } from './sandbox-mount.ts'

/** The whole product behind HTTP, ready to listen or to be called by injection. */
export async function buildApp(
  world: World,
  /** Runs the jobs that are due by the world's clock; the sandbox asks for it after moving time. */
  runDueJobs: () => Promise<void> = async () => undefined,
): Promise<FastifyInstance> {
  const app = await createHttpServer(world)
  const limiters = await openLimiters(world)
  app.addHook('onClose', () => limiters.close())
  const limits = requestLimits(limiters)
  const guards = createGuards(world, limits)
  answerUnknownPaths(app, limits)
  registerAuth({
    app,
    world,
    guards,
    limiters,
    twitch: twitchIdentity(world.config.twitch, world.clock),
    discord: discordAccountLink(world.config.discord),
    passwords: argon2Passwords,
    onFirstSignIn: async () => undefined,
  })
  const context: FeatureContext = { app, world, guards }
  registerUsers(context)
  registerClaims(context)
  registerCoins(context)
  registerTheme(context)
  registerWatch(context)
  await mountSandboxWhenOn(app, world, runDueJobs)
  return app
}
