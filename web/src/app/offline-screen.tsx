// Stands in for a screen whose code is not on the device while there is no network.

import { RotateCw, WifiOff } from 'lucide-react'
import { useEffect } from 'react'
import { Button } from '../ui/button.tsx'

export interface OfflineScreenProps {
  /** For tests; loads the page anew otherwise. */
  readonly onRetry?: () => void
}

/** Tries again by itself as soon as there is a network. */
export function OfflineScreen({ onRetry = () => window.location.reload() }: OfflineScreenProps) {
  useEffect(() => {
    window.addEventListener('online', onRetry)
    return () => window.removeEventListener('online', onRetry)
  }, [onRetry])
  return (
    <div
      role="alert"
      className="mx-auto grid min-h-[60dvh] max-w-xl place-content-center justify-items-center gap-3 p-4 text-center"
    >
      <WifiOff aria-hidden="true" className="size-16 text-muted" />
      <h1 tabIndex={-1} className="text-3xl">
        You are offline
      </h1>
      <p className="text-lg text-muted">
        This screen has not been opened on this device yet. It comes as soon as you are connected
        again.
      </p>
      <Button onClick={onRetry} className="mt-3">
        <RotateCw aria-hidden="true" />
        Try again
      </Button>
    </div>
  )
}
