// The providers that every screen stands in, and the net under them all.

import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { LiveRegion } from '../ui/live-region.tsx'
import { CrashBoundary } from './crash-screen.tsx'
import { Messages } from './messages.tsx'
import type { AppRouter } from './router.tsx'

export interface AppProps {
  readonly router: AppRouter
  readonly queryClient: QueryClient
}

export function App({ router, queryClient }: AppProps) {
  return (
    <QueryClientProvider client={queryClient}>
      <CrashBoundary>
        <RouterProvider router={router} />
      </CrashBoundary>
      <LiveRegion />
      <Messages />
    </QueryClientProvider>
  )
}
