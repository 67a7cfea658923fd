// A number that counts to its new value, so that a change is seen.

import { useEffect, useRef, useState } from 'react'
import { requestFrame } from '../../lib/request-frame.ts'
import { NumberText } from './number-text.tsx'

/** How long counting takes, in milliseconds. */
const rollingMs = 400

/**
 * Counting is for the eye alone: readers hear the final value elsewhere, and it never counts at
 * first.
 */
export function RollingNumber({ value }: { readonly value: number }) {
  const [shown, setShown] = useState(value)
  const from = useRef(value)

  useEffect(() => {
    const start = from.current
    if (start === value) return
    from.current = value
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) {
      setShown(value)
      return
    }
    // Frames have a clock of their own, so the first one says when counting began.
    let startedAt: number | undefined
    const stand = () => setShown(value)
    let takeBack = requestFrame(function step(now) {
      startedAt ??= now
      const part = Math.min(1, (now - startedAt) / rollingMs)
      const eased = 1 - (1 - part) ** 3
      setShown(part === 1 ? value : Math.round(start + (value - start) * eased))
      if (part < 1) takeBack = requestFrame(step, stand)
    }, stand)
    return () => {
      takeBack()
      stand()
    }
  }, [value])

  return (
    <span className="tabular-nums">
      <NumberText value={shown} />
    </span>
  )
}
