// Says that something is still loading once that has taken unusually long.

import { useEffect, useState } from 'react'

/** Waiting is spoken of after this time, in milliseconds. */
const slowMs = 3000

/** Takes its line from the start, so that nothing moves when the sentence comes. */
export function SlowNote({ what }: { readonly what: string }) {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), slowMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <p role="status" className="min-h-6 text-muted">
      {isSlow && `Still loading ${what}. The server takes longer than usual.`}
    </p>
  )
}
