// The public log over HTTP.

import { adminLogContract, drawLogContract } from '@redpack/contract'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { ReadyAnswers, sendReady } from '../../adapters/http/ready-answers.ts'
import { logCatchUp } from './catch-up.ts'
import { logProofOf } from './log-proof.ts'
import { registerLogTiles } from './log-routes.ts'
import { servedKey } from './log-views.ts'
import { logState } from './state-views.ts'
import { observed } from './views.ts'

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
  const { app, world, guards } = context
  const catchUp = logCatchUp(world)
  const ready = new ReadyAnswers<'observed'>(world, { isStaleAfter: () => false, entriesMax: 1 })

  registerLogTiles(context)
  serve(app, guards, drawLogContract.observed, async ({ request, reply }) => {
    const build = async () => {
      await catchUp()
      return observed(world.db)
    }
    return sendReady(request, reply, await ready.get('observed', build))
  })
  serve(app, guards, adminLogContract.state, async () => {
    const { signer, witnesses, discordChannelId } = world.publicLog
    const publicKey = signer && Buffer.from(signer.publicKey).toString('hex')
    const settings = { publicKey, key: await servedKey(world.db), witnesses, discordChannelId }
    return logState(world.db, settings, world.clock.now())
  })
  return { catchUp, proofOf: (requestId, offset) => logProofOf(world.db, requestId, offset) }
}
