// Fairness over HTTP: draws and the public log.

import {
  adminLogContract,
  type DeliveriesResponse,
  deliveryRecordContract,
  drawLogContract,
  fairnessContract,
  type ObservedResponse,
} from '@redpack/contract'
import { tilePath, tileWidth } from '@redpack/fair/tree'
import type { FastifyReply } from 'fastify'
import { bytesCache, immutableBytes, sendBytes } from '../../adapters/http/conditional-get.ts'
import { SerializedAnswer, serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { ResponseCache } from '../../adapters/http/response-cache.ts'
import { existing } from '../../shared/domain-error.ts'
import { showChain } from './chains.ts'
import {
  fairOpenings,
  noEntries,
  observed,
  oddsOf,
  oddsTableText,
  openingProof,
} from './draw-views.ts'
import { deliveries, logHead, logState, stepsInLog, tileBytes, tileIn } from './log-views.ts'
import { logProofOf, newestNote, proofsOf, servedKey } from './public-log.ts'

export function registerFairness({ app, deps, guards }: FeatureContext): void {
  serve(app, guards, fairnessContract.odds, ({ params }) => oddsOf(deps.db, params.id))
  serve(app, guards, fairnessContract.chain, ({ actor }) => showChain(deps, actor.userId))
  serve(app, guards, fairnessContract.openings, ({ actor, query }) =>
    fairOpenings(deps.db, actor.userId, query.page, query.limit),
  )
  serve(app, guards, fairnessContract.proof, async ({ actor, params }) => {
    const proof = await openingProof(deps.db, actor.userId, params.id)
    const { requestId, position } = proof.opening
    const log = await logProofOf(deps.db, requestId)
    const told = await stepsInLog(deps.db, requestId, position)
    return { ...proof, log, ...(told.length > 0 && { steps: await proofsOf(deps.db, told) }) }
  })
  serve(app, guards, fairnessContract.table, async ({ params }) => {
    // Named by its content, so it can never change.
    const headers = { 'cache-control': forEver }
    return new SerializedAnswer(await oddsTableText(deps.db, params.hash), headers)
  })
}

const keptBytesMax = 16_777_216
/** The newest checkpoint changes every few seconds, and it alone. */
const brief = 'public, max-age=2'
/** A full tile never changes. */
const forEver = 'public, max-age=31536000, immutable'
/** Nor does a partial one of this width, but once the tree has grown nobody asks for it again. */
const forAnHour = 'public, max-age=3600, immutable'

export function registerDrawLog({ app, deps, guards }: FeatureContext): void {
  const kept = bytesCache(keptBytesMax)
  const options = { isStaleAfter: () => false, entriesMax: 1 }
  const ready = new ResponseCache<'observed', ObservedResponse>(deps, options)
  const counted = new ResponseCache<'deliveries', DeliveriesResponse>(deps, options)

  const known = noEntries()
  serve(app, guards, drawLogContract.observed, () =>
    ready.get('observed', () => observed(deps.db, known)),
  )
  serve(app, guards, deliveryRecordContract.deliveries, () =>
    counted.get('deliveries', () => deliveries(deps.db, deps.clock.now())),
  )
  serve(app, guards, adminLogContract.state, async () => {
    const settings = { ...deps.publicLog, key: await servedKey(deps.db) }
    return logState(deps.db, settings, deps.clock.now())
  })
  const texts = [
    { endpoint: drawLogContract.checkpoint, what: 'checkpoint', read: newestNote, end: '' },
    { endpoint: drawLogContract.key, what: 'key', read: servedKey, end: '\n' },
  ]
  for (const { endpoint, what, read, end } of texts) {
    serve(app, guards, endpoint, async ({ reply }) => {
      const text = existing(await read(open(reply).db), `The log has no ${what} yet`)
      reply.header('cache-control', brief).type('text/plain; charset=utf-8')
      return reply.send(text + end)
    })
  }
  serve(app, guards, drawLogContract.tile, async ({ params, request, reply }) => {
    const { db } = open(reply)
    const head = await logHead(db)
    const tile = tileIn(Object.values(params).join('/'), head.size)
    const isFull = tile.width === tileWidth
    const name = `${head.log} ${tilePath(tile)}`
    let bytes = isFull ? kept.get(name) : undefined
    if (bytes === undefined) {
      bytes = await immutableBytes(await tileBytes(db, tile), tile.level === 'entries')
      if (isFull && head.log > 0) kept.set(name, bytes)
    }
    reply.header('cache-control', isFull ? forEver : forAnHour)
    return sendBytes(request, reply, bytes)
  })

  /** Pages of other sites may read the log, and what they are refused too. */
  function open(reply: FastifyReply) {
    reply.headers({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
    return deps
  }
}
