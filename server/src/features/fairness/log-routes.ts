// The public log over HTTP.

import { adminLogContract, drawLogContract } from '@redpack/contract'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { ResponseCache, sendReady } from '../../adapters/http/response-cache.ts'
import { logCatchUp } from './catch-up-log.ts'
import { logProofOf } from './log-proof.ts'
import { logState } from './log-state-views.ts'
import { observed } from './observed-views.ts'
import { registerLogTiles } from './tile-routes.ts'
import { servedKey } from './tile-views.ts'

/** What other ways in may ask of the log. */
export interface DrawLog {
  /** Appends what is committed and waits, in a bounded number of batches. */
  catchUp(): Promise<void>
  /**
   * The proof (C2SP tlog-proof) that an opening stands in the log; null while it waits or no
   * checkpoint covers it. `offsetInRequest` counts the packs of its request from 0.
   */
  proofOf(requestId: string, offsetInRequest: number): Promise<string | null>
}

export function registerDrawLog(context: FeatureContext): DrawLog {
  const { app, deps, guards } = context
  const catchUp = logCatchUp(deps)
  const ready = new ResponseCache<'observed'>(deps, { isStaleAfter: () => false, entriesMax: 1 })

  registerLogTiles(context)
  serve(app, guards, drawLogContract.observed, async ({ request, reply }) => {
    const build = async () => {
      await catchUp()
      return observed(deps.db)
    }
    return sendReady(request, reply, await ready.get('observed', build))
  })
  serve(app, guards, adminLogContract.state, async () => {
    const { signer, witnesses, discordChannelId } = deps.publicLog
    const publicKey = signer && Buffer.from(signer.publicKey).toString('hex')
    const settings = { publicKey, key: await servedKey(deps.db), witnesses, discordChannelId }
    return logState(deps.db, settings, deps.clock.now())
  })
  return { catchUp, proofOf: (requestId, offset) => logProofOf(deps.db, requestId, offset) }
}
