// Pack types over HTTP, as staff keep them, with the pictures that are uploaded for them.

import { adminPackTypesContract as packTypes } from '@redpack/contract'
import { command, withSentence } from '../../adapters/http/command.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { drawPicture, drawUpload, ImageCache, storeUpload } from './images.ts'
import {
  createPackType,
  deletePackType,
  imageOfPackType,
  packTypesForStaff,
  undeletePackType,
  updatePackType,
} from './pack-types.ts'

export function registerPackTypes(context: FeatureContext): void {
  const { app, deps, guards } = context
  serve(app, guards, packTypes.list, () => packTypesForStaff(deps.db))
  serve(app, guards, packTypes.image, ({ params }) => imageOfPackType(deps.db, params.id))
  command(context, packTypes.create, {
    order: ({ body, file }) => ({ ...body, file: file?.bytes }),
    prepare: (sent) => drawPicture(deps, sent.file ?? sent.imageData),
    run: createPackType,
  })
  command(context, packTypes.update, {
    order: ({ params, body, file }) => [params.id, { ...body, file: file?.bytes }] as const,
    prepare: ([, { file, imageData }]) => drawPicture(deps, file ?? imageData),
    run: (tx, by, [id, change], picture) => updatePackType(tx, by, id, change, picture),
  })
  command(context, packTypes.remove, {
    order: ({ params }) => params.id,
    run: async (tx, by, id) =>
      withSentence(await deletePackType(tx, by, id), 'Pack type deleted successfully'),
  })
  command(context, packTypes.restore, { order: ({ params }) => params.id, run: undeletePackType })
}

const headers = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'content-disposition': 'inline',
}

export function registerImages(context: FeatureContext): void {
  const { app, deps } = context
  const kept = new ImageCache(deps)
  command(context, packTypes.upload, {
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
