// A RedCoin amount that counts up to its value once, without React rendering every step.

import { useEffect, useRef } from 'react'
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
    let frame = 0
    const timer = setTimeout(() => {
      const start = performance.now()
      const step = (now: number) => {
        const share = Math.min(1, (now - start) / countUpMs)
        const eased = 1 - (1 - share) ** 3
        node.textContent = write(Math.round(amount * eased))
        if (share < 1) frame = requestAnimationFrame(step)
      }
      frame = requestAnimationFrame(step)
    }, delayMs)
    return () => {
      clearTimeout(timer)
      cancelAnimationFrame(frame)
      node.textContent = write(amount)
    }
  }, [amount, write, delayMs])

  return (
    <span ref={text} className="tabular-nums">
      {write(amount)}
    </span>
  )
}
