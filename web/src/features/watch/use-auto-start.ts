// Starts watch sessions by itself, for every broadcast that can be watched.

import type { Stream, WatchCompletion, WatchSession } from '@redpack/contract'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { broadcastKey, startableStreams } from './broadcasts.ts'
import { startSession } from './queries.ts'

/** How long after an attempt a broadcast is tried again, in milliseconds. */
const startAgainMs = 60_000

export interface Watchable {
  readonly streams: readonly Stream[] | undefined
  readonly sessions: readonly WatchSession[] | undefined
  readonly completions: readonly WatchCompletion[] | undefined
  /** Changes with every answer of the server, so that a failed start is tried again. */
  readonly updatedAtMs: number
}

/** Why sessions could not be started, by `broadcastKey`. */
export type StartErrors = ReadonlyMap<string, unknown>

/** Waits until all three lists are known. A failure is said once per broadcast. */
export function useAutoStart({
  streams,
  sessions,
  completions,
  updatedAtMs,
}: Watchable): StartErrors {
  const queryClient = useQueryClient()
  const attempts = useRef(new Map<string, number>())
  const [errors, setErrors] = useState<StartErrors>(new Map())
  // biome-ignore lint/correctness/useExhaustiveDependencies: every answer is a reason to look again
  useEffect(() => {
    if (!streams || !sessions || !completions) return
    for (const { stream, streamSessionId } of startableStreams(streams, sessions, completions)) {
      const order = { streamId: stream.id, streamSessionId }
      const key = broadcastKey(order)
      const triedMs = attempts.current.get(key)
      if (triedMs !== undefined && Date.now() - triedMs < startAgainMs) continue
      attempts.current.set(key, Date.now())
      void start(queryClient, order, triedMs === undefined).then((error) =>
        setErrors((known) => changed(known, key, error)),
      )
    }
  }, [queryClient, streams, sessions, completions, updatedAtMs])
  return errors
}

function changed(errors: StartErrors, key: string, error: unknown): StartErrors {
  const next = new Map(errors)
  if (error === undefined) next.delete(key)
  else next.set(key, error)
  return next
}

/** @returns why the session could not be started; undefined when there is nothing to say */
async function start(
  queryClient: QueryClient,
  order: { readonly streamId: number; readonly streamSessionId: string },
  isFirst: boolean,
): Promise<unknown> {
  try {
    await startSession(queryClient, order)
    return undefined
  } catch (error) {
    if (error instanceof ApiError && error.code === 'already_completed') return undefined
    if (isFirst) {
      toast({
        title: 'Error',
        description: 'Failed to start watch session',
        variant: 'destructive',
        detail: messageOf(error, ''),
      })
    }
    return error ?? new Error('Failed to start watch session')
  }
}
