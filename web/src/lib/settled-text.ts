// A text once nobody types at it any more.

import { useEffect, useState } from 'react'

/** How long after the last letter something is looked for, in milliseconds. */
const standsStillMs = 200

/**
 * What is typed once it has stood still for `delayMs`, nothing at once; and whether that is what
 * stands in the field.
 */
export function useSettledText(text: string, delayMs = standsStillMs) {
  const typed = text.trim()
  const [stood, setStood] = useState(typed)
  useEffect(() => {
    const timer = window.setTimeout(setStood, typed === '' ? 0 : delayMs, typed)
    return () => window.clearTimeout(timer)
  }, [typed, delayMs])
  const settled = typed === '' ? '' : stood
  return { settled, isSettled: settled === typed }
}
