// Pictures from outside: recognised by their bytes, limited, and always re-encoded.

import { createHash } from 'node:crypto'
import { uploadBytesMax } from '@redpack/contract/limits'
import { DomainError } from '../../shared/domain-error.ts'
import { KeyedSemaphore } from '../../shared/turns.ts'

export type Images = ReturnType<typeof openImages>

/** A picture as the product keeps it: WebP, upright, without anything but its pixels. */
export type CleanImage = Awaited<ReturnType<typeof drawAnew>>

const sideMax = 1_024
/** Of all frames together. */
const pixelsMax = 24_000_000
const framesMax = 200
const secondsMax = 10
const quality = 85
/** Answers carry pictures, up to fifty in one: what is larger is drawn plainer, then smaller. */
const bytesMax = 300_000
const plainQuality = 65
/** Nobody would know an animation again that is smaller. */
const sideMin = 200

const kinds: readonly { readonly at: number; readonly magic: string }[] = [
  { at: 0, magic: '89504e470d0a1a0a' },
  { at: 0, magic: 'ffd8ff' },
  { at: 0, magic: '474946383761' },
  { at: 0, magic: '474946383961' },
  { at: 8, magic: '57454250' },
]

const invalid = (message: string) => new DomainError('invalid_input', message)
const wrongKind = () => invalid('The image must be a PNG, JPEG, GIF or WebP file')
const unreadable = () => invalid('The image could not be read')

/** Pictures are the heaviest thing that a request can ask for; all of them wait in one line. */
const turnLimits = {
  maxConcurrency: 2,
  maxQueue: 20,
  refusal: () =>
    new DomainError('rate_limited', 'Too many images at once, please try again', {
      retryAfterSeconds: secondsMax,
    }),
}
const line = 0

export function openImages() {
  const turns = new KeyedSemaphore(turnLimits)
  return {
    bytesOf,
    /**
     * Draws a PNG, JPEG, GIF or WebP picture anew, at most 1024 pixels on a side and 300 KB; an
     * animation stays one. Two at a time, at most ten seconds each time that one is drawn.
     * @throws DomainError invalid_input for anything else, payload_too_large above 5 MB
     */
    async fromBytes(bytes: Buffer) {
      if (bytes.length > uploadBytesMax) {
        throw new DomainError('payload_too_large', 'The image must be 5 MB or smaller')
      }
      const isKnown = kinds.some(({ at, magic }) =>
        bytes.subarray(at, at + magic.length / 2).equals(Buffer.from(magic, 'hex')),
      )
      if (!isKnown) throw wrongKind()
      return turns.take(line, () => drawAnew(bytes))
    },
  }
}

const dataUrl = /^data:[\w.+/-]*(?:;[\w.+-]+=[\w.+-]*)*;base64,/i
const base64 = /^[A-Za-z0-9+/]+={0,2}$/

/** The bytes of a data URL or of bare base64. @throws DomainError invalid_input for neither */
function bytesOf(text: string): Buffer {
  const head = text.slice(0, 200).match(dataUrl)?.[0] ?? ''
  if (head === '' && text.startsWith('data:')) throw unreadable()
  const digits = text.slice(head.length).replace(/\s+/g, '')
  if (!base64.test(digits)) throw unreadable()
  return Buffer.from(digits, 'base64')
}

async function loadSharp() {
  const { default: sharp } = await import('sharp')
  // Everything that may read a picture is closed, then the four kinds are opened again.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['Png', 'Jpeg', 'Nsgif', 'Webp'].map((kind) => `VipsForeignLoad${kind}Buffer`),
  })
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}

/** Loaded with the first picture: most processes never see one. */
let loaded: ReturnType<typeof loadSharp> | undefined

async function drawAnew(bytes: Buffer) {
  loaded ??= loadSharp()
  const sharp = await loaded
  const options = { limitInputPixels: pixelsMax, failOn: 'error', animated: true } as const
  const {
    width,
    height,
    pages = 1,
  } = await sharp(bytes, { ...options, limitInputPixels: false })
    .metadata()
    .catch(refuseUnreadable)
  if (pages > framesMax) throw invalid(`The image must have at most ${framesMax} frames`)
  // The height of an animation is that of all its frames, one below the other.
  if (width * height > pixelsMax) {
    throw invalid(`The image must have at most ${pixelsMax / 1_000_000} million pixels`)
  }
  const draw = (side: number, drawnQuality: number) => {
    const picture = sharp(bytes, options).timeout({ seconds: secondsMax })
    const upright = pages > 1 ? picture : picture.autoOrient()
    return upright
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .webp({ quality: drawnQuality, effort: 4 })
      .toBuffer({ resolveWithObject: true })
      .catch(refuseUnreadable)
  }
  let drawn = await draw(sideMax, quality)
  if (drawn.data.length > bytesMax) drawn = await draw(sideMax, plainQuality)
  while (drawn.data.length > bytesMax) {
    const { data, info } = drawn
    const scale = Math.min(0.9, Math.sqrt(bytesMax / data.length))
    const side = Math.floor(scale * Math.max(info.width, info.pageHeight ?? info.height))
    if (side < sideMin) throw invalid('The image must have fewer frames to fit into 300 KB')
    drawn = await draw(side, plainQuality)
  }
  const { data, info } = drawn
  return {
    bytes: data,
    type: 'image/webp' as const,
    width: info.width,
    height: info.pageHeight ?? info.height,
    /** In hexadecimal digits; the picture's name. */
    hash: createHash('sha256').update(data).digest('hex'),
  }
}

/** Whatever the decoder says, it says of the bytes that were sent. */
function refuseUnreadable(): never {
  throw unreadable()
}
