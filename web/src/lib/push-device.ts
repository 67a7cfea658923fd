// Whether this browser shows news that is pushed to it, and as which device the server knows it.

import { currentSubscription } from './push-subscription.ts'

export type PushState = 'unsupported' | 'blocked' | 'off' | 'on'

const workerUrl = '/shell-worker.js'

/** `known` are the ids of the devices to which the server pushes for whoever is signed in. */
export async function pushState(known: readonly string[]): Promise<PushState> {
  const isSupported =
    'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
  if (!isSupported) return 'unsupported'
  if (Notification.permission === 'denied') return 'blocked'
  const id = await ownDeviceId()
  return id !== undefined && known.includes(id) ? 'on' : 'off'
}

/** How the server calls this browser: the beginning of the SHA-256 of its endpoint. */
export async function ownDeviceId(): Promise<string | undefined> {
  const subscription = await currentSubscription()
  if (subscription === undefined) return undefined
  const digest = await crypto.subtle.digest(
    'SHA-256',
    new TextEncoder().encode(subscription.endpoint),
  )
  const bytes = Array.from(new Uint8Array(digest).subarray(0, 16))
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Thrown when the person or the browser does not allow notifications. */
export class NotAllowed extends Error {}

/**
 * Asks the person and subscribes anew, so that nothing is left of whoever used the browser before.
 * @throws NotAllowed
 */
export async function subscribe(publicKey: string): Promise<PushSubscription> {
  if ((await Notification.requestPermission()) !== 'granted') throw new NotAllowed()
  await navigator.serviceWorker.register(workerUrl)
  const { pushManager } = await navigator.serviceWorker.ready
  await (await pushManager.getSubscription())?.unsubscribe()
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
}
