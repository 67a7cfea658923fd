// Asks the browser to keep the application for times without a network.

import { logFailure } from '../lib/log.ts'

/** The first screen has the network for itself until then, in milliseconds. */
const calmAfterMs = 3_000

/** Only built pages have a worker; a browser without such workers goes on as before. */
export function keepShell(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const workers = navigator.serviceWorker
  const keep = () => keepLoaded(reportFailure)
  window.setTimeout(() => {
    // It may have come while this page was loading, and seen the second half of it.
    if (workers.controller) keep()
    else workers.addEventListener('controllerchange', keep, { once: true })
    workers.register('/shell-worker.js').catch(reportFailure)
  }, calmAfterMs)
}

const reportFailure = (error: unknown) =>
  logFailure('The application could not be kept on this device', error)

/**
 * The first worker comes after the first screen, whose files it keeps when it sees them: those that
 * are there by now, and those that were on their way past it and arrive later.
 */
export function keepLoaded(onFailure: (error: unknown) => void): void {
  const asked = new Set<string>()
  const keep = async ({ name, responseStatus }: PerformanceResourceTiming) => {
    const { origin, pathname } = new URL(name)
    const isFile = origin === location.origin && pathname.startsWith('/assets/')
    // What failed has no status.
    if (!isFile || responseStatus === 0 || asked.has(name)) return
    asked.add(name)
    if ((await caches.match(name)) === undefined) await fetch(name)
  }
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) keep(entry as PerformanceResourceTiming).catch(onFailure)
  })
  observer.observe({ type: 'resource', buffered: true })
}
