// Fairness over HTTP.

import { fairnessContract } from '@redpack/contract'
import { SerializedAnswer, serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { type CatchUpLog, chooseClientSeed, currentSeedsOf, rotateSeeds } from './choose-seeds.ts'
import { fairOpenings, oddsOf, oddsTableText, openingProof } from './draw-views.ts'

const forEver = { 'cache-control': 'public, max-age=31536000, immutable' }

/** What the public log does for proofs and new seeds. */
interface PublicLog {
  readonly catchUp: CatchUpLog
  /** Null until the opening is appended and a checkpoint covers it. */
  readonly proofOf: (requestId: string, offsetInRequest: number) => Promise<string | null>
}

export function registerFairness({ app, deps, guards }: FeatureContext, drawLog: PublicLog): void {
  serve(app, guards, fairnessContract.odds, ({ params }) => oddsOf(deps.db, params.id))
  serve(app, guards, fairnessContract.seeds, ({ actor }) =>
    currentSeedsOf(deps, actor.userId, drawLog.catchUp),
  )
  serve(app, guards, fairnessContract.changeClientSeed, ({ actor, body }) =>
    chooseClientSeed(deps, actor.userId, body.clientSeed),
  )
  serve(app, guards, fairnessContract.rotate, ({ actor, body }) =>
    rotateSeeds(deps, actor.userId, body.clientSeed),
  )
  serve(app, guards, fairnessContract.openings, ({ actor, query }) =>
    fairOpenings(deps.db, actor.userId, query.page, query.limit),
  )
  serve(app, guards, fairnessContract.proof, async ({ actor, params }) => {
    const { proof, ...place } = await openingProof(deps.db, actor.userId, params.id)
    return { ...proof, log: await drawLog.proofOf(place.requestId, place.offsetInRequest) }
  })
  // Named by its content, so it can never change.
  serve(
    app,
    guards,
    fairnessContract.table,
    async ({ params }) => new SerializedAnswer(await oddsTableText(deps.db, params.hash), forEver),
  )
}
