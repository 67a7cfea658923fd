// The providers that every screen stands in, and the net under them all.

import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { LiveRegion } from '../ui/live-region.tsx'
import { Toaster } from '../ui/toaster.tsx'
import { TooltipProvider } from '../ui/tooltip.tsx'
import { CrashBoundary } from './crash-screen.tsx'
import type { AppRouter } from './router.tsx'

export interface AppProps {
  readonly router: AppRouter
  readonly queryClient: QueryClient
}

export function App({ router, queryClient }: AppProps) {
  return (
    <QueryClientProvider client={queryClient}>
      <TooltipProvider>
        <CrashBoundary>
          <RouterProvider router={router} />
        </CrashBoundary>
        <LiveRegion />
        <Toaster />
      </TooltipProvider>
    </QueryClientProvider>
  )
}
