// Every route of the app: its screen, who may see it, and what its address can carry.

import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
} from '@tanstack/react-router'
import type { ComponentType, ReactNode } from 'react'
import { SignedIn } from '../features/session/signed-in.tsx'
import { OldStaffGate, StaffGate } from '../features/session/staff-gate.tsx'
import { LandingScreen } from '../screens/landing.tsx'
import { LogoutScreen } from '../screens/logout.tsx'
import { NotFoundScreen } from '../screens/not-found.tsx'
import { SpinnerPage } from '../ui/spinner.tsx'
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

const screens = import.meta.glob<Record<string, ComponentType>>([
  '../screens/*.tsx',
  '!../screens/*.test.tsx',
])

function screen(file: string, name: string): RouteComponent {
  const load = screens[`../screens/${file}.tsx`]
  return load ? lazyRouteComponent(load, name) : NotFoundScreen
}

interface PageSearch {
  /** Absent on the first page. */
  readonly page?: number
}

interface PrizesSearch extends PageSearch {
  /** Absent for physical prizes. */
  readonly filter?: 'redcoin'
}

function pageOf(search: Record<string, unknown>): PageSearch {
  const page = Number(search.page)
  return Number.isSafeInteger(page) && page > 1 ? { page } : {}
}

/** Tabs read what is theirs: the tab itself, and the filters, order and page within it. */
function adminSearch(search: Record<string, unknown>): Record<string, unknown> {
  return search
}

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
  component: signedIn(screen('dashboard', 'DashboardScreen')),
})

const inventoryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/inventory',
  staticData: { title: 'Pack Inventory' },
  component: signedIn(screen('inventory', 'InventoryScreen')),
})

const myPrizesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/my-prizes',
  staticData: { title: 'My Prizes' },
  validateSearch: (search): PrizesSearch => ({
    ...(search.filter === 'redcoin' && { filter: 'redcoin' }),
    ...pageOf(search),
  }),
  component: signedIn(screen('my-prizes', 'MyPrizesScreen')),
})

const storeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/store',
  staticData: { title: 'Pack Store' },
  component: signedIn(screen('store', 'StoreScreen')),
})

const profileRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/profile',
  staticData: { title: 'Profile Settings' },
  component: signedIn(screen('profile', 'ProfileScreen')),
})

const twitchStreamsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/twitch-streams',
  staticData: { title: 'Watch Rewards' },
  component: signedIn(screen('twitch-streams', 'TwitchStreamsScreen')),
})

const leaderboardRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/leaderboard',
  staticData: { title: 'Leaderboard' },
  validateSearch: pageOf,
  component: screen('leaderboard', 'LeaderboardScreen'),
})

const fairnessRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/fairness',
  staticData: { title: 'Fairness' },
  validateSearch: pageOf,
  component: screen('fairness', 'FairnessScreen'),
})

const adminRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin',
  staticData: { title: 'Admin Panel' },
  validateSearch: adminSearch,
  component: behind(StaffGate, screen('admin', 'AdminScreen')),
})

const adminNewRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin-new',
  staticData: { title: 'Admin Panel' },
  validateSearch: adminSearch,
  component: behind(StaffGate, screen('admin', 'AdminScreen')),
})

const adminOldRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin-old',
  staticData: { title: 'Admin Panel' },
  validateSearch: adminSearch,
  component: behind(OldStaffGate, screen('admin', 'AdminScreen')),
})

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

function hasNewPath(from: { pathname: string } | undefined, to: { pathname: string }): boolean {
  return from !== undefined && from.pathname !== to.pathname
}

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
    // Screens cross-fade; a change of filter or page within one does not.
    defaultViewTransition: {
      types: ({ fromLocation, toLocation }) =>
        hasNewPath(fromLocation, toLocation) ? ['screen'] : false,
    },
  })
}

type AppRouterOptions = Parameters<typeof createRouter<typeof routeTree>>[0]
export type AppRouter = ReturnType<typeof createAppRouter>
