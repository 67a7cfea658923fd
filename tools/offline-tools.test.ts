// The offline verifier as a file: self-contained, and unable to load anything.

import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { verifyProofPage } from './offline-tools.mjs'

const page: string = await verifyProofPage()

const between = (start: string, end: string) => {
  const from = page.indexOf(start) + start.length
  return page.slice(from, page.indexOf(end, from))
}
const hashOf = (text: string) => createHash('sha256').update(text).digest('base64')

describe('the offline verifier', () => {
  it('names no other file and no address', () => {
    expect(page).not.toMatch(/\s(src|href|action)=/)
    expect(page).not.toMatch(/@import|url\(/)
    expect(page).not.toMatch(/\bfetch\(|XMLHttpRequest|WebSocket|sendBeacon/)
  })

  it('may run its own script and style and nothing else', () => {
    const policy = between('http-equiv="Content-Security-Policy" content="', '"')
    expect(policy).toBe(
      `default-src 'none'; script-src 'sha256-${hashOf(between('<script>', '</script>'))}'; ` +
        `style-src 'sha256-${hashOf(between('<style>', '</style>'))}'`,
    )
  })

  it('can be read: no line is longer than a paragraph', () => {
    expect(Math.max(...page.split('\n').map(({ length }) => length))).toBeLessThan(1_000)
  })

  it('is small enough to be sent by mail', () => {
    expect(page.length).toBeLessThan(100_000)
  })
})
