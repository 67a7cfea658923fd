// A RedCoin amount that counts up to its value once, without React rendering every step.

import { useEffect, useRef } from 'react'
import { requestFrame } from '../../lib/request-frame.ts'
import { countUpMs } from './stage-beats.ts'

interface CountUpProps {
  readonly amount: number
  /** How the amount is written; called for the steps in between as well. */
  readonly write: (amount: number) => string
  /** Milliseconds before counting starts, or null to show the amount at once. */
  readonly delayMs: number | null
}

/** The full amount stands in the document from the start, for readers and for printing. */
export function CountUp({ amount, write, delayMs }: CountUpProps) {
  const text = useRef<HTMLSpanElement>(null)

  useEffect(() => {
    const node = text.current
    if (!node || delayMs === null || amount === 0) return
    let takeBack: (() => void) | undefined
    const stand = () => {
      node.textContent = write(amount)
    }
    const timer = setTimeout(() => {
      const start = performance.now()
      const step = (now: number) => {
        const share = Math.min(1, (now - start) / countUpMs)
        const eased = 1 - (1 - share) ** 3
        node.textContent = write(Math.round(amount * eased))
        if (share < 1) takeBack = requestFrame(step, stand)
      }
      takeBack = requestFrame(step, stand)
    }, delayMs)
    return () => {
      clearTimeout(timer)
      takeBack?.()
      stand()
    }
  }, [amount, write, delayMs])

  return (
    <span ref={text} className="tabular-nums">
      {write(amount)}
    </span>
  )
}
