// Turning the pages of a list: once the page that was asked for is there, readers are taken to it.

import { useEffect, useRef } from 'react'
import { announce } from './live-region.tsx'

/**
 * `said` is what is announced of the page that stands there, undefined while another one's rows
 * stand in. @returns the heading that readers are taken to, and what turns the page
 */
export function usePageTurning<Page>(said: string | undefined, onPageChange: (page: Page) => void) {
  const heading = useRef<HTMLHeadingElement>(null)
  const isTurning = useRef(false)
  useEffect(() => {
    if (!isTurning.current || said === undefined) return
    isTurning.current = false
    heading.current?.scrollIntoView({ block: 'start' })
    heading.current?.focus({ preventScroll: true })
    announce(said)
  }, [said])
  const turnTo = (page: Page) => {
    isTurning.current = true
    onPageChange(page)
  }
  return { heading, turnTo }
}
