// When the first picture of the screen is complete, so that its parts come in one and do not push
// each other about.

import type { Stream, WatchCompletion, WatchSession } from '@redpack/contract'
import { useEffect, useState } from 'react'
import { useOnceTrue } from '../../lib/once-true.ts'
import { broadcastKey, startableStreams } from './broadcasts.ts'
import type { StartErrors } from './use-auto-start.ts'

/** How long a session that is being started is waited for, in milliseconds. */
const startMsMax = 1_500

interface Answer<T> {
  readonly data: T | undefined
  readonly isPending: boolean
}

/**
 * Whether all three lists are known, or known to be missing, and what can be watched has a session.
 * Once true it stays so.
 */
export function useInitialDataReady(
  streams: Answer<readonly Stream[]>,
  sessions: Answer<readonly WatchSession[]>,
  completions: Answer<readonly WatchCompletion[]>,
  startErrors: StartErrors,
): boolean {
  const isKnown = !(streams.isPending || sessions.isPending || completions.isPending)
  const startable =
    streams.data && sessions.data && completions.data
      ? startableStreams(streams.data, sessions.data, completions.data)
      : []
  const isStarting = startable.some(
    ({ stream, streamSessionId }) =>
      !startErrors.has(broadcastKey({ streamId: stream.id, streamSessionId })),
  )
  const [isLate, setLate] = useState(false)
  const isSettled = useOnceTrue(isKnown && (isLate || !isStarting))
  useEffect(() => {
    if (isSettled || !isKnown) return
    const timer = window.setTimeout(setLate, startMsMax, true)
    return () => window.clearTimeout(timer)
  }, [isSettled, isKnown])
  return isSettled
}
