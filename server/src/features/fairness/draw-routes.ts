// Fairness over HTTP: draws and the public log.

import { adminLogContract, drawLogContract, fairnessContract } from '@redpack/contract'
import { SerializedAnswer, serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { ResponseCache, sendReady } from '../../adapters/http/response-cache.ts'
import { fairOpenings, oddsOf, oddsTableText, openingProof } from './draw-views.ts'
import { logProofOf, servedKey } from './log-proof.ts'
import { logState } from './log-state-views.ts'
import { observed } from './observed-views.ts'
import { showChain } from './show-chain.ts'
import { registerLogTiles } from './tile-routes.ts'

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

/** The public log, and how staff see it. */
export function registerDrawLog(context: FeatureContext): void {
  const { app, deps, guards } = context
  const ready = new ResponseCache<'observed'>(deps, { isStaleAfter: () => false, entriesMax: 1 })

  registerLogTiles(context)
  serve(app, guards, drawLogContract.observed, async ({ request, reply }) => {
    const build = () => observed(deps.db)
    return sendReady(request, reply, await ready.get('observed', build))
  })
  serve(app, guards, adminLogContract.state, async () => {
    const { signer, witnesses, discordChannelId } = deps.publicLog
    const publicKey = signer && Buffer.from(signer.publicKey).toString('hex')
    const settings = { publicKey, key: await servedKey(deps.db), witnesses, discordChannelId }
    return logState(deps.db, settings, deps.clock.now())
  })
}
