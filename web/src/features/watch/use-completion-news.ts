// Notices completions as they appear, whichever tab or device earned them.

import type { WatchCompletion } from '@redpack/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { formatList } from '../../lib/format.ts'
import { logFailure } from '../../lib/log.ts'
import { announce } from '../../ui/feedback/live-region.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { refreshAfterCompletion } from './queries.ts'
import { givenRewards } from './rewards.ts'

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
