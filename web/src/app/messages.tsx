// Brings the messages in: when there is one, or when the browser has nothing better to do.

import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { toastStore } from '../ui/toast-state.ts'

const Toaster = lazy(async () => ({ default: (await import('../ui/toaster.tsx')).Toaster }))

/** The first screen is drawn by then, in milliseconds. */
const idleMs = 1000

export function Messages() {
  const hasMessage = useSyncExternalStore(
    toastStore.subscribe,
    () => toastStore.read().toasts.length > 0,
  )
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    const timer = window.setTimeout(setIdle, idleMs, true)
    return () => window.clearTimeout(timer)
  }, [])
  return <Suspense fallback={null}>{(hasMessage || isIdle) && <Toaster />}</Suspense>
}
