// What stands around every screen. The first screen and the way out stand alone.

import {
  type AsyncRouteComponent,
  lazyRouteComponent,
  Outlet,
  useMatches,
} from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { SpinnerPage } from '../ui/spinner.tsx'
import { useRouteAnnouncement } from './route-announcement.ts'

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
  useRouteAnnouncement()
  if (isBare) {
    return (
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
    )
  }
  return (
    <Suspense fallback={<SpinnerPage />}>
      <Framed>
        <Outlet />
      </Framed>
    </Suspense>
  )
}
