// Fairness over HTTP.

import { fairnessContract } from '@redpack/contract'
import { SerializedAnswer, serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { fairOpenings, oddsOf, oddsTableText, openingProof } from './draw-views.ts'
import { logProofOf } from './log-proof.ts'
import { showChain } from './show-chain.ts'

const forEver = { 'cache-control': 'public, max-age=31536000, immutable' }

export function registerFairness({ app, deps, guards }: FeatureContext): void {
  serve(app, guards, fairnessContract.odds, ({ params }) => oddsOf(deps.db, params.id))
  serve(app, guards, fairnessContract.chain, ({ actor }) => showChain(deps, actor.userId))
  serve(app, guards, fairnessContract.openings, ({ actor, query }) =>
    fairOpenings(deps.db, actor.userId, query.page, query.limit),
  )
  serve(app, guards, fairnessContract.proof, async ({ actor, params }) => {
    const proof = await openingProof(deps.db, actor.userId, params.id)
    return { ...proof, log: await logProofOf(deps.db, proof.opening.requestId) }
  })
  // Named by its content, so it can never change.
  serve(
    app,
    guards,
    fairnessContract.table,
    async ({ params }) => new SerializedAnswer(await oddsTableText(deps.db, params.hash), forEver),
  )
}
