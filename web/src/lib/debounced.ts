// A value that changes quickly, a moment behind.

import { useEffect, useState } from 'react'

/** The value once it has stood still for `delayMs`; an empty text at once. */
export function useDebounced(value: string, delayMs: number): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = window.setTimeout(setSettled, value === '' ? 0 : delayMs, value)
    return () => window.clearTimeout(timer)
  }, [value, delayMs])
  return value === '' ? '' : settled
}
