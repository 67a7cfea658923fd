// Pictures over HTTP: staff upload them, everyone sees them.

import { adminPackTypesContract } from '@redpack/contract'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { KeptImages } from './kept-images.ts'
import { type ImageKeeping, uploadImage } from './upload-image.ts'

const headers = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'content-disposition': 'inline',
}

export function registerImages(
  { app, world, guards }: FeatureContext,
  keeping: ImageKeeping,
): void {
  const kept = new KeptImages(world, keeping)
  serve(app, guards, adminPackTypesContract.upload, async ({ actor, file, request }) => ({
    url: await uploadImage(world, keeping, actor, file.bytes, request.id),
  }))
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
