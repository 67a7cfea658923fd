// What has been watched to the end: which stream, when, and what it paid.

import type { WatchCompletion } from '@redpack/contract'
import { CircleCheck, Trophy } from 'lucide-react'
import { useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { Empty } from '../../ui/feedback/empty.tsx'
import { Button } from '../../ui/form/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Moment } from '../../ui/media/moment.tsx'
import { RewardBadges } from './reward-badges.tsx'
import { givenRewards } from './rewards.ts'

/** How many are shown before the rest is asked for. */
const firstShown = 5

export function CompletedWatches({ completions }: { completions: readonly WatchCompletion[] }) {
  const [isAll, setAll] = useState(false)
  if (completions.length === 0) {
    return (
      <Card>
        <Empty
          picture={<Trophy aria-hidden="true" strokeWidth={1.5} />}
          title="Nothing completed yet"
          description="Streams you complete appear here with their rewards."
        />
      </Card>
    )
  }
  const shown = isAll ? completions : completions.slice(0, firstShown)
  return (
    <Card>
      <ul className="divide-y divide-line">
        {shown.map((completion) => (
          <CompletedWatch key={completion.id} completion={completion} />
        ))}
      </ul>
      {shown.length < completions.length && (
        <Button tone="ghost" className="mt-3" onClick={() => setAll(true)}>
          Show all {formatNumber(completions.length)}
        </Button>
      )}
    </Card>
  )
}

function CompletedWatch({ completion }: { readonly completion: WatchCompletion }) {
  const { stream, completedAt, rewardsGiven } = completion
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4 first:pt-0 last:pb-0">
      <div className="flex min-w-0 gap-3">
        <CircleCheck aria-hidden="true" className="mt-1 size-5 flex-none text-success" />
        <div className="min-w-0">
          <h3 className="break-words text-lg">{stream.displayName}</h3>
          <p className="text-muted">
            Completed <Moment at={completedAt} />
          </p>
        </div>
      </div>
      <RewardBadges
        label={`Rewards received from ${stream.displayName}`}
        rewards={givenRewards(rewardsGiven)}
      />
    </li>
  )
}
