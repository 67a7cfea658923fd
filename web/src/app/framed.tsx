// The bar above a screen, and the screen's own place below it.

import { WifiOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { SuspensionBanner } from '../features/people/suspension-banner.tsx'
import { useOnline } from '../lib/online.ts'
import { Keyboard } from './keyboard.tsx'
import { NavBar } from './nav-bar.tsx'
import { useRealtimeUpdates } from './realtime-updates.ts'

export function Framed({ children }: { readonly children: ReactNode }) {
  useRealtimeUpdates()
  return (
    <>
      <a
        href="#main"
        className="button button-primary sr-only focus:not-sr-only focus:fixed focus:start-3 focus:top-3 focus:z-toast"
      >
        Skip to content
      </a>
      <NavBar />
      <OfflineBar />
      <SuspensionBanner />
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto w-full max-w-page px-4 pt-6 pb-12 sm:px-6 sm:pt-8"
      >
        {children}
      </main>
      <Keyboard />
    </>
  )
}

function OfflineBar() {
  const isOnline = useOnline()
  return (
    <div role="status">
      {!isOnline && (
        <p className="flex items-center justify-center gap-2 border-b border-warning bg-raised px-4 py-2 text-center font-semibold">
          <WifiOff aria-hidden="true" className="size-5 flex-none" />
          You are offline. What you see may be out of date.
        </p>
      )}
    </div>
  )
}
