// The public log over HTTP.

import { adminLogContract, drawLogContract } from '@redpack/contract'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { ResponseCache, sendReady } from '../../adapters/http/response-cache.ts'
import { logState } from './log-state-views.ts'
import { observed } from './observed-views.ts'
import { registerLogTiles } from './tile-routes.ts'
import { servedKey } from './tile-views.ts'

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
