// The catalogue over HTTP: staff keep it, everyone sees its pictures. What players see of prizes
// stands with packs and claims.

import {
  adminPackTypesContract as packTypes,
  adminPrizesContract as prizes,
  adminStoreContract as store,
} from '@redpack/contract'
import { command, withAnswer } from '../../adapters/http/command.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { drawPicture, drawUpload, ImageCache, storeUpload } from './images.ts'
import {
  createListing,
  deleteListing,
  listingsForStaff,
  sortListings,
  undeleteListing,
  updateListing,
} from './listings.ts'
import {
  createPackType,
  deletePackType,
  imageOfPackType,
  packTypesForStaff,
  undeletePackType,
  updatePackType,
} from './pack-types.ts'
import { addCodes, linesOf } from './prize-codes.ts'
import {
  changeStock,
  createPrize,
  deletePrize,
  prizesForStaff,
  undeletePrize,
  updatePrize,
} from './prizes.ts'

const done = (what: string) => ({ success: true, message: `${what} successfully` }) as const

export function registerPrizes(context: FeatureContext): void {
  const { app, deps, guards } = context
  serve(app, guards, prizes.list, () => prizesForStaff(deps.db))
  command(context, prizes.create, {
    order: ({ body }) => body,
    prepare: ({ imageData }) => drawPicture(deps, imageData),
    run: createPrize,
  })
  command(context, prizes.update, {
    order: ({ params, body }) => [params.id, body] as const,
    prepare: ([, { imageData }]) => drawPicture(deps, imageData),
    run: (tx, by, [id, change], picture) => updatePrize(tx, by, id, change, picture),
  })
  command(context, prizes.remove, {
    order: ({ params }) => params.id,
    run: async (tx, by, id) => withAnswer(await deletePrize(tx, by, id), done('Prize deleted')),
  })
  command(context, prizes.restore, { order: ({ params }) => params.id, run: undeletePrize })
  command(context, prizes.addInventory, {
    order: ({ params, body }) => [params.id, { add: body.quantity }] as const,
    run: (tx, by, [id, change]) => changeStock(tx, by, id, change),
  })
  command(context, prizes.setInventory, {
    order: ({ params, body }) =>
      [params.id, { set: body.quantity, expected: body.expected }] as const,
    run: (tx, by, [id, change]) => changeStock(tx, by, id, change),
  })
  command(context, prizes.addCodes, {
    order: ({ params, body, file }) =>
      [params.id, file === undefined ? (body.codes ?? []) : linesOf(file.bytes)] as const,
    run: (tx, by, [id, lines]) => addCodes(tx, by, deps.encryption, id, lines),
  })
}

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
      withAnswer(await deletePackType(tx, by, id), done('Pack type deleted')),
  })
  command(context, packTypes.restore, { order: ({ params }) => params.id, run: undeletePackType })
}

const sorted = { success: true, message: 'Listings sorted successfully' } as const
export function registerAdminStore(context: FeatureContext): void {
  const { app, deps, guards } = context
  serve(app, guards, store.list, () => listingsForStaff(deps.db))
  command(context, store.create, { order: ({ body }) => body, run: createListing })
  command(context, store.update, {
    order: ({ params, body }) => [params.id, body] as const,
    run: (tx, by, [id, change]) => updateListing(tx, by, id, change),
  })
  command(context, store.sort, {
    order: ({ body }) => body.orders,
    run: async (tx, by, orders) => withAnswer(await sortListings(tx, by, orders), sorted),
  })
  command(context, store.remove, {
    order: ({ params }) => params.id,
    run: async (tx, by, id) => withAnswer(await deleteListing(tx, by, id), done('Listing deleted')),
  })
  command(context, store.restore, { order: ({ params }) => params.id, run: undeleteListing })
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
