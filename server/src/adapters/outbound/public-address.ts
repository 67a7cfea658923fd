// Addresses that strangers name may lead to the internet and nowhere else: not to this machine, not
// to its network, and not to the services of whoever hosts it.

import { lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** What of IPv4 is no address of the internet (RFC 6890 and its registry). */
const closed = new BlockList()
for (const network of [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16'],
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/3'],
]) {
  const [address = '', bits] = network.split('/')
  closed.addSubnet(address, Number(bits), 'ipv4')
}
/** All that was ever given out of IPv6 (RFC 4291), and in it what leads somewhere else. */
const given = new BlockList()
given.addSubnet('2000::', 3, 'ipv6')
for (const [address, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const) {
  closed.addSubnet(address, bits, 'ipv6')
}

/** True for an address of the internet; false for every other one, and for what is none. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !closed.check(address, 'ipv4')
  return isIP(address) === 6 && given.check(address, 'ipv6') && !closed.check(address, 'ipv6')
}

/** True for https at its usual port, without a name or password, to a host of the internet. */
export function isPublicUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, port, username, password, hostname } = new URL(text)
  const isPlain = protocol === 'https:' && port === '' && username === '' && password === ''
  const host = hostname.replace(/^\[|\]$/g, '')
  return isPlain && (isIP(host) === 0 ? host.includes('.') : isPublicAddress(host))
}

/** Finds a name's addresses for a connection; fails where one of them is not of the internet. */
export const publicLookup: LookupFunction = (name, options, done) => {
  lookup(name, { ...options, all: true }, (error, found) => {
    const [first] = found ?? []
    if (error || first === undefined) return done(error ?? new Error('No address'), '', 4)
    if (!found.every(({ address }) => isPublicAddress(address))) {
      return done(new Error('The name leads to an address that is not public'), '', 4)
    }
    return options.all === true ? done(null, found) : done(null, first.address, first.family)
  })
}
