// Starts watch sessions by itself, for every broadcast that can be watched.

import type { Stream, WatchCompletion, WatchSession } from '@redpack/contract'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { formatList } from '../../lib/format.ts'
import { logFailure } from '../../lib/log.ts'
import { useOnceTrue } from '../../lib/once-true.ts'
import { announce } from '../../ui/feedback/live-region.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { broadcastKey, startableStreams } from './broadcasts.ts'
import { refreshAfterCompletion, startSession } from './queries.ts'
import { givenRewards } from './stream-card.tsx'

/** How long after an attempt a broadcast is tried again, in milliseconds. */
const startAgainMs = 60_000

interface Watchable {
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

const toldCodes: readonly unknown[] = ['already_completed', 'suspended']

/** @returns why the session could not be started; undefined when it was */
async function start(
  queryClient: QueryClient,
  order: { readonly streamId: number; readonly streamSessionId: string },
  isFirst: boolean,
): Promise<unknown> {
  try {
    await startSession(queryClient, order)
    return undefined
  } catch (error) {
    // That it was completed, or that the account may not earn, is no failure; the screen says so.
    const isTold = error instanceof ApiError && toldCodes.includes(error.code)
    if (isFirst && !isTold) {
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

/** Says what a new completion has paid and refreshes balance and packs. */
export function useCompletionNews(completions: readonly WatchCompletion[] | undefined): void {
  const queryClient = useQueryClient()
  const known = useRef<ReadonlySet<number>>(undefined)
  useEffect(() => {
    if (!completions) return
    const before = known.current
    known.current = new Set(completions.map(({ id }) => id))
    const fresh = before ? completions.filter(({ id }) => !before.has(id)) : []
    if (fresh.length === 0) return
    for (const completion of fresh) tell(completion)
    refreshAfterCompletion(queryClient).catch((error) =>
      logFailure('The balance could not be refreshed after a completion', error),
    )
  }, [queryClient, completions])
}

function tell({ stream, rewardsGiven }: WatchCompletion): void {
  const rewards = givenRewards(rewardsGiven).map(({ text }) => text)
  const paid = rewards.length === 0 ? '' : `: ${formatList(rewards)}`
  toast({ title: 'Rewards claimed!', description: `${stream.displayName}${paid}` })
  announce(`${stream.displayName}: 100 percent watched, rewards claimed`)
}

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
