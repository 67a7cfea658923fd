// Pictures over HTTP: staff upload them, everyone sees them.

import { adminPackTypesContract } from '@redpack/contract'
import { command } from '../../adapters/http/command.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { KeptImages } from './kept-images.ts'
import { drawImage, keepImage } from './upload-image.ts'

const headers = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'content-disposition': 'inline',
}

export function registerImages(context: FeatureContext): void {
  const { app, deps } = context
  const kept = new KeptImages(deps)
  command(context, adminPackTypesContract.upload, {
    order: ({ file }) => file.bytes,
    prepare: (bytes) => drawImage(deps, bytes),
    run: (tx, by, _bytes, image) => keepImage(tx, by, deps, image),
  })
  app.route<{ Params: { name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/uploads/:name',
    config: { access: 'static' },
    handler: async (request, reply) => {
      const hash = /^([0-9a-f]{64})\.webp$/.exec(request.params.name)?.[1]
      const image = hash === undefined ? undefined : await kept.find(hash)
      if (image === undefined) return reply.callNotFound()
      const etag = `"${hash}"`
      reply.headers({ ...headers, etag })
      if (request.headers['if-none-match']?.includes(etag) === true) return reply.code(304).send()
      return reply.type(image.type).send(image.bytes)
    },
  })
}
