// Brings the messages in: when there is one, or with the first press, which may bring one about.

import { useSelector } from '@tanstack/react-store'
import { useEffect, useState } from 'react'
import { logFailure } from '../lib/log.ts'
import { dismissToast, type Toast, toastDurationMs, toastStore } from '../ui/feedback/toast.ts'
import { Button } from '../ui/form/button.tsx'
import {
  type LazyComponent,
  lazyComponent,
  useFetchedOnPress,
} from '../ui/overlay/lazy-component.tsx'
import { CrashBoundary } from './crash-screen.tsx'

const toasterPart = lazyComponent<object>(
  async () => (await import('../ui/feedback/toaster.tsx')).Toaster,
)

export interface MessagesProps {
  /** What shows the messages. */
  readonly toaster?: LazyComponent<object>
}

/** While the code that shows messages cannot be had or has failed, one is said in plain text. */
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
    const timer = window.setTimeout(() => dismissToast(id), duration)
    return () => window.clearTimeout(timer)
  }, [id, duration])
  return (
    <div className="card on-card fixed inset-x-3 bottom-3 z-toast grid gap-2 bg-raised p-4 sm:end-auto sm:w-96">
      <p role="alert">
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
