// The public draw log over HTTP.

import { drawLogContract } from '@redpack/contract'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { ReadyAnswers, sendReady } from '../../adapters/http/ready-answers.ts'
import { appendDrawLog } from './append-draw-log.ts'
import { drawLog, observed } from './views.ts'

export function registerDrawLog({ app, world, guards }: FeatureContext): void {
  // One batch for each request at most: a long queue is the background step's work.
  const catchUp = () => appendDrawLog(world, 1)
  const ready = new ReadyAnswers<'observed'>(world, { isStaleAfter: () => false, entriesMax: 1 })

  serve(app, guards, drawLogContract.list, async ({ query }) => {
    await catchUp()
    return drawLog(world.db, query)
  })
  serve(app, guards, drawLogContract.observed, async ({ request, reply }) => {
    const build = async () => {
      await catchUp()
      return observed(world.db)
    }
    return sendReady(request, reply, await ready.get('observed', build))
  })
}
