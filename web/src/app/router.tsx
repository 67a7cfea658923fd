// Every route of the app: its screen, who may see it, and what its address can carry.

import {
  createRootRoute,
  createRoute,
  createRouter,
  type RouteComponent,
} from '@tanstack/react-router'
import { House } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import { OldStaffGate, SignedIn, StaffGate } from '../features/session/gates.tsx'
import { screenCode } from '../lib/missing-code.ts'
import { LandingScreen } from '../screens/landing.tsx'
import { LogoutScreen } from '../screens/logout.tsx'
import { SpinnerPage } from '../ui/feedback/spinner.tsx'
import { LinkButton } from '../ui/form/button.tsx'
import { CrashScreen } from './crash-screen.tsx'
import { Frame } from './frame.tsx'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Names the screen in the document's title and to screen readers. */
    readonly title?: string
    /** True for screens without the navigation bar. */
    readonly isBare?: boolean
  }
  interface Register {
    router: AppRouter
  }
}

/** A screen behind a door; its code is loaded while the door asks who is there. */
function behind(Door: ComponentType<{ children: ReactNode }>, Screen: RouteComponent) {
  const Guarded: RouteComponent = () => (
    <Door>
      <Screen />
    </Door>
  )
  Guarded.preload = Screen.preload
  return Guarded
}

function signedIn(Screen: RouteComponent): RouteComponent {
  return behind(SignedIn, Screen)
}

const AdminScreen = screenCode(() => import('../screens/admin.tsx'), 'AdminScreen')

const rootRoute = createRootRoute({
  component: Frame,
  notFoundComponent: NotFoundScreen,
})

const landingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  staticData: { isBare: true },
  validateSearch: (search): { authError?: string } =>
    typeof search.authError === 'string' ? { authError: search.authError } : {},
  component: LandingScreen,
})

const dashboardRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/dashboard',
  staticData: { title: 'Dashboard' },
  component: signedIn(screenCode(() => import('../screens/dashboard.tsx'), 'DashboardScreen')),
})

const inventoryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/inventory',
  staticData: { title: 'Pack Inventory' },
  component: signedIn(screenCode(() => import('../screens/inventory.tsx'), 'InventoryScreen')),
})

const myPrizesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/my-prizes',
  staticData: { title: 'My Prizes' },
  component: signedIn(screenCode(() => import('../screens/my-prizes.tsx'), 'MyPrizesScreen')),
})

const historyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/history',
  staticData: { title: 'History' },
  // For links: the screens themselves read what the address says, and mind only what they know.
  validateSearch: (search): { view?: 'openings' } => search,
  component: signedIn(screenCode(() => import('../screens/history.tsx'), 'HistoryScreen')),
})

const notificationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/notifications',
  staticData: { title: 'News by email', isBare: true },
  validateSearch: (search): { verify?: string; unsubscribe?: string } => ({
    ...(typeof search.verify === 'string' && { verify: search.verify }),
    ...(typeof search.unsubscribe === 'string' && { unsubscribe: search.unsubscribe }),
  }),
  component: screenCode(() => import('../screens/notifications.tsx'), 'NotificationsScreen'),
})

const storeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/store',
  staticData: { title: 'Pack Store' },
  component: signedIn(screenCode(() => import('../screens/store.tsx'), 'StoreScreen')),
})

const profileRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/profile',
  staticData: { title: 'Profile Settings' },
  component: signedIn(screenCode(() => import('../screens/profile.tsx'), 'ProfileScreen')),
})

const twitchStreamsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/twitch-streams',
  staticData: { title: 'Watch Rewards' },
  component: signedIn(
    screenCode(() => import('../screens/twitch-streams.tsx'), 'TwitchStreamsScreen'),
  ),
})

const leaderboardRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/leaderboard',
  staticData: { title: 'Leaderboard' },
  component: screenCode(() => import('../screens/leaderboard.tsx'), 'LeaderboardScreen'),
})

const fairnessRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/fairness',
  staticData: { title: 'Fairness' },
  component: screenCode(() => import('../screens/fairness.tsx'), 'FairnessScreen'),
})

function adminRouteAt<const Path extends string>(path: Path, Door: typeof StaffGate) {
  return createRoute({
    getParentRoute: () => rootRoute,
    path,
    staticData: { title: 'Admin Panel' },
    // Filters, order and page of a tab, which reads what is its own.
    validateSearch: (search): { tab?: string; [name: string]: unknown } => search,
    component: behind(Door, AdminScreen),
  })
}

const adminRoute = adminRouteAt('/admin', StaffGate)
const adminNewRoute = adminRouteAt('/admin-new', StaffGate)
const adminOldRoute = adminRouteAt('/admin-old', OldStaffGate)

const logoutRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/logout',
  staticData: { title: 'Logging out', isBare: true },
  component: LogoutScreen,
})

const routeTree = rootRoute.addChildren([
  landingRoute,
  dashboardRoute,
  inventoryRoute,
  myPrizesRoute,
  historyRoute,
  notificationsRoute,
  storeRoute,
  profileRoute,
  twitchStreamsRoute,
  leaderboardRoute,
  fairnessRoute,
  adminRoute,
  adminNewRoute,
  adminOldRoute,
  logoutRoute,
])

/** A router over the browser's own history; tests may bring another. */
export function createAppRouter(options?: Pick<AppRouterOptions, 'history'>) {
  return createRouter({
    ...options,
    routeTree,
    defaultPreload: 'intent',
    defaultErrorComponent: CrashScreen,
    defaultPendingComponent: SpinnerPage,
    defaultPendingMs: 300,
    scrollRestoration: true,
  })
}

type AppRouterOptions = Parameters<typeof createRouter<typeof routeTree>>[0]
export type AppRouter = ReturnType<typeof createAppRouter>

function NotFoundScreen() {
  return (
    <div className="grid min-h-[60dvh] place-content-center justify-items-center gap-3 text-center">
      <img src="/art/not-found.svg" alt="" width={320} height={240} className="h-auto max-w-full" />
      <p className="font-display text-lg font-semibold text-muted">404</p>
      <h1 tabIndex={-1} className="text-3xl">
        Page Not Found
      </h1>
      <p className="mb-4 max-w-prose text-lg text-muted">There is nothing at this address.</p>
      <LinkButton icon={House} to="/">
        Go to the home page
      </LinkButton>
    </div>
  )
}
