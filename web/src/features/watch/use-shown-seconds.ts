// The seconds of a session as they are shown: running on between two answers of the server.

import { useEffect, useState } from 'react'
import { type Anchor, nextAnchor, shownSeconds } from './progress.ts'

const tickMs = 1000

/** Follows the server's count, and while time counts runs at most one poll ahead of it. */
export function useShownSeconds(serverSeconds: number, isCounting: boolean): number {
  const [nowMs, setNowMs] = useState(Date.now)
  const [anchor, setAnchor] = useState<Anchor>(() => ({
    seconds: serverSeconds,
    sinceMs: Date.now(),
    shownThen: serverSeconds,
  }))
  if (anchor.seconds !== serverSeconds) setAnchor(nextAnchor(anchor, serverSeconds, Date.now()))
  useEffect(() => {
    if (!isCounting) return
    const timer = window.setInterval(() => setNowMs(Date.now()), tickMs)
    return () => window.clearInterval(timer)
  }, [isCounting])
  return shownSeconds(anchor, nowMs)
}
