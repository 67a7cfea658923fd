// How addresses are told apart.

import type { FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { addressKey, isLocalCaller } from './caller-address.ts'

describe('addressKey', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
    ['1::', '1:0:0:0::/64'],
    ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
    ['::1:2:3:4:5:192.0.2.33', '0:1:2:3::/64'],
    ['::ffff:1:2', '0:0:0:0::/64'],
  ])('counts %s as %s', (address, key) => {
    expect(addressKey(address)).toBe(key)
  })
})

describe('isLocalCaller', () => {
  const from = (remoteAddress: string, headers: Record<string, string> = {}) =>
    isLocalCaller({
      socket: { remoteAddress },
      ip: remoteAddress,
      headers,
    } as never as FastifyRequest)

  it('knows this machine under all its names', () => {
    for (const address of ['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1']) {
      expect(from(address)).toBe(true)
      expect(from(address, { host: 'localhost', 'user-agent': 'curl', accept: '*/*' })).toBe(true)
    }
  })

  it('trusts nobody else', () => {
    for (const address of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8::1', '1127.0.0.1']) {
      expect(from(address)).toBe(false)
    }
  })

  it('does not take a proxy on this machine for its clients', () => {
    const headers = [
      ...['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'x-forwarded-host', 'x-forwarded'],
      ...['x-forwarded-proto', 'cf-connecting-ip', 'true-client-ip', 'x-cluster-client-ip'],
      ...['x-original-forwarded-for', 'x-envoy-external-address', 'fastly-client-ip'],
      'fly-client-ip',
    ]
    const trusted = headers.filter((header) => from('127.0.0.1', { [header]: 'x' }))
    expect(trusted).toEqual([])
  })
})
