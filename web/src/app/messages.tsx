// Brings the messages in: when there is one, or with the first press, which may bring one about.

import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { toastStore } from '../ui/toast-state.ts'

const Toaster = lazy(async () => ({ default: (await import('../ui/toaster.tsx')).Toaster }))

export function Messages() {
  const hasMessage = useSyncExternalStore(
    toastStore.subscribe,
    () => toastStore.read().toasts.length > 0,
  )
  const [isUsed, setUsed] = useState(false)
  useEffect(() => {
    const presses = new AbortController()
    for (const press of ['pointerdown', 'keydown']) {
      window.addEventListener(press, () => setUsed(true), { once: true, signal: presses.signal })
    }
    return () => presses.abort()
  }, [])
  return <Suspense fallback={null}>{(hasMessage || isUsed) && <Toaster />}</Suspense>
}
