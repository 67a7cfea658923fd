// What becomes of pictures from outside, and which never become one.

import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { DomainError } from '../../shared/domain-error.ts'
import { openImages } from './images.ts'

const images = openImages()

const red = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: '#ff0000' } })

/** A square of dots, each of another colour, which no format makes small. */
function grains(side: number, from = 1) {
  const bytes = new Uint8Array(side * side * 3)
  let state = from
  for (const index of bytes.keys()) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes[index] = state >>> 24
  }
  return sharp(bytes, { raw: { width: side, height: side, channels: 3 } })
}

async function moving(frames: number, side: number) {
  const all = Array.from({ length: frames }, (_, index) => grains(side, index).png().toBuffer())
  return sharp(await Promise.all(all), { join: { animated: true } })
    .webp({ effort: 0 })
    .toBuffer()
}

const domainError = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(DomainError)
  return error as DomainError
}

describe('a picture', () => {
  it.each(['png', 'jpeg', 'gif', 'webp'] as const)(
    'of the kind %s becomes WebP named by its content',
    async (kind) => {
      const bytes = await red(30, 20).toFormat(kind).toBuffer()
      const clean = await images.fromBytes(bytes)
      expect(clean).toMatchObject({ type: 'image/webp', width: 30, height: 20 })
      expect((await sharp(clean.bytes).metadata()).format).toBe('webp')
      expect(clean.hash).toMatch(/^[0-9a-f]{64}$/)
      expect((await images.fromBytes(bytes)).hash).toBe(clean.hash)
    },
  )

  it('is made smaller when it is larger than any screen needs, never larger', async () => {
    const large = await images.fromBytes(await red(3_000, 1_500).png().toBuffer())
    expect([large.width, large.height]).toEqual([1_024, 512])
  })

  it('stands upright and tells nothing of where it was taken', async () => {
    const photo = await red(40, 20)
      .jpeg()
      .withExif({ IFD0: { Copyright: 'secret place' }, IFD3: { GPSLatitude: '51/1' } })
      .withMetadata({ orientation: 6 })
      .toBuffer()
    const clean = await images.fromBytes(photo)
    expect([clean.width, clean.height]).toEqual([20, 40])
    const left = await sharp(clean.bytes).metadata()
    expect([left.exif, left.icc, left.xmp, left.iptc, left.orientation]).toEqual(
      Array.from({ length: 5 }, () => undefined),
    )
  })

  it('that moves goes on moving', async () => {
    const frames = await Promise.all(
      ['#ff0000', '#00ff00', '#0000ff'].map((background) =>
        sharp({ create: { width: 10, height: 10, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    )
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer()
    const clean = await images.fromBytes(gif)
    expect((await sharp(clean.bytes).metadata()).pages).toBe(3)
    expect([clean.width, clean.height]).toEqual([10, 10])
  })

  it('that would be large becomes plainer and smaller, and still moves', async () => {
    const still = await images.fromBytes(await grains(1_200).jpeg({ quality: 60 }).toBuffer())
    expect(still.bytes.length).toBeLessThanOrEqual(300_000)
    expect(still.width).toBeGreaterThan(500)
    const clean = await images.fromBytes(await moving(8, 300))
    expect(clean.bytes.length).toBeLessThanOrEqual(300_000)
    expect((await sharp(clean.bytes).metadata()).pages).toBe(8)
    expect(clean.width).toBeGreaterThan(200)
  })

  it('comes as a data URL or as bare base64, wrapped or not', async () => {
    const bytes = await red(4, 4).png().toBuffer()
    const digits = bytes.toString('base64')
    const wrapped = digits.replace(/.{20}/g, '$&\r\n')
    const { hash } = await images.fromBytes(bytes)
    for (const text of [digits, wrapped, `data:image/png;base64,${digits}`]) {
      expect((await images.fromBytes(images.bytesOf(text))).hash).toBe(hash)
    }
    // What a file claims to be decides nothing.
    expect((await images.fromBytes(images.bytesOf(`data:text/html;base64,${digits}`))).hash).toBe(
      hash,
    )
  })
})

describe('what is no picture', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  it.each([
    ['SVG', svg],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['PDF', '%PDF-1.7'],
    ['TIFF', 'II*\0'],
    ['nothing', ''],
  ])('%s is refused by its content', async (_kind, text) => {
    const { code, message } = await domainError(images.fromBytes(Buffer.from(text)))
    expect([code, message]).toEqual([
      'invalid_input',
      'The image must be a PNG, JPEG, GIF or WebP file',
    ])
  })

  it('is refused when it is cut or only begins like one', async () => {
    const whole = await red(200, 200).png({ compressionLevel: 0 }).toBuffer()
    const photo = await red(200, 200).jpeg().toBuffer()
    const broken = [
      whole.subarray(0, 40),
      whole.subarray(0, whole.length / 2),
      photo.subarray(0, photo.length / 2),
      Buffer.concat([whole.subarray(0, 8), Buffer.from(svg)]),
      Buffer.from('GIF89a'),
      Buffer.from('RIFF\0\0\0\0WEBPVP8 '),
    ]
    for (const bytes of broken) {
      expect((await domainError(images.fromBytes(bytes))).message).toBe(
        'The image could not be read',
      )
    }
  })

  it('does not hide behind a picture: what follows the pixels is gone', async () => {
    const bytes = Buffer.concat([await red(4, 4).png().toBuffer(), Buffer.from(svg)])
    expect((await images.fromBytes(bytes)).bytes.includes('script')).toBe(false)
  })

  it.each(['data:image/png,abc', 'data:image/png;base64,', 'hello world!', 'aGk=====', '<svg/>'])(
    'as the text %s is refused',
    async (text) => {
      expect((await domainError((async () => images.bytesOf(text))())).code).toBe('invalid_input')
    },
  )
})

describe('limits', () => {
  it('refuse 24 million pixels and one row more, however few bytes they take', async () => {
    const bomb = await red(6_000, 4_001).png().toBuffer()
    expect(bomb.length).toBeLessThan(500_000)
    const { message } = await domainError(images.fromBytes(bomb))
    expect(message).toBe('The image must have at most 24 million pixels')
  })

  it('refuse an animation of which too little would be left in 300 KB', async () => {
    const { message } = await domainError(images.fromBytes(await moving(60, 160)))
    expect(message).toBe('The image must have fewer frames to fit into 300 KB')
  })

  it('refuse more than 5 MB', async () => {
    const { code } = await domainError(images.fromBytes(Buffer.alloc(5 * 1024 * 1024 + 1)))
    expect(code).toBe('payload_too_large')
  })

  it('let two be drawn at a time and refuse a crowd', async () => {
    const bytes = await red(300, 300).png().toBuffer()
    const crowd = await Promise.allSettled(
      Array.from({ length: 30 }, () => images.fromBytes(bytes)),
    )
    const refused = crowd.filter(({ status }) => status === 'rejected')
    expect(refused.length).toBe(8)
    expect(refused.every(({ status }) => status === 'rejected')).toBe(true)
    expect((await images.fromBytes(bytes)).width).toBe(300)
  })
})
