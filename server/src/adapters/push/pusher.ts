// Sends encrypted messages to the push services of browsers (RFC 8030, 8291 and 8292), and only to
// public addresses.

import { createECDH } from 'node:crypto'
import { lookup } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import webPush, { type RequestDetails } from 'web-push'
import type { PushSettings } from '../../config/config.ts'
import { DeliveryFault } from '../../shared/far-side-faults.ts'

/** A browser that shows messages, as it describes itself. */
export interface PushTarget {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

export interface Pusher {
  /** By which browsers know who may write to them; undefined where nothing can be pushed. */
  readonly publicKey: string | undefined
  /** Whether a message would be sent to this address at all. */
  accepts(endpoint: string): boolean
  /**
   * A message with the same `topic` takes the place of one that was not shown yet.
   * @throws DeliveryFault: `recipient` when the subscription is gone
   */
  send(target: PushTarget, payload: string, topic: string): Promise<void>
}

/** How long a push service keeps what it cannot deliver. */
const keptSeconds = 86_400
const tryMillisMax = 20_000
/** The longest that a service may have us wait. */
const waitSecondsMax = 3_600

/** `tryMillis` is how long one try may take, in milliseconds. */
export function openPusher(
  settings: PushSettings | undefined,
  tryMillis: number = tryMillisMax,
): Pusher {
  if (settings === undefined) {
    const send = () => Promise.reject(new DeliveryFault('unreachable', 'No key for push is set'))
    return { publicKey: undefined, accepts: () => false, send }
  }
  const { privateKey, subject, ownService } = settings
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(Buffer.from(privateKey, 'base64url'))
  const publicKey = pair.getPublicKey('base64url')
  const isOwn = (endpoint: string) => ownService !== undefined && endpoint.startsWith(ownService)
  const accepts = (endpoint: string) => isOwn(endpoint) || isPublicUrl(endpoint)
  return {
    publicKey,
    accepts,
    async send({ endpoint, p256dh, auth }, payload, topic) {
      if (!accepts(endpoint)) {
        throw new DeliveryFault('recipient', 'The device named an address that is not public')
      }
      const message = sealed({ endpoint, keys: { p256dh, auth } }, payload, {
        vapidDetails: { subject, publicKey, privateKey },
        ...{ TTL: keptSeconds, topic },
      })
      const answer = await answerTo(message, isOwn(endpoint), tryMillis).catch((cause: Error) => {
        // Its words may name the address.
        const code = (cause as NodeJS.ErrnoException).code ?? cause.name
        throw new DeliveryFault('later', `The push service cannot be reached: ${code}`, { cause })
      })
      const { status, waitSeconds } = answer
      const kind = faultOf(status)
      if (kind === undefined) return
      throw new DeliveryFault(kind, `The push service answered ${status}`, { waitSeconds })
    },
  }
}

function sealed(...given: Parameters<typeof webPush.generateRequestDetails>): RequestDetails {
  try {
    return webPush.generateRequestDetails(...given)
  } catch (cause) {
    throw new DeliveryFault('recipient', 'The device named keys that cannot be used', { cause })
  }
}

function faultOf(status: number) {
  if (status >= 200 && status < 300) return undefined
  if (status === 404 || status === 410) return 'recipient'
  return status === 429 || status >= 500 ? 'later' : 'refused'
}

interface Answer {
  readonly status: number
  readonly waitSeconds: number | undefined
}

/** Its body is of no use, and whoever runs the service decides how long it is. */
function answerTo(message: RequestDetails, isOwn: boolean, tryMillis: number): Promise<Answer> {
  const { endpoint, method, headers, body } = message
  const open = isOwn && endpoint.startsWith('http:') ? requestHttp : requestHttps
  const lookup = isOwn ? {} : { lookup: publicLookup }
  return new Promise((resolve, reject) => {
    const options = { method, headers, signal: AbortSignal.timeout(tryMillis), ...lookup }
    const sent = open(endpoint, options, (answer) => {
      answer.destroy()
      const { statusCode: status = 0, headers } = answer
      resolve({ status, waitSeconds: waitOf(headers['retry-after']) })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** A wait that is shorter than our own first one is no news; anybody may run such a service. */
function waitOf(retryAfter = ''): number | undefined {
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : 0
  return seconds < 30 ? undefined : Math.min(seconds, waitSecondsMax)
}

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
