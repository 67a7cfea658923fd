// The caller's own history over HTTP.

import { historyContract } from '@redpack/contract'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { csvType, sendFile } from '../../adapters/http/streamed-answer.ts'
import { redCoinFile, redCoinHistory } from './views.ts'

const csvFile = { type: csvType, fileName: 'redcoin-history.csv' }

export function registerHistory({ app, world, guards }: FeatureContext): void {
  serve(app, guards, historyContract.redCoin, ({ actor, query }) =>
    redCoinHistory(world.db, actor.userId, query),
  )
  serve(app, guards, historyContract.redCoinFile, async ({ actor, query, reply }) =>
    sendFile(reply, csvFile, redCoinFile(world.db, actor.userId, query.type)),
  )
}
