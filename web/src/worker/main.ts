// What the browser runs as the worker: the rules of `shell-worker.ts` and `push.ts` with the real
// parts.

import { openPlace, type PushSource, renewPush, showPush } from './push.ts'
import { createShellWorker, type Shell } from './shell-worker.ts'

interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}

interface FetchEvent extends WorkerEvent {
  readonly request: Request
  respondWith(answer: Promise<Response>): void
}

interface PushEvent extends WorkerEvent {
  readonly data: { text(): string } | null
}

interface NotificationEvent extends WorkerEvent {
  readonly notification: Notification
}

interface SubscriptionEvent extends WorkerEvent {
  readonly newSubscription?: PushSubscription | null
}

interface WorkerScope extends EventTarget {
  readonly clients: { claim(): Promise<void> } & Parameters<typeof openPlace>[1]
  readonly registration: Parameters<typeof showPush>[1] & {
    readonly pushManager: PushSource
    readonly navigationPreload?: { disable(): Promise<void> }
  }
  skipWaiting(): Promise<void>
}

/** Set by the build. */
declare const builtShell: Shell

const scope = self as unknown as WorkerScope

function workerFor(event: WorkerEvent) {
  return createShellWorker({
    shell: builtShell,
    origin: self.location.origin,
    caches,
    fetch: (...request) => fetch(...request),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    finish: (work) => event.waitUntil(work),
  })
}

function on<Kind extends WorkerEvent>(name: string, listen: (event: Kind) => void): void {
  scope.addEventListener(name, (event) => listen(event as Kind))
}

on('install', (event) => {
  event.waitUntil(Promise.all([workerFor(event).install(), scope.skipWaiting()]))
})

on('activate', (event) => {
  // No navigation preload: the browser would make it for every address, also for those that the
  // worker leaves alone, and then send such a navigation to the server a second time. An earlier
  // worker may have asked for it, and the registration remembers that.
  const noPreload = scope.registration.navigationPreload?.disable()
  event.waitUntil(Promise.all([noPreload, workerFor(event).activate(), scope.clients.claim()]))
})

on<FetchEvent>('fetch', (event) => {
  const answer = workerFor(event).answer(event.request)
  if (answer) event.respondWith(answer)
})

on<PushEvent>('push', (event) => {
  event.waitUntil(showPush(event.data?.text(), scope.registration))
})

on<NotificationEvent>('notificationclick', (event) => {
  const { notification } = event
  notification.close()
  event.waitUntil(openPlace(notification.data?.path, scope.clients, self.location.origin))
})

on<SubscriptionEvent>('pushsubscriptionchange', (event) => {
  const { pushManager } = scope.registration
  event.waitUntil(renewPush(event.newSubscription, pushManager, (...request) => fetch(...request)))
})
