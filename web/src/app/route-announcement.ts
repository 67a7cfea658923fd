// After a change of screen: the document's title, the focus on the heading, and the title read out.

import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { brand, documentTitle } from '../lib/brand.ts'
import { announce } from '../ui/live-region.tsx'

/**
 * The heading is in the page once the screen is; a screen still loading shows it within this time.
 */
const headingWaitMs = 100

function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('main h1') ?? document.querySelector('main')
  if (heading && !heading.hasAttribute('tabindex')) heading.tabIndex = -1
  heading?.focus({ preventScroll: true })
}

/** Runs once, for the frame. */
export function useRouteAnnouncement(): void {
  const router = useRouter()
  useEffect(() => {
    const titleOf = () => router.state.matches.at(-1)?.staticData.title
    document.title = documentTitle(titleOf())
    let timer: number | undefined
    const unsubscribe = router.subscribe('onRendered', ({ pathChanged }) => {
      const title = titleOf()
      document.title = documentTitle(title)
      if (!pathChanged) return
      window.clearTimeout(timer)
      timer = window.setTimeout(() => {
        // A dialog or a menu that was opened meanwhile keeps the focus.
        if (!document.querySelector('[role="dialog"], [role="menu"]')) focusHeading()
        announce(title ?? brand.name)
      }, headingWaitMs)
    })
    return () => {
      unsubscribe()
      window.clearTimeout(timer)
    }
  }, [router])
}
