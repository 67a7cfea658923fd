// Builds the application from its dependencies: every feature registered by name. It never listens.

import { realtimePath } from '@redpack/contract'
import type { FastifyInstance, FastifyServerFactory } from 'fastify'
import type { Deps } from './adapters/deps.ts'
import { ConditionalGet } from './adapters/http/conditional-get.ts'
import { ConnectionHub, serveConnections } from './adapters/http/connection-hub.ts'
import type { FeatureContext } from './adapters/http/feature-context.ts'
import { openLimiters, requestLimits } from './adapters/http/limiter.ts'
import { answerUnknownPaths, createHttpServer } from './adapters/http/server.ts'
import { forwardToStandIns, type StandInsAddress } from './adapters/http/stand-ins-forwarding.ts'
import { serveSite } from './adapters/http/static-site.ts'
import type { Siblings } from './adapters/processes/sibling-processes.ts'
import { welcomeNewcomer } from './demo/welcome.ts'
import { createGuards } from './features/account/guards.ts'
import { registerLocalSignIn, registerSecondFactor } from './features/account/local-account.ts'
import type { OnFirstSignIn } from './features/account/provider-sign-in.ts'
import { registerAuth } from './features/account/routes.ts'
import { registerAudit } from './features/audit/routes.ts'
import { recordStaffAction } from './features/audit/tables.ts'
import { registerBooks } from './features/books/routes.ts'
import { registerImages } from './features/catalogue/images.ts'
import { registerAdminStore } from './features/catalogue/listings.ts'
import { registerPackTypes } from './features/catalogue/pack-types.ts'
import { registerPrizeCodes } from './features/catalogue/prize-codes.ts'
import { registerPrizes } from './features/catalogue/prizes.ts'
import { registerClaimChanges } from './features/claims/change-claims.ts'
import { registerShipmentChanges } from './features/claims/change-shipments.ts'
import { registerDeliveries } from './features/claims/deliveries.ts'
import { registerAdminClaims, registerClaims } from './features/claims/routes.ts'
import { registerShipments } from './features/claims/shipment-routes.ts'
import { registerDiscordBot } from './features/discord-bot/bot-settings.ts'
import { registerDiscordInteractions } from './features/discord-bot/interaction-routes.ts'
import { registerDrawLog, registerFairness } from './features/fairness/draw-routes.ts'
import { registerBatches } from './features/grants/batches.ts'
import { registerGrants } from './features/grants/distribute.ts'
import { registerReceipts } from './features/grants/routes.ts'
import { registerCoins } from './features/ledger/routes.ts'
import { registerOutbox } from './features/outbox/routes.ts'
import { registerOpening } from './features/packs/open-packs.ts'
import { registerPurchases } from './features/packs/purchase-packs.ts'
import { registerPacks } from './features/packs/routes.ts'
import { registerOwnAccount } from './features/people/own-account.ts'
import { registerPeople } from './features/people/routes.ts'
import { registerStanding } from './features/people/standing.ts'
import { registerUserChanges } from './features/people/user-changes.ts'
import { registerServer } from './features/server/server-routes.ts'
import { registerTheme } from './features/settings/theme.ts'
import { registerChatBot } from './features/twitch-bot/credentials.ts'
import { registerTwitchEvents } from './features/watch/live.ts'
import { registerWatch } from './features/watch/session-routes.ts'
import { registerStreams } from './features/watch/streams.ts'
import { registerHeartbeat } from './features/watch/watch-sessions.ts'
import { productJobs } from './jobs.ts'
import { mountSandboxWhenOn } from './process/sandbox-mount.ts'

export interface AppOptions {
  /** Runs the jobs that are due by its clock; the sandbox asks for it after moving time. */
  readonly runDueJobs?: () => Promise<void>
  /** Folder of the built web application; without it only calls are answered. */
  readonly siteFolder?: string
  /** Where to serve; a server of its own otherwise. */
  readonly serverFactory?: FastifyServerFactory
  /** The other processes on this port, where there are some. */
  readonly siblings?: Siblings | undefined
  /** The process that has the stand-ins of the sandbox; in this one otherwise. */
  readonly standIns?: StandInsAddress | undefined
}

/** The whole product behind HTTP, ready to listen or to be called by injection. */
export async function buildApp(deps: Deps, options: AppOptions = {}): Promise<FastifyInstance> {
  const { runDueJobs = async () => undefined, siteFolder, serverFactory, siblings } = options
  const app = await createHttpServer(deps, serverFactory)
  const limiters = await openLimiters(deps, siblings?.points)
  app.addHook('onClose', () => limiters.close())
  const limits = requestLimits(limiters)
  const guards = createGuards(deps, limits)
  answerUnknownPaths(app, limits)
  const changing = new ConditionalGet(deps.db)
  const context: FeatureContext = {
    app,
    deps,
    guards,
    changing,
    recordAction: recordStaffAction,
  }
  const { renewSession, withdrawDiscord } = registerAuth(context, welcomeWithPacks(deps))
  const connections = new ConnectionHub()
  registerServer(context, {
    limiter: () => limiters.figures(),
    connections: () => connections.figures(),
    books: () => books.figures(),
    jobNames: productJobs().map(({ name }) => name),
    siblings,
  })
  registerDrawLog(context)
  registerOpening(context, registerPacks(context))
  registerFairness(context)
  registerPurchases(context)
  registerGrants(context)
  registerBatches(context)
  registerReceipts(context)
  const books = registerBooks(context)
  registerAudit(context)
  registerPeople(context)
  registerUserChanges(context, renewSession)
  registerStanding(context)
  registerAdminClaims(context)
  registerClaimChanges(context)
  registerLocalSignIn(context, limiters)
  registerSecondFactor(context, limiters)
  registerOwnAccount(context)
  registerOutbox(context)
  registerClaims(context)
  registerDeliveries(context)
  registerShipments(context)
  registerShipmentChanges(context)
  registerCoins(context)
  const savedPalette = registerTheme(context)
  registerImages(context)
  registerPrizes(context)
  registerPrizeCodes(context)
  registerPackTypes(context)
  registerAdminStore(context)
  registerWatch(context)
  registerHeartbeat(context)
  registerStreams(context)
  registerTwitchEvents(context)
  registerChatBot(context)
  registerDiscordBot(context)
  registerDiscordInteractions(context, withdrawDiscord)
  await serveConnections(context, realtimePath, connections)
  if (options.standIns === undefined) await mountSandboxWhenOn(app, deps, runDueJobs)
  else await forwardToStandIns(app, options.standIns)
  if (siteFolder !== undefined) await serveSite(app, deps.config, siteFolder, savedPalette)
  return app
}

/** A newcomer of a sandbox with demo content finds packs to open. */
function welcomeWithPacks(deps: Deps): OnFirstSignIn {
  return deps.config.seedDemo
    ? (_deps, tx, userId) => welcomeNewcomer(tx, userId, deps.clock.now())
    : async () => undefined
}
