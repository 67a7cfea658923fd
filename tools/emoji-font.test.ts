// Every emoji of the product's texts is in its emoji font.

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const emoji = /\p{Emoji_Presentation}|\p{Extended_Pictographic}(?=\uFE0F)/gu

/** Tables of a WOFF2 file whose names have no code of their own are not looked at. */
const tableNames = ['cmap', 'head', 'hhea', 'hmtx', 'maxp', 'name', 'OS/2', 'post']
const [codeOfGlyf, codeOfLoca, codeOfOtherName] = [10, 11, 63]

/** Signs that a WOFF2 font draws, from the ranges (format 12) of its table of characters. */
function signsOf(file: string): Set<number> {
  const bytes = readFileSync(file)
  let place = 48
  const number = () => {
    let value = 0
    for (;;) {
      const byte = bytes[place++] ?? 0
      value = value * 128 + (byte & 127)
      if (byte < 128) return value
    }
  }
  let from = 0
  let charactersAt = -1
  for (let table = 0; table < bytes.readUInt16BE(12); table += 1) {
    const flags = bytes[place++] ?? 0
    const code = flags & 63
    if (code === codeOfOtherName) place += 4
    const plainLength = number()
    const isGlyphs = code === codeOfGlyf || code === codeOfLoca
    const isChanged = isGlyphs ? flags >> 6 === 0 : flags >> 6 !== 0
    const length = isChanged ? number() : plainLength
    if (tableNames[code] === 'cmap') charactersAt = from
    from += length
  }
  const tables = brotliDecompressSync(bytes.subarray(place, place + bytes.readUInt32BE(20)))
  const found = new Set<number>()
  for (let entry = 0; entry < tables.readUInt16BE(charactersAt + 2); entry += 1) {
    const ranges = charactersAt + tables.readUInt32BE(charactersAt + 8 + entry * 8)
    if (tables.readUInt16BE(ranges) !== 12) continue
    for (let range = 0; range < tables.readUInt32BE(ranges + 12); range += 1) {
      const [first, last] = [0, 4].map((more) =>
        tables.readUInt32BE(ranges + 16 + range * 12 + more),
      )
      for (let sign = first ?? 0; sign <= (last ?? -1); sign += 1) found.add(sign)
    }
  }
  return found
}

const names = (signs: Iterable<number>) => [...signs].map((sign) => String.fromCodePoint(sign))

/** What the product may say on a page; tests and the texts of stand-ins are no part of it. */
function texts(): { file: string; text: string }[] {
  return ['web/src', 'contract/src', 'server/src']
    .flatMap((folder) =>
      readdirSync(at(folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
        .map((name) => `${folder}/${name}`),
    )
    .concat('web/index.html')
    .map((file) => ({ file, text: readFileSync(at(file), 'utf8') }))
}

describe('the font of emoji', () => {
  const drawn = signsOf(at('web/src/styles/fonts/emoji.woff2'))

  it('has every emoji that a text of ours uses', () => {
    const used = texts().flatMap(({ file, text }) =>
      [...text.matchAll(emoji)].map(([sign]) => ({ file, sign })),
    )
    expect(used.map(({ sign }) => sign)).toContain('🎉')
    expect(used.filter(({ sign }) => !drawn.has(sign.codePointAt(0) ?? 0))).toEqual([])
  })

  it('is asked for these signs and for no others', () => {
    const sheet = readFileSync(at('web/src/styles/emoji.css'), 'utf8')
    const asked = [...sheet.matchAll(/U\+([0-9A-F]+)/g)].map(([, hex = '']) => Number(`0x${hex}`))
    expect(names(asked).sort()).toEqual(names(drawn).sort())
  })
})
