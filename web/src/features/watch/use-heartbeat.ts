// Reports a running session to the server once a minute, in hidden tabs too.

import type { WatchSession } from '@redpack/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { logFailure } from '../../lib/log.ts'
import type { BeatState } from './not-counting-reason.ts'
import { heartbeatMs, sendHeartbeat } from './queries.ts'

/** A beat later than this means that the page was asleep, in milliseconds. */
const pausedAfterMs = 2 * heartbeatMs
/** After this time without a beat, coming back to the page sends one at once, in milliseconds. */
const overdueMs = 1.5 * heartbeatMs

/**
 * Beats while the calling component is there. A failed beat is logged and shown as the reason
 * only.
 */
export function useHeartbeat({ streamId, streamSessionId }: WatchSession): BeatState {
  const queryClient = useQueryClient()
  const [state, setState] = useState<BeatState>({})
  useEffect(() => {
    let isGone = false
    let lastBeatMs = Date.now()
    const beat = async () => {
      const gapMs = Date.now() - lastBeatMs
      lastBeatMs = Date.now()
      const pausedMs = gapMs > pausedAfterMs ? gapMs : undefined
      try {
        await sendHeartbeat(queryClient, { streamId, streamSessionId })
        if (!isGone) setState({ pausedMs })
      } catch (error) {
        logFailure('A heartbeat failed', error)
        if (!isGone) setState({ error, pausedMs })
      }
    }
    // An interval keeps its rhythm where the browser wakes hidden tabs only once a minute.
    let timer = window.setInterval(beat, heartbeatMs)
    const onVisibility = () => {
      if (document.visibilityState !== 'visible' || Date.now() - lastBeatMs < overdueMs) return
      window.clearInterval(timer)
      timer = window.setInterval(beat, heartbeatMs)
      void beat()
    }
    document.addEventListener('visibilitychange', onVisibility)
    return () => {
      isGone = true
      window.clearInterval(timer)
      document.removeEventListener('visibilitychange', onVisibility)
    }
  }, [queryClient, streamId, streamSessionId])
  return state
}
