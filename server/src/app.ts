// Builds the application from its world: every feature registered by name. It never listens.

import type { FastifyInstance, FastifyServerFactory } from 'fastify'
import { discordAccountLink } from './adapters/discord/account-link.ts'
import { ChangingAnswers } from './adapters/http/changing-answers.ts'
import type { FeatureContext } from './adapters/http/feature-context.ts'
import { openLimiters, requestLimits } from './adapters/http/limiter.ts'
import { PageHub } from './adapters/http/page-hub.ts'
import { createHttpServer } from './adapters/http/server.ts'
import { serveSite } from './adapters/http/static-site.ts'
import { answerUnknownPaths } from './adapters/http/unknown-paths.ts'
import { openBucket } from './adapters/images/bucket.ts'
import { openImages } from './adapters/images/images.ts'
import { timedCodes } from './adapters/one-time-codes/one-time-codes.ts'
import { argon2Passwords } from './adapters/passwords/passwords.ts'
import { openSimulator } from './adapters/simulation/simulator.ts'
import { twitchIdentity } from './adapters/twitch/identity.ts'
import type { World } from './adapters/world.ts'
import { welcomeNewcomer } from './demo/seed.ts'
import { registerAudit } from './features/audit/routes.ts'
import { createGuards } from './features/auth/guards.ts'
import { registerAuth } from './features/auth/routes.ts'
import type { OnFirstSignIn } from './features/auth/sign-in-with-twitch.ts'
import { registerDiscordBot } from './features/bots/discord-routes.ts'
import { registerDiscordInteractions } from './features/bots/interaction-routes.ts'
import { registerChatBot } from './features/chat-bot/routes.ts'
import { registerAdminClaims } from './features/claims/admin-routes.ts'
import { registerClaims } from './features/claims/routes.ts'
import { registerCoins } from './features/coins/routes.ts'
import { registerDelivery } from './features/delivery/routes.ts'
import { registerDrawLog } from './features/draw-log/routes.ts'
import { registerEconomy } from './features/economy/routes.ts'
import { registerFairness } from './features/fairness/routes.ts'
import { registerBatches } from './features/grants/batch-routes.ts'
import { registerGrants } from './features/grants/routes.ts'
import { registerHistory } from './features/history/routes.ts'
import { registerImages } from './features/images/routes.ts'
import { registerJobs } from './features/jobs/routes.ts'
import { registerNotes } from './features/notes/routes.ts'
import { registerNotices } from './features/notices/routes.ts'
import { registerOverview } from './features/overview/routes.ts'
import { registerPackTypes } from './features/pack-types/routes.ts'
import { registerPacks } from './features/packs/routes.ts'
import { registerPrivacy } from './features/privacy/routes.ts'
import { registerPrizes } from './features/prizes/routes.ts'
import { registerRealtime } from './features/realtime/routes.ts'
import { registerSecondFactor } from './features/second-factor/routes.ts'
import { registerServer } from './features/server/routes.ts'
import { registerAdminStore } from './features/store/admin-routes.ts'
import { registerStore } from './features/store/routes.ts'
import { registerTwitchEvents } from './features/streams/event-routes.ts'
import { registerStreams } from './features/streams/routes.ts'
import { registerTheme } from './features/theme/routes.ts'
import { registerAdminUsers } from './features/users/admin-routes.ts'
import { registerUsers } from './features/users/routes.ts'
import { registerWalletProof } from './features/users/wallet-routes.ts'
import { registerWatch } from './features/watch/routes.ts'
import { productJobs } from './jobs.ts'
import { mountSandboxWhenOn } from './sandbox-mount.ts'

export interface AppOptions {
  /** Runs the jobs that are due by the world's clock; the sandbox asks for it after moving time. */
  readonly runDueJobs?: () => Promise<void>
  /** Folder of the built web application; without it only calls are answered. */
  readonly siteFolder?: string
  /** Where to serve; a server of its own otherwise. */
  readonly serverFactory?: FastifyServerFactory
}

/** The whole product behind HTTP, ready to listen or to be called by injection. */
export async function buildApp(
  world: World,
  { runDueJobs = async () => undefined, siteFolder, serverFactory }: AppOptions = {},
): Promise<FastifyInstance> {
  const app = await createHttpServer(world, serverFactory)
  const limiters = await openLimiters(world)
  app.addHook('onClose', () => limiters.close())
  const limits = requestLimits(limiters)
  const guards = createGuards(world, limits)
  answerUnknownPaths(app, limits)
  const { renewSession } = registerAuth({
    app,
    world,
    guards,
    limiters,
    twitch: twitchIdentity(world.config.twitch, world.clock),
    discord: discordAccountLink(world.config.discord),
    passwords: argon2Passwords,
    codes: timedCodes,
    onFirstSignIn: welcomeWithPacks(world),
  })
  const changing = new ChangingAnswers(world.db)
  const context: FeatureContext = { app, world, guards, changing }
  const pages = new PageHub()
  registerServer(context, {
    limiter: () => limiters.figures(),
    pages: () => pages.figures(),
    books: () => overview.booksFigures(),
    jobNames: productJobs().map(({ name }) => name),
  })
  const drawLog = registerDrawLog(context)
  registerPacks(context, drawLog.catchUp)
  registerFairness(context, drawLog)
  registerStore(context)
  registerGrants(context)
  registerBatches(context)
  const overview = registerOverview(context)
  registerJobs(context)
  registerAudit(context)
  registerAdminUsers(context, renewSession)
  registerAdminClaims(context)
  registerNotes(context)
  registerSecondFactor(context, limiters, timedCodes)
  registerUsers(context)
  registerWalletProof(context)
  registerPrivacy(context)
  registerClaims(context)
  registerDelivery(context)
  registerCoins(context)
  registerHistory(context)
  registerNotices(context)
  const savedPalette = registerTheme(context)
  const images = openImages()
  const { bucket } = world.config
  registerImages(context, { images, bucket: bucket && openBucket(bucket) })
  registerPrizes(context, images)
  registerPackTypes(context, images)
  registerAdminStore(context)
  registerEconomy(context, openSimulator())
  registerWatch(context)
  registerStreams(context)
  registerTwitchEvents(context)
  registerChatBot(context)
  registerDiscordBot(context)
  registerDiscordInteractions(context)
  await registerRealtime(context, pages)
  await mountSandboxWhenOn(app, world, runDueJobs)
  if (siteFolder !== undefined) await serveSite(app, world.config, siteFolder, savedPalette)
  return app
}

/** A newcomer of a sandbox with demo content finds packs to open. */
function welcomeWithPacks(world: World): OnFirstSignIn {
  return world.config.seedDemo
    ? (_world, tx, userId) => welcomeNewcomer(tx, userId, world.clock.now())
    : async () => undefined
}
