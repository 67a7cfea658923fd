// What stands in for a screen that threw, and the boundary that catches what nothing else does.

import { House, RotateCw, WifiOff } from 'lucide-react'
import { Component, type ReactNode, useEffect } from 'react'
import { isMissingCode, MissingOffline } from '../lib/missing-code.ts'
import { useOnline } from '../lib/online.ts'
import { Button } from '../ui/form/button.tsx'
import { CopyButton } from '../ui/form/copy-button.tsx'
import { Disclosure } from '../ui/layout/section.tsx'

const refresh = () => window.location.reload()

/** Needs no data and no router: it must stand when those are what broke. */
export function CrashScreen({ error }: { readonly error: unknown }) {
  const isOnline = useOnline()
  if (error instanceof MissingOffline || (!isOnline && isMissingCode(error))) {
    return <OfflineScreen />
  }
  const message = error instanceof Error ? error.message : String(error)
  return (
    <div
      role="alert"
      className="mx-auto grid min-h-[60dvh] max-w-xl place-content-center justify-items-center gap-3 p-4 text-center"
    >
      <img src="/art/crash.svg" alt="" width={320} height={240} className="h-auto max-w-full" />
      <h1 tabIndex={-1} className="text-3xl">
        Something went wrong
      </h1>
      <p className="text-lg text-muted">
        An unexpected error occurred. This might be due to a temporary issue.
      </p>
      <div className="mt-3 flex flex-wrap justify-center gap-3">
        <Button icon={RotateCw} onClick={refresh}>
          Refresh Page
        </Button>
        <Button icon={House} tone="secondary" onClick={() => window.location.assign('/dashboard')}>
          Return to Dashboard
        </Button>
      </div>
      <Disclosure summary="Technical Details" className="mt-3 w-full">
        <div className="card on-card flex items-start gap-2 p-3 text-start">
          <code className="min-w-0 flex-1 self-center break-words text-sm">{message}</code>
          <CopyButton text={message} label="Copy technical details" />
        </div>
      </Disclosure>
    </div>
  )
}

interface CrashBoundaryProps {
  readonly children: ReactNode
  /** What stands in; the crash screen when absent. */
  readonly instead?: ReactNode
}

interface CrashBoundaryState {
  readonly failure: { readonly error: unknown } | null
}

/** Shows something else in place of children that threw while rendering. */
export class CrashBoundary extends Component<CrashBoundaryProps, CrashBoundaryState> {
  override state: CrashBoundaryState = { failure: null }

  static getDerivedStateFromError(error: unknown): CrashBoundaryState {
    return { failure: { error } }
  }

  override render(): ReactNode {
    const { failure } = this.state
    const { children, instead } = this.props
    if (!failure) return children
    return instead === undefined ? <CrashScreen error={failure.error} /> : instead
  }
}

/** Tries again by itself as soon as there is a network. */
export function OfflineScreen() {
  useEffect(() => {
    // The network may be back before this is shown: the question who is signed in came first.
    if (navigator.onLine) refresh()
    window.addEventListener('online', refresh)
    return () => window.removeEventListener('online', refresh)
  }, [])
  return (
    <div
      role="alert"
      className="mx-auto grid min-h-[60dvh] max-w-xl place-content-center justify-items-center gap-3 p-4 text-center"
    >
      <WifiOff className="size-16 text-muted" />
      <h1 tabIndex={-1} className="text-3xl">
        You are offline
      </h1>
      <p className="text-lg text-muted">
        This screen has not been opened on this device yet. It will load once you are back online.
      </p>
      <Button icon={RotateCw} onClick={refresh} className="mt-3">
        Try again
      </Button>
    </div>
  )
}
