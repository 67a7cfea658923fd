// Keeps the messages off what is pressed next, while the page under them changes.

import { type RefObject, useLayoutEffect } from 'react'
import { requestFrame } from '../lib/request-frame.ts'
import { freePlace, obstaclesOf } from './toast-place.ts'

/** The page is looked at again this often while a message shows, in milliseconds. */
const lookAgainMs = 300

/**
 * Moves `holder` from its usual place to a free one as long as `isOn`. A message under the pointer
 * or with the focus inside stays where it is.
 */
export function useToastPlace(
  holder: RefObject<HTMLElement | null>,
  isOn: boolean,
  /** Another message may have another size. */
  shownId: string | undefined,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message is placed anew
  useLayoutEffect(() => {
    const element = holder.current
    if (!element || !isOn) return
    let moved = { left: 0, top: 0 }
    const place = () => {
      const box = element.getBoundingClientRect()
      const { width, height } = box
      if (width === 0 || height === 0) return
      const usual = { left: box.left - moved.left, top: box.top - moved.top, width, height }
      const { left, top } = freePlace(
        usual,
        { width: document.documentElement.clientWidth, height: window.innerHeight },
        obstaclesOf(element),
      )
      moved = { left: left - usual.left, top: top - usual.top }
      element.style.translate = `${moved.left}px ${moved.top}px`
    }
    const placeAnew = () => {
      if (!element.matches(':hover, :focus-within')) place()
    }
    // Before it is painted first, wherever the pointer rests; earlier it would be laid out twice.
    const takeBack = requestFrame(place)
    const timer = setInterval(placeAnew, lookAgainMs)
    window.addEventListener('resize', placeAnew)
    return () => {
      takeBack()
      clearInterval(timer)
      window.removeEventListener('resize', placeAnew)
      element.style.translate = ''
    }
  }, [holder, isOn, shownId])
}
