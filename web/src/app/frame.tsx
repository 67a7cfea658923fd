// What stands around every screen. The first screen and the way out stand alone.

import {
  type AsyncRouteComponent,
  lazyRouteComponent,
  Outlet,
  useMatches,
  useRouter,
} from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect } from 'react'
import { useAccountSwitches } from '../features/session/account-switch.ts'
import { useLoggingOut } from '../features/session/logging-out.ts'
import { brand, documentTitle } from '../lib/brand.ts'
import { announce } from '../ui/feedback/live-region.tsx'
import { SpinnerPage } from '../ui/feedback/spinner.tsx'

/** The bar with its menus is code that the first screen does not need. */
const Framed: AsyncRouteComponent<{ readonly children: ReactNode }> = lazyRouteComponent(
  () => import('./framed.tsx'),
  'Framed',
)

/** Fetches the code of the bar ahead of the first screen that has it. */
export async function preloadFrame(): Promise<void> {
  await Framed.preload?.()
}

export function Frame() {
  const isBare = useMatches({ select: (matches) => matches.at(-1)?.staticData.isBare === true })
  const isWayOut = useMatches({ select: (matches) => matches.at(-1)?.fullPath === '/logout' })
  const visit = useAccountSwitches()
  const isLoggingOut = useLoggingOut()
  useRouteAnnouncement()
  const screen = isLoggingOut && !isWayOut ? <SpinnerPage /> : <Outlet />
  if (isBare) {
    return (
      <main key={visit} id="main" tabIndex={-1}>
        {screen}
      </main>
    )
  }
  return (
    <Suspense key={visit} fallback={<SpinnerPage />}>
      <Framed>{screen}</Framed>
    </Suspense>
  )
}

/**
 * The heading is in the page once the screen is; a screen still loading shows it within this time.
 */
const headingWaitMs = 100

const fadeMs = 160

/**
 * The new screen alone fades: a cross-fade of the browser's puts a picture of the page over it for
 * as long as it lasts, and swallows every press meanwhile.
 */
function fadeIn(): void {
  if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return
  document.querySelector('#main')?.animate?.({ opacity: [0, 1] }, fadeMs)
}

function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('main h1') ?? document.querySelector('main')
  if (heading && !heading.hasAttribute('tabindex')) heading.tabIndex = -1
  heading?.focus({ preventScroll: true })
}

/** Runs once, for the frame. */
function useRouteAnnouncement(): void {
  const router = useRouter()
  useEffect(() => {
    const titleOf = () => router.state.matches.at(-1)?.staticData.title
    document.title = documentTitle(titleOf())
    let timer: number | undefined
    const unsubscribe = router.subscribe('onRendered', ({ pathChanged }) => {
      const title = titleOf()
      document.title = documentTitle(title)
      if (!pathChanged) return
      fadeIn()
      window.clearTimeout(timer)
      timer = window.setTimeout(() => {
        // What was opened or begun meanwhile keeps the focus.
        const isBegun =
          document.querySelector('[role="dialog"], [role="menu"]') ??
          document.activeElement?.closest('main *')
        if (!isBegun) focusHeading()
        announce(title ?? brand.name)
      }, headingWaitMs)
    })
    return () => {
      unsubscribe()
      window.clearTimeout(timer)
    }
  }, [router])
}
