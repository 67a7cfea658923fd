// Which secrets are none.

import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../test/seeded-random.ts'
import { readConfig } from './config.ts'
import { refusedLines } from './refused-lines.fixture.ts'
import { weaknessOf } from './weak-secrets.ts'

const chance = seededRandom()
const hexBytes = (byte: (at: number) => number) =>
  Buffer.from(Array.from({ length: 32 }, (_, at) => byte(at))).toString('hex')

const guessable: readonly string[] = [
  '0'.repeat(64),
  'f'.repeat(64),
  '5e'.repeat(32),
  'deadbeef'.repeat(8),
  '0123456789abcdef'.repeat(4),
  '0123456789012345678901234567890123456789',
  hexBytes((at) => at),
  hexBytes((at) => 255 - at),
  hexBytes((at) => 7 * at),
  'changeme',
  'changeme1234567',
  'CHANGE-ME-PLEASE-NOW',
  'your_client_secret_here',
  'my super secret password',
  'sandbox-secret',
  'sandbox-bot-token',
  'test-test-test-1',
  'password12345678',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjkl',
  'zyxwvutsrqponmlkjihg',
  'aabbaabbccaabbccabcab',
  '111111111111111',
]

const good: readonly string[] = [
  'correct horse battery',
  'a tester with seven odd hats',
  'Tr0ub4dor&3-and-more',
  '3b6def90eef3ba82d711f8eeb2a626b7de13f4a1e18ceb973fab3128a394ed5c',
  'p4qk7v0jz1m9x8c2b6n5',
]

describe('a secret', () => {
  it.each(guessable)('like %s can be guessed', (secret) => {
    expect(weaknessOf(secret)).toMatch(/^it /)
  })

  it.each(good)('like %s cannot', (secret) => {
    expect(weaknessOf(secret)).toBeUndefined()
  })

  it('that was drawn is never mistaken for one that was typed', () => {
    for (let draws = 0; draws < 300; draws += 1) {
      expect(weaknessOf(chance.bytes(32).toString('hex'))).toBeUndefined()
      expect(weaknessOf(chance.bytes(15).toString('base64url'))).toBeUndefined()
    }
  })
})

const names = [
  'ENCRYPTION_KEY',
  'LOCAL_ADMIN_PASSWORD',
  'METRICS_TOKEN',
  'TWITCH_CLIENT_SECRET',
  'TWITCH_EVENTSUB_SECRET',
  'DISCORD_CLIENT_SECRET',
  'DISCORD_BOT_TOKEN',
  'DISCORD_PUBLIC_KEY',
]

describe('a production start', () => {
  const production = {
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://packs.test',
    TWITCH_CLIENT_ID: 'id',
    LOCAL_ADMIN_USERNAME: 'keeper',
    LOCAL_ADMIN_PASSWORD: 'correct horse battery',
  }
  const linesOf = (environment: Record<string, string>) =>
    refusedLines(() => readConfig(environment))

  it.each(names)('refuses a %s that can be guessed, and does not repeat it', (name) => {
    const zeros = '0'.repeat(64)
    const lines = linesOf({ ...production, [name]: zeros })
    expect(lines).toEqual([`${name} can be guessed: it repeats itself`])
    expect(lines.join()).not.toContain(zeros)
  })

  it.each(names)('takes a %s that was drawn', (name) => {
    const drawn = chance.bytes(32).toString('hex')
    expect(linesOf({ ...production, [name]: drawn })).toEqual([])
  })

  it('leaves trials alone', () => {
    const zeros = '0'.repeat(64)
    expect(linesOf({ ENCRYPTION_KEY: zeros, TWITCH_CLIENT_SECRET: 'changeme' })).toEqual([])
  })
})
