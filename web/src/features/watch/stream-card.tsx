// A stream that can be watched for rewards, and how the viewer stands with it.

import type { GivenReward, Stream, WatchCompletion } from '@redpack/contract'
import {
  CircleCheck,
  CirclePause,
  Coins,
  Hourglass,
  Package,
  Radar,
  Timer,
  Trophy,
} from 'lucide-react'
import { useRef, useState } from 'react'
import { cn } from '../../lib/class-names.ts'
import { formatDuration, formatNumber, formatRedCoin } from '../../lib/format.ts'
import { Badge, EmptyCard } from '../../ui/feedback/state.tsx'
import { Button, type ButtonLook, buttonLook, OutsideLink } from '../../ui/form/button.tsx'
import { Card } from '../../ui/layout/section.tsx'
import { Avatar } from '../../ui/media/avatar.tsx'
import { Moment } from '../../ui/media/moment.tsx'
import {
  type NotCountingReason,
  requiredSeconds,
  type StreamState,
  streamReason,
} from './broadcasts.ts'
import { useLastBeat } from './queries.ts'

export function StreamCard(props: StreamState) {
  const { stream, completion, session, startError } = props
  const why = streamReason(props)
  // Why a beat failed stands above.
  const { error } = useLastBeat(session?.id)
  const isHeld = session !== undefined && why !== undefined
  const isTracked = stream.isLive && !completion && (startError ?? error) == null && !isHeld
  const state = isTracked ? (
    <p className={cn('flex gap-2 font-medium', session ? 'text-muted' : 'text-success')}>
      <Radar aria-hidden="true" className="mt-0.5 size-5 flex-none" />
      Auto-tracking your watch time
    </p>
  ) : (
    why && error == null && <ReasonText why={why} />
  )
  const rewards = (
    <RewardBadges label={`Rewards of ${stream.displayName}`} rewards={streamRewards(stream)} />
  )
  // What has the clock stands above with its progress.
  if (session && !completion && (!isHeld || session.notCountingBecause === 'late_beat')) {
    return (
      <Card className="flex flex-wrap items-center gap-x-4 gap-y-2" data-slim>
        <p className="text-muted">Watching now</p>
        <h3 className="min-w-0 break-words text-lg">{stream.displayName}</h3>
        <LiveBadge isLive={stream.isLive} />
        {state}
        {rewards}
        <ChannelLink stream={stream} tone="secondary" />
      </Card>
    )
  }
  return (
    <Card className="flex h-full flex-col gap-4">
      <StreamName stream={stream} />
      <p className="text-muted">Watch {formatDuration(requiredSeconds(stream))} to earn:</p>
      {rewards}
      <div className="mt-auto grid grid-cols-1 gap-3 border-t border-line pt-4">
        {completion ? (
          <>
            <p className="flex gap-2 font-medium text-success">
              <CircleCheck aria-hidden="true" className="mt-0.5 size-5 flex-none" />
              Completed - Rewards claimed!
            </p>
            <p className="text-sm text-muted">You can earn again at the next broadcast.</p>
          </>
        ) : (
          state
        )}
        <div>
          <ChannelLink stream={stream} />
        </div>
      </div>
    </Card>
  )
}

function StreamName({ stream }: { readonly stream: Stream }) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Avatar name={stream.displayName} src={stream.channelImageUrl} />
      <div className="min-w-0 flex-1 break-words">
        <h3 className="text-xl">{stream.displayName}</h3>
        <p className="text-sm text-muted">{stream.channelName}</p>
      </div>
      <LiveBadge isLive={stream.isLive} />
    </div>
  )
}

interface ChannelLinkProps {
  readonly stream: Stream
  readonly tone?: ButtonLook['tone']
}

export function ChannelLink(props: ChannelLinkProps) {
  const { stream, tone = stream.isLive ? 'twitch' : 'secondary' } = props
  return (
    <OutsideLink href={stream.channelUrl} className={buttonLook({ tone })}>
      {stream.isLive ? 'Watch' : 'Open'} on Twitch
      <span className="sr-only">: {stream.channelName}</span>
    </OutsideLink>
  )
}

export function LiveBadge({ isLive }: { readonly isLive: boolean }) {
  return (
    <Badge
      tone={isLive ? 'live' : 'idle'}
      icon={<span aria-hidden="true" className="size-2 rounded-full bg-current" />}
    >
      {isLive ? 'LIVE' : 'OFFLINE'}
    </Badge>
  )
}

const looks = {
  counting: { Icon: Timer, color: 'text-success' },
  waiting: { Icon: Hourglass, color: 'text-warning' },
  stopped: { Icon: CirclePause, color: 'text-idle' },
  done: { Icon: CircleCheck, color: 'text-success' },
} as const

export function ReasonText({ why }: { readonly why: NotCountingReason }) {
  const { Icon, color } = looks[why.kind]
  return (
    <p className="flex gap-2 text-muted">
      <Icon aria-hidden="true" className={cn('mt-0.5 size-5 flex-none', color)} />
      <span className="min-w-0">{why.text}</span>
    </p>
  )
}

interface RewardBadgesProps {
  readonly label: string
  readonly rewards: readonly RewardLabel[]
}

export function RewardBadges({ label, rewards }: RewardBadgesProps) {
  if (rewards.length === 0) return <p className="text-sm text-muted">No rewards are set.</p>
  return (
    <ul aria-label={label} className="flex flex-wrap gap-2">
      {rewards.map(({ kind, text }) => (
        <li key={text} className="min-w-0 max-w-full">
          <Badge
            tone={kind === 'redcoin' ? 'neutral' : 'secondary'}
            icon={
              kind === 'redcoin' ? <Coins aria-hidden="true" /> : <Package aria-hidden="true" />
            }
            className="max-w-full"
          >
            <span className="min-w-0 break-words">{text}</span>
          </Badge>
        </li>
      ))}
    </ul>
  )
}

interface RewardLabel {
  readonly kind: 'redcoin' | 'packs'
  readonly text: string
}

type Paid = Pick<GivenReward, 'redCoinAmount' | 'packQuantity' | 'packTypeName'>

function labelsOf(rows: readonly Paid[], redCoinAmount = 0): RewardLabel[] {
  const redCoin = rows.reduce((sum, row) => sum + row.redCoinAmount, redCoinAmount)
  const counts = new Map<string, number>()
  for (const { packTypeName: name, packQuantity } of rows) {
    if (name !== null) counts.set(name, (counts.get(name) ?? 0) + packQuantity)
  }
  const packs = [...counts].flatMap(([name, count]): RewardLabel[] =>
    count > 0 ? [{ kind: 'packs', text: `${formatNumber(count)} × ${name}` }] : [],
  )
  if (redCoin <= 0) return packs
  return [{ kind: 'redcoin', text: `+${formatRedCoin(redCoin)}` }, ...packs]
}

/** What completing a stream pays: its RedCoin in one sum, then its packs by name. */
export function streamRewards(stream: Stream): RewardLabel[] {
  const rows = stream.rewards.map((row) => ({ ...row, packTypeName: row.packType?.name ?? null }))
  return labelsOf(rows, stream.rewardRedCoinAmount)
}

/** What a completion has paid. */
export function givenRewards(given: readonly GivenReward[]): RewardLabel[] {
  return labelsOf(given)
}

/** How many are shown before the rest is asked for. */
const firstShown = 5

export function CompletedWatches({ completions }: { completions: readonly WatchCompletion[] }) {
  const [isAll, setAll] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  if (completions.length === 0) {
    return (
      <EmptyCard
        picture={<Trophy aria-hidden="true" strokeWidth={1.5} />}
        title="Nothing completed yet"
        description="Streams you complete appear here with their rewards."
      />
    )
  }
  const shown = isAll ? completions : completions.slice(0, firstShown)
  const showAll = () => {
    // The button goes once nothing is left to show.
    list.current?.focus({ preventScroll: true })
    setAll(true)
  }
  return (
    <Card>
      <ul ref={list} tabIndex={-1} className="divide-y divide-line focus:outline-none">
        {shown.map((completion) => (
          <CompletedWatch key={completion.id} completion={completion} />
        ))}
      </ul>
      {shown.length < completions.length && (
        <Button tone="ghost" className="mt-3" onClick={showAll}>
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
