// Says how old what is on screen is, when asking for it again fails.

import { formatTime } from '../lib/format.ts'
import { useUnreachedSince } from '../lib/unreached-since.ts'
import { Notice } from './notice.tsx'

/** Stays below the bar while the page is scrolled. */
export function UnreachedNote() {
  const since = useUnreachedSince()
  return (
    <div role="status" className="sticky top-18 z-2">
      {since !== undefined && (
        <Notice tone="warning" className="mb-4">
          As of {formatTime(since)}, not reached since. We keep trying.
        </Notice>
      )}
    </div>
  )
}
