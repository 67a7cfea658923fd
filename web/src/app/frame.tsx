// What stands around every screen: the way past the bar, the bar, and the screen's own place.

import { Outlet, useMatches } from '@tanstack/react-router'
import { NavBar } from './nav-bar.tsx'
import { OfflineBar } from './offline-bar.tsx'
import { useRouteAnnouncement } from './route-announcement.ts'

/** The first screen and the way out stand alone; all others have the bar. */
export function Frame() {
  const isBare = useMatches({ select: (matches) => matches.at(-1)?.staticData.isBare === true })
  useRouteAnnouncement()
  if (isBare) {
    return (
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
    )
  }
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
        <Outlet />
      </main>
    </>
  )
}
