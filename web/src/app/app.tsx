// The providers that every screen stands in, and the net under them all.

import type { QueryClient } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { LiveRegion } from '../ui/feedback/live-region.tsx'
import { CrashBoundary } from './crash-screen.tsx'
import { Messages } from './messages.tsx'
import { ServerState } from './refresher.ts'
import type { AppRouter } from './router.tsx'

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
