// The caller's own history over HTTP.

import { historyContract } from '@redpack/contract'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { csvType, sendFile } from '../../adapters/http/streamed-answer.ts'
import { redCoinFile, redCoinHistory } from './history-views.ts'

const csvFile = { type: csvType, fileName: 'redcoin-history.csv' }

export function registerHistory({ app, deps, guards }: FeatureContext): void {
  serve(app, guards, historyContract.redCoin, ({ actor, query }) =>
    redCoinHistory(deps.db, actor.userId, query),
  )
  serve(app, guards, historyContract.redCoinFile, async ({ actor, query, reply }) =>
    sendFile(reply, csvFile, redCoinFile(deps.db, actor.userId, query.type)),
  )
}
