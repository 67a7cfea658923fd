// Renders what a test looks at: one component among the providers, or the whole app at an address.

import type { Topic } from '@redpack/contract'
import type { QueryClient } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { App } from '../src/app/app.tsx'
import { preloadFrame } from '../src/app/frame.tsx'
import { createQueryClient, ServerState } from '../src/app/refresher.ts'
import { createAppRouter } from '../src/app/router.tsx'
import { LiveRegion } from '../src/ui/feedback/live-region.tsx'
import { Toaster } from '../src/ui/feedback/toaster.tsx'
import { confirmPanel, dialogPanel } from '../src/ui/overlay/dialog.tsx'
import { dropDown } from '../src/ui/overlay/menu.tsx'

interface Rendered {
  readonly user: ReturnType<typeof userEvent.setup>
  readonly queryClient: QueryClient
}

/** As after a first press on the page: what opens then has its code. */
export async function fetchPanels(): Promise<void> {
  await Promise.all([dialogPanel, confirmPanel, dropDown].map(({ fetch }) => fetch()))
}

/** The component at `/`, in a router that knows no other screen; links show where they lead. */
export async function renderPart(part: ReactNode): Promise<Rendered & ReturnType<typeof render>> {
  const rootRoute = createRootRoute()
  const indexRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/',
    component: () => part,
  })
  const router = createRouter({
    routeTree: rootRoute.addChildren([indexRoute]),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  await Promise.all([router.load(), fetchPanels()])
  const queryClient = createQueryClient()
  const user = userEvent.setup()
  const view = render(
    <ServerState queryClient={queryClient}>
      {/* The app's own router type is registered; this one only carries links. */}
      <RouterProvider router={router as never} />
      <LiveRegion />
      <Toaster />
    </ServerState>,
  )
  return { ...view, user, queryClient }
}

/**
 * Fetches the code of every tab of the panel: the router's component for code that is not there yet
 * asks React for a promise once and not again, of which React warns.
 */
export async function fetchTabs(): Promise<void> {
  const { shownTabs } = await import('../src/screens/admin.tsx')
  await Promise.all(shownTabs.map(({ Panel }) => Panel.preload?.()))
}

/** The whole app at an address. */
export async function renderApp(address: string) {
  const router = createAppRouter({ history: createMemoryHistory({ initialEntries: [address] }) })
  if (address.startsWith('/admin')) await fetchTabs()
  await Promise.all([router.load(), preloadFrame(), fetchPanels()])
  const queryClient = createQueryClient()
  const user = userEvent.setup()
  const view = render(<App router={router} queryClient={queryClient} />)
  return { ...view, user, queryClient, router }
}

interface LeftQuery {
  readonly queryKey: readonly unknown[]
  readonly meta: { readonly shows: readonly Topic[] }
}

/** Leaves answers in the cache as earlier screens would have; @returns which of them are stale. */
export function leaveAnswers(queryClient: QueryClient, ...queries: readonly LeftQuery[]) {
  const left = queries.map((query) => {
    const kept = queryClient.getQueryCache().build(queryClient, query)
    kept.setData([])
    return kept
  })
  return () => left.filter(({ state }) => state.isInvalidated).map(({ queryKey }) => queryKey[0])
}
