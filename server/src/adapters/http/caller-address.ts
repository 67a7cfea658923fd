// The address of a caller, for limits and for the trust in the operator's calls.

import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Headers by which a proxy says that it speaks for somebody else, and what they begin with. */
const proxyHeaders = new Set([
  'fastly-client-ip',
  'fly-client-ip',
  'forwarded',
  'true-client-ip',
  'via',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-envoy-external-address',
  'x-forwarded',
  'x-original-forwarded-for',
  'x-real-ip',
])
const proxyHeaderStarts = /^(x-forwarded-|cf-)/
const mappedPrefix = '::ffff:'

/**
 * The part of an address that one household or machine cannot change at will: an IPv4 address
 * whole, an IPv6 address without its lower 64 bits.
 */
export function addressKey(address: string): string {
  const plain = address.toLowerCase().split('%')[0] ?? ''
  if (plain.startsWith(mappedPrefix) && isIP(plain.slice(mappedPrefix.length)) === 4) {
    return plain.slice(mappedPrefix.length)
  }
  return isIP(plain) === 6 ? `${network(plain)}::/64` : plain
}

/** The first four groups of an IPv6 address, written out. */
function network(address: string): string {
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  // A dotted end stands for two groups.
  const afterCount = after.length + (after.at(-1)?.includes('.') === true ? 1 : 0)
  const gap = tail === undefined ? 0 : Math.max(0, 8 - before.length - afterCount)
  const groups = [...before, ...Array.from({ length: gap }, () => '0'), ...after]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

/** True for a caller on this machine who does not pass on somebody else's request. */
export function isLocalCaller(request: FastifyRequest): boolean {
  for (const name of Object.keys(request.headers)) {
    if (proxyHeaders.has(name) || proxyHeaderStarts.test(name)) return false
  }
  const address = request.socket.remoteAddress ?? request.ip
  return address === '::1' || /^(::ffff:)?127\./.test(address)
}
