// Asks the browser to keep the application for times without a network.

import { logFailure } from '../lib/log.ts'

/** The first screen has the network for itself until then, in milliseconds. */
const calmAfterMs = 3_000

/** Only built pages have a worker; a browser without such workers goes on as before. */
export function keepShell(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const workers = navigator.serviceWorker
  const report = (error: unknown) =>
    logFailure('The application could not be kept on this device', error)
  if (!workers.controller) {
    const keep = () => keepLoaded().catch(report)
    workers.addEventListener('controllerchange', keep, { once: true })
  }
  window.setTimeout(() => {
    workers.register('/shell-worker.js').catch(report)
  }, calmAfterMs)
}

/** The first worker comes after the first screen, whose files it keeps when it sees them. */
async function keepLoaded(): Promise<void> {
  const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name))
  const files = loaded.filter(
    ({ origin, pathname }) => origin === location.origin && pathname.startsWith('/assets/'),
  )
  await Promise.all(files.map((file) => fetch(file)))
}
