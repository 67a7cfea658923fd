// The providers that every screen stands in, and the net under them all.

import type { QueryClient } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useSelector } from '@tanstack/react-store'
import { useEffect, useState } from 'react'
import { logFailure } from '../lib/log.ts'
import { LiveRegion } from '../ui/feedback/live-region.tsx'
import { dismissToast, type Toast, toastDurationMs, toastStore } from '../ui/feedback/toast.ts'
import { Button } from '../ui/form/button.tsx'
import { lazyComponent, useFetchedOnPress } from '../ui/overlay/lazy-component.tsx'
import { CrashBoundary } from './crash-screen.tsx'
import { ServerState } from './refresher.ts'
import type { AppRouter } from './router.tsx'

const toasterPart = lazyComponent(() => import('../ui/feedback/toaster.tsx'), 'Toaster')

interface MessagesProps {
  /** What shows the messages. */
  readonly toaster?: typeof toasterPart
}

/**
 * While the code that shows messages cannot be had or has failed, one is said in plain text: at the
 * top, since it can neither be sent away nor make room for a bar at the foot.
 */
export function Messages({ toaster = toasterPart }: MessagesProps) {
  const message = useSelector(toastStore, ({ toasts }) => toasts[0])
  const { Component: Toaster } = useSelector(toaster.loaded)
  const [isMissing, setMissing] = useState(false)
  useFetchedOnPress(toaster)
  const id = message?.id
  useEffect(() => {
    if (id === undefined) return
    toaster.fetch().catch((error) => {
      logFailure('The messages could not be loaded', error)
      setMissing(true)
    })
  }, [id, toaster])
  const plain = message?.isOpen ? <PlainMessage key={message.id} message={message} /> : null
  if (!Toaster) return isMissing ? plain : null
  return (
    <CrashBoundary instead={plain}>
      <Toaster />
    </CrashBoundary>
  )
}

function PlainMessage({ message }: { readonly message: Toast }) {
  const { id, title, description, duration = toastDurationMs, action } = message
  useEffect(() => {
    // A timer without an end would be over at once.
    if (duration === Number.POSITIVE_INFINITY) return
    const timer = window.setTimeout(() => dismissToast(id), duration)
    return () => window.clearTimeout(timer)
  }, [id, duration])
  return (
    <div className="card on-card fixed inset-x-3 top-20 z-toast grid gap-2 bg-raised p-4 sm:end-auto sm:w-96">
      <p role="alert" className="whitespace-pre-line">
        <strong className="block">{title}</strong>
        {description}
      </p>
      {action && (
        <Button
          tone="secondary"
          className="justify-self-start"
          onClick={() => {
            action.onSelect()
            dismissToast(id)
          }}
        >
          {action.label}
        </Button>
      )}
    </div>
  )
}

export interface AppProps {
  readonly router: AppRouter
  readonly queryClient: QueryClient
}

export function App({ router, queryClient }: AppProps) {
  return (
    <ServerState queryClient={queryClient}>
      <CrashBoundary>
        <RouterProvider router={router} />
      </CrashBoundary>
      <LiveRegion />
      <Messages />
    </ServerState>
  )
}
