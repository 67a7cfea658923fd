// The bar above a screen, and the screen's own place below it.

import type { ReactNode } from 'react'
import { Keyboard } from './keyboard.tsx'
import { NavBar } from './nav-bar.tsx'
import { OfflineBar } from './offline-bar.tsx'
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
