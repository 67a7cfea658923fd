import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../test/seeded-random.ts'
import { encryptionWith, type Unopened } from './encryption.ts'

const one = encryptionWith('11'.repeat(32), seededRandom())
const other = encryptionWith('22'.repeat(32), seededRandom())
const context = 'prize_claims|contact_info|7'

describe('a sealed text', () => {
  it.each(['', 'Ana, Main Street 1', '\u{1F381} Größe', 'x'.repeat(10_000)])(
    'opens again',
    (text) => {
      expect(one.open(one.seal(text, context), context)).toBe(text)
    },
  )

  it('shows nothing of itself and never looks the same twice', () => {
    const [first, second] = [one.seal('Main Street', context), one.seal('Main Street', context)]
    expect(JSON.stringify(first)).not.toContain('Main')
    expect(first.sealed).not.toBe(second.sealed)
    expect(first.nonce).not.toBe(second.nonce)
  })

  const turned = (base64: string) => {
    const bytes = Buffer.from(base64, 'base64')
    bytes[0]! ^= 1
    return bytes.toString('base64')
  }
  const shortened = (base64: string) =>
    Buffer.from(base64, 'base64').subarray(0, 4).toString('base64')

  it.each([
    ['another text', 'sealed', turned],
    ['another nonce', 'nonce', turned],
    ['another tag', 'tag', turned],
    ['no text', 'sealed', () => ''],
    ['no nonce', 'nonce', () => ''],
    ['no tag', 'tag', () => ''],
    ['a shortened tag', 'tag', shortened],
  ] as const)('does not open with %s', (_what, field, change) => {
    const sealed = one.seal('Main Street', context)
    expect(one.open({ ...sealed, [field]: change(sealed[field]) }, context)).toBeUndefined()
  })

  it('that cannot be opened is told, with its place and why, and without its content', () => {
    const told: Unopened[] = []
    const listener = encryptionWith('22'.repeat(32), seededRandom(), [], (what) => told.push(what))
    const foreign = one.seal('Main Street', context)
    expect(listener.open(foreign, context)).toBeUndefined()
    const moved = listener.seal('Main Street', context)
    expect(listener.open(moved, 'prize_claims|contact_info|8')).toBeUndefined()
    expect(listener.open(moved, context)).toBe('Main Street')
    expect(told).toEqual([
      { context, keyId: one.keyId, why: 'other_key' },
      { context: 'prize_claims|contact_info|8', keyId: listener.keyId, why: 'changed' },
    ])
  })
})

describe('a key that took the place of another', () => {
  const successor = encryptionWith('22'.repeat(32), seededRandom(), ['11'.repeat(32)])

  it('opens what the earlier one has sealed, and seals for itself alone', () => {
    expect(successor.open(one.seal('Main Street', context), context)).toBe('Main Street')
    expect(one.open(successor.seal('Main Street', context), context)).toBeUndefined()
    expect(other.open(successor.seal('Main Street', context), context)).toBe('Main Street')
  })

  it('still recognises the marks of the earlier one', () => {
    expect(successor.fingerprint('twitch', '42')).toBe(other.fingerprint('twitch', '42'))
    expect(successor.fingerprints('twitch', '42')).toEqual([
      other.fingerprint('twitch', '42'),
      one.fingerprint('twitch', '42'),
    ])
  })
})

describe('a fingerprint', () => {
  it('is the same for the same value only, and depends on the key', () => {
    expect(one.fingerprint('twitch', '42')).toMatch(/^[0-9a-f]{64}$/)
    expect(one.fingerprint('twitch', '42')).toBe(one.fingerprint('twitch', '42'))
    expect(one.fingerprint('twitch', '43')).not.toBe(one.fingerprint('twitch', '42'))
    expect(one.fingerprint('discord', '42')).not.toBe(one.fingerprint('twitch', '42'))
    expect(other.fingerprint('twitch', '42')).not.toBe(one.fingerprint('twitch', '42'))
  })
})

describe('without a key', () => {
  it('nothing can be sealed, opened or marked', () => {
    const none = encryptionWith(undefined, seededRandom())
    expect(() => none.seal('a', 'b')).toThrow('No encryption key is set')
    expect(() => none.open(one.seal('a', 'b'), 'b')).toThrow('No encryption key is set')
    expect(() => none.fingerprint('a', 'b')).toThrow('No encryption key is set')
  })
})
