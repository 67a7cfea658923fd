// Checkpoint, key, tiles and entries of the public log, for whoever keeps watch.

import { drawLogContract } from '@redpack/contract'
import type { FastifyReply } from 'fastify'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { immutableBytes, KeptBytes, sendBytes } from '../../adapters/http/immutable-bytes.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { newestNote, servedKey } from './log-proof.ts'
import { logHead, tileBytes, tileIn } from './tile-views.ts'

const keptBytesMax = 16_777_216
/** The newest checkpoint changes every few seconds, and it alone. */
const brief = 'public, max-age=2'
/** A full tile never changes. */
const forEver = 'public, max-age=31536000, immutable'
/** Nor does a partial one of this width, but once the tree has grown nobody asks for it again. */
const forAnHour = 'public, max-age=3600, immutable'

export function registerLogTiles({ app, deps, guards }: FeatureContext): void {
  const kept = new KeptBytes(keptBytesMax)

  serve(app, guards, drawLogContract.checkpoint, async ({ reply }) => {
    const note = await newestNote(open(reply).db)
    if (note === undefined) throw new DomainError('not_found', 'The log has no checkpoint yet')
    return text(reply, note)
  })
  serve(app, guards, drawLogContract.key, async ({ reply }) => {
    const key = await servedKey(open(reply).db)
    if (key === undefined) throw new DomainError('not_found', 'The log has no key yet')
    return text(reply, `${key}\n`)
  })
  for (const endpoint of [drawLogContract.tile, drawLogContract.entries]) {
    serve(app, guards, endpoint, async ({ params, request, reply }) => {
      const { db } = open(reply)
      const head = await logHead(db)
      const { tile, path, isFull } = tileIn(params, head.size)
      const name = `${head.log} ${path}`
      let bytes = isFull ? kept.get(name) : undefined
      if (bytes === undefined) {
        bytes = await immutableBytes(await tileBytes(db, tile), tile.level === 'entries')
        if (isFull && head.log > 0) kept.keep(name, bytes)
      }
      reply.header('cache-control', isFull ? forEver : forAnHour)
      return sendBytes(request, reply, bytes)
    })
  }

  /** Pages of other sites may read the log, and what they are refused too. */
  function open(reply: FastifyReply) {
    reply.headers({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
    return deps
  }
}

function text(reply: FastifyReply, body: string): FastifyReply {
  return reply.header('cache-control', brief).type('text/plain; charset=utf-8').send(body)
}
