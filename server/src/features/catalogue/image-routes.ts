// Pictures over HTTP: staff upload them, everyone sees them.

import { adminPackTypesContract } from '@redpack/contract'
import { command } from '../../adapters/http/command.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { drawUpload, ImageCache, storeUpload } from './images.ts'

const headers = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'content-disposition': 'inline',
}

export function registerImages(context: FeatureContext): void {
  const { app, deps } = context
  const kept = new ImageCache(deps)
  command(context, adminPackTypesContract.upload, {
    order: ({ file }) => file.bytes,
    prepare: (bytes) => drawUpload(deps, bytes),
    run: (tx, by, _bytes, image) => storeUpload(tx, by, deps, image),
  })
  app.route<{ Params: { name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/uploads/:name',
    config: { access: 'static' },
    handler: async (request, reply) => {
      const image = await kept.find(request.params.name)
      if (image === undefined) return reply.callNotFound()
      const etag = `"${image.hash}"`
      reply.headers({ ...headers, etag })
      if (request.headers['if-none-match']?.includes(etag) === true) return reply.code(304).send()
      return reply.type(image.type).send(image.bytes)
    },
  })
}
