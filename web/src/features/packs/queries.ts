// Everything the packs feature asks the server: keys, freshness, and what an opening refreshes.

import {
  fairnessContract,
  type OddsResponse,
  type OpenPacksResponse,
  packsContract,
} from '@redpack/contract'
import { type QueryClient, useMutationState, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../lib/api.ts'
import { ApiError, isOutcomeUnknown } from '../../lib/api-error.ts'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { logFailure } from '../../lib/log.ts'
import { useAct } from '../../lib/use-call.ts'
import { isNotProven, ownDraws } from '../fairness/queries.ts'
import { cacheBalance } from '../session/balance-queries.ts'
import { type KnownOdds, oddsOfTable } from './odds-changes.ts'
import {
  answerWithinMs,
  forgetOpening,
  rememberAnswer,
  type SentOpening,
} from './opening-records.ts'
import { toastFailedOpening } from './opening-toasts.ts'

const oddsFreshMs = 10_000

/** The odds of one pack type, asked for when they are looked at. */
export function useOdds(packTypeId: number) {
  return useEndpoint(fairnessContract.odds, {
    shows: ['pack_types'],
    key: [packTypeId],
    ask: (signal) => loadOdds(packTypeId, signal),
    staleTime: oddsFreshMs,
  })
}

const seenOddsKey = (packTypeId: number) => ['seen-odds', packTypeId] as const

/** The odds that a player has seen; an opening is only asked for with them. */
export function seenOdds(queryClient: QueryClient, packTypeId: number): OddsResponse | undefined {
  return queryClient.getQueryData<OddsResponse>(seenOddsKey(packTypeId))
}

/** Notes what is on screen now, for as long as the page lives. */
export function noteSeenOdds(queryClient: QueryClient, odds: OddsResponse): void {
  const queryKey = seenOddsKey(odds.packTypeId)
  queryClient.setQueryDefaults(queryKey, { gcTime: Number.POSITIVE_INFINITY })
  queryClient.setQueryData(queryKey, odds)
}

/** Takes the odds of a chosen pack as the seen ones, unless some have been seen before. */
export function useSeenOdds(packTypeId: number | undefined): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (packTypeId === undefined || seenOdds(queryClient, packTypeId)) return
    loadOdds(packTypeId).then(
      (odds) => seenOdds(queryClient, packTypeId) ?? noteSeenOdds(queryClient, odds),
      // Without them the opening names the odds that the holding was shown with.
      () => undefined,
    )
  }, [queryClient, packTypeId])
}

async function loadOdds(packTypeId: number, signal?: AbortSignal): Promise<OddsResponse> {
  const odds = await call(fairnessContract.odds, { params: { id: packTypeId }, signal })
  // They are shown for that type: those of another one do not have their hash any more.
  return { ...odds, packTypeId }
}

/** The odds in force, beside those that were seen as far as they can still be told. */
export async function loadOddsChange(
  queryClient: QueryClient,
  packTypeId: number,
  seenHash: string | undefined,
  signal: AbortSignal,
): Promise<{ readonly before: KnownOdds | null; readonly after: OddsResponse }> {
  const after = await loadOdds(packTypeId, signal)
  const seen = seenOdds(queryClient, packTypeId)
  if (seen && seen.tableHash === seenHash) return { before: seen, after }
  return { before: seenHash ? await loadOldOdds(seenHash, signal) : null, after }
}

/** A table that no draw was made from yet has never been kept. */
async function loadOldOdds(hash: string, signal: AbortSignal): Promise<KnownOdds | null> {
  try {
    return oddsOfTable(await call(fairnessContract.table, { params: { hash }, signal }))
  } catch {
    return null
  }
}

/** Pause before a request whose answer was lost is sent once more, in milliseconds. */
const retryPauseMs = 400

/** An answer, and whether it proved itself. */
type CheckedAnswer = OpenPacksResponse & { readonly isProven: boolean }

/**
 * Opens packs. When no answer arrives the same request is sent once more under the same key, so the
 * packs are opened once whichever of the two arrived. The answer is drawn again before it is shown.
 */
async function sendOpening({ key, userId, order }: SentOpening): Promise<CheckedAnswer> {
  const send = () => call(packsContract.open, { body: order, idempotencyKey: key })
  const answer = await send().catch(async (error: unknown) => {
    if (error instanceof ApiError) throw error
    await new Promise((resolve) => setTimeout(resolve, retryPauseMs))
    return send()
  })
  return { ...answer, isProven: await (await ownDraws()).proveAnswer(userId, key, answer) }
}

/** True when another opening of this person has used the seed meanwhile: nothing was opened. */
export function isMoved(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'commitment_moved'
}

/** True when nothing was opened because the odds are others than those that were named. */
export function isOddsChange(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'odds_changed'
}

const openingKey = ['open-packs'] as const

/**
 * Opens packs and does what has to be done about the answer, also when the screen has been left: it
 * is kept for later, its balance goes into the cache, a failure is said. Terms that have changed
 * are the caller's to say.
 */
export function useOpenPacks() {
  const queryClient = useQueryClient()
  return useAct({
    mutationKey: openingKey,
    meta: { tellsPrize: true },
    mutationFn: sendOpening,
    onSuccess: ({ isProven, ...answer }, sent) => {
      rememberAnswer(sent.key, answer, isProven)
      cacheBalance(queryClient, answer.updatedBalance)
    },
    onError: async (error, sent) => {
      await ownDraws()
        .then(({ noteFailure }) => noteFailure(sent.userId, sent.key, error))
        .catch((failure) => logFailure('What failed could not be noted', failure))
      if (!isOutcomeUnknown(error) || isNotProven(error)) forgetOpening(sent.key)
      // The alarm stands at the top of the page, and says more than a toast over it.
      if (isNotProven(error)) window.scrollTo({ top: 0 })
      else if (!isOddsChange(error) && !isMoved(error)) toastFailedOpening(error)
    },
  })
}

/** True while the answer to a kept request may still come, whoever has sent it. */
export function useIsAwaited({ key, sentAt }: SentOpening): boolean {
  const status = useMutationState({
    filters: {
      mutationKey: openingKey,
      predicate: ({ state }) => (state.variables as SentOpening).key === key,
    },
    select: ({ state }) => state.status,
  }).at(-1)
  const [now, setNow] = useState(Date.now)
  // By a clock that was ahead, the request leaves tomorrow.
  const left = Math.min(answerWithinMs, sentAt + answerWithinMs - now)
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setNow(Date.now()), left)
    return () => clearTimeout(timer)
  }, [left])
  // How a request of this page ended is known; another tab's can only be given its time.
  return status ? status === 'pending' : left > 0
}
