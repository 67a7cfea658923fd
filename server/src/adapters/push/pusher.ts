// Hands encrypted messages to the push services of browsers (RFC 8030, 8291 and 8292).

import { createECDH } from 'node:crypto'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import webPush, { type RequestDetails } from 'web-push'
import type { PushSettings } from '../../config/config.ts'
import { DeliveryFault } from '../../shared/far-side-faults.ts'
import { isPublicUrl, publicLookup } from '../outbound/public-address.ts'

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
