// Pictures that staff upload or send with a prize or a pack type, and those that everyone is shown.

import { createHash } from 'node:crypto'
import { adminPackTypesContract as packTypes } from '@redpack/contract'
import { LRUCache } from 'lru-cache'
import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import { command } from '../../adapters/http/command.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import type { CleanImage } from '../../adapters/images/images.ts'
import type { Given } from '../../rules/changed-meanwhile.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { targetOf } from '../../shared/staff-call.ts'
import {
  keepImage,
  type PictureText,
  readImages,
  readPictureText,
  type StoredImage,
  storeImage,
} from './image-tables.ts'

const headers = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'content-disposition': 'inline',
}

export function registerImages(context: FeatureContext): void {
  const { app, deps } = context
  const imageAt = servedImages(deps)
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
      const image = await imageAt(request.params.name)
      if (image === undefined) return reply.callNotFound()
      const etag = `"${image.hash}"`
      reply.headers({ ...headers, etag })
      if (request.headers['if-none-match']?.includes(etag) === true) return reply.code(304).send()
      return reply.type(image.type).send(image.bytes)
    },
  })
}

/** Name of the picture with this hash, in its address and in the bucket. */
const imageName = (hash: string) => `${hash}.webp`
/** Such an address, on this site; the hash is its first group. */
const ownAddress = /^\/uploads\/([0-9a-f]{64})\.webp$/

/**
 * The picture that a request carries, as a file, a data URL or base64: null takes it away,
 * undefined leaves it. It is drawn anew but for one that is stored, so that a picture does not lose
 * quality with every form that sends back what it was shown.
 * @throws DomainError for what is no picture or too large
 */
export async function drawPicture(
  { db, images }: Pick<Deps, 'db' | 'images'>,
  sent: Buffer | string | null | undefined,
): Promise<StoredImage | null | undefined> {
  if (sent === null || sent === undefined) return sent
  const bytes = typeof sent === 'string' ? images.bytesOf(sent) : sent
  const hash = createHash('sha256').update(bytes).digest('hex')
  const [known] = await readImages(db, [hash])
  return known === undefined ? images.fromBytes(bytes) : { ...known, bytes }
}

/**
 * The stored picture as text where a change says what its sender saw of it, to be compared;
 * otherwise it is not read.
 */
export async function seenPicture(
  tx: Queryable,
  hash: string | null,
  { imageData, imageType }: Given<PictureText> = {},
): Promise<Given<PictureText>> {
  return imageData === undefined && imageType === undefined ? {} : readPictureText(tx, hash)
}

/**
 * Draws an uploaded picture anew. Where there is a bucket its bytes go there, before any row points
 * to them.
 * @throws DomainError for what is no picture or too large, Unavailable when the bucket is
 */
async function drawUpload({ images, bucket }: Pick<Deps, 'images' | 'bucket'>, bytes: Buffer) {
  const clean = await images.fromBytes(bytes)
  await bucket?.put(imageName(clean.hash), clean.type, clean.bytes)
  return clean
}

/** Stores a picture under its hash, the same one once. Answers where it is served. */
async function storeUpload(
  tx: Queryable,
  { now }: Author,
  { bucket }: Pick<Deps, 'bucket'>,
  { hash, type, bytes, width, height }: CleanImage,
): Promise<Outcome<{ url: string }>> {
  await storeImage(tx, { hash, type, bytes: bucket === undefined ? bytes : null, now })
  const after = { width, height, bytes: bytes.length }
  return {
    answer: { url: `/uploads/${imageName(hash)}` },
    audit: { action: 'image.upload', ...targetOf('image', hash), after },
  }
}

/**
 * Keeps an uploaded picture whose address is about to be written.
 * @throws DomainError invalid_input when it is no longer there
 */
export async function keepUpload(tx: Queryable, address: string | null): Promise<void> {
  const hash = address === null ? undefined : ownAddress.exec(address)?.[1]
  if (hash === undefined || (await keepImage(tx, hash))) return
  throw new DomainError('invalid_input', 'This picture is no longer there, please upload it again')
}

const keptBytesMax = 32 * 1024 * 1024

/**
 * Finds the picture at an address below `/uploads`; undefined when there is none. Those that are
 * asked for most are kept in memory, so that a page of packs costs no query: what a hash names
 * never changes, so nothing kept goes stale. The search throws Unavailable when the bucket is.
 */
function servedImages({ db, bucket }: Pick<Deps, 'db' | 'bucket'>) {
  const kept = new LRUCache<string, { readonly type: string; readonly bytes: Buffer }>({
    maxSize: keptBytesMax,
    sizeCalculation: ({ bytes }) => bytes.length || 1,
  })
  const read = async (hash: string) => {
    const [stored] = await readImages(db, [hash])
    const bytes = stored && (stored.bytes ?? (await bucket?.get(imageName(hash))))
    return bytes && { type: stored.type, bytes }
  }
  return async (name: string) => {
    const hash = ownAddress.exec(`/uploads/${name}`)?.[1]
    const served = hash === undefined ? undefined : (kept.get(hash) ?? (await read(hash)))
    if (hash === undefined || served === undefined) return undefined
    kept.set(hash, served)
    return { ...served, hash }
  }
}
