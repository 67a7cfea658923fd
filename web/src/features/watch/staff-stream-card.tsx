// One stream as staff see it: how it stands, what it asks and pays, and what can be done with it.

import type { AdminStream, PresenceMode } from '@redpack/contract'
import { Pencil, Power, Radio } from 'lucide-react'
import { formatDateTime, formatList, formatNumber, formatRedCoin } from '../../lib/format.ts'
import { Badge } from '../../ui/feedback/state.tsx'
import { Button, IconButton, OutsideLink } from '../../ui/form/button.tsx'
import { Card, Detail } from '../../ui/layout/section.tsx'
import { DeleteButton } from '../../ui/table/deleted-rows.tsx'
import { formatEastern } from './eastern-time.ts'
import { LiveBadge } from './stream-card.tsx'

export interface StreamActions {
  readonly onEdit: (stream: AdminStream) => void
  readonly onDelete: (stream: AdminStream) => void
  readonly onToggle: (stream: AdminStream, isActive: boolean) => void
  readonly onSetLive: (stream: AdminStream, isLive: boolean) => void
}

interface StaffStreamCardProps {
  readonly stream: AdminStream
  readonly actions: StreamActions
}

export function StaffStreamCard({ stream, actions }: StaffStreamCardProps) {
  const { displayName, isActive, isLive } = stream
  return (
    <Card className="grid h-full grid-cols-1 grid-rows-[auto_1fr_auto] gap-4">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <h3 className="min-w-0 break-words text-xl">{displayName}</h3>
        <div className="flex flex-wrap gap-2">
          {isLive && <LiveBadge isLive />}
          <Badge tone={isActive ? 'success' : 'idle'}>{isActive ? 'Active' : 'Inactive'}</Badge>
        </div>
      </div>
      <Details stream={stream} />
      <div className="flex flex-wrap items-center gap-2 border-t border-line pt-3">
        <Button
          icon={Power}
          tone="secondary"
          onClick={() => actions.onToggle(stream, !isActive)}
          aria-label={`${isActive ? 'Deactivate' : 'Activate'} ${displayName}`}
        >
          {isActive ? 'Deactivate' : 'Activate'}
        </Button>
        <Button
          icon={Radio}
          tone="ghost"
          onClick={() => actions.onSetLive(stream, !isLive)}
          aria-label={`Set ${displayName} ${isLive ? 'offline' : 'live'}`}
        >
          {isLive ? 'Set offline' : 'Set live'}
        </Button>
        <span className="ms-auto flex">
          <IconButton
            icon={Pencil}
            label={`Edit ${displayName}`}
            onClick={() => actions.onEdit(stream)}
          />
          <DeleteButton label={`Delete ${displayName}`} onClick={() => actions.onDelete(stream)} />
        </span>
      </div>
    </Card>
  )
}

function Details({ stream }: { readonly stream: AdminStream }) {
  const rewards = rewardTexts(stream)
  return (
    <dl className="grid grid-cols-1 content-start gap-x-4 gap-y-2 sm:grid-cols-[9rem_minmax(0,1fr)]">
      <Detail term="Channel">
        <OutsideLink
          href={stream.channelUrl}
          className="inline-flex min-h-6 items-center gap-1 break-all"
        >
          {stream.channelName}
        </OutsideLink>
      </Detail>
      <Detail term="Watch time">{minutesText(stream.watchTimeRequired)}</Detail>
      <Detail term="Auto schedule">{scheduleText(stream)}</Detail>
      <Detail term="Chat messages">{stream.enableChatMessage ? 'On' : 'Off'}</Detail>
      <Detail term="Completion message">{stream.completionMessage}</Detail>
      <Detail term="Rewards">{rewards.length > 0 ? formatList(rewards) : 'None'}</Detail>
      <Detail term="Presence in chat">
        {presenceLabels[stream.presenceMode].label}
        {stream.presenceMode !== 'off' && stream.chattersReadAt && (
          <span className="text-muted">, last read {formatDateTime(stream.chattersReadAt)}</span>
        )}
      </Detail>
      <Detail term="Live state">{liveText(stream)}</Detail>
    </dl>
  )
}

function liveText({ isLiveByHand, liveCheckedAt }: AdminStream): string {
  if (isLiveByHand) return 'Set manually until Twitch says the same'
  return liveCheckedAt
    ? `Checked with Twitch ${formatDateTime(liveCheckedAt)}`
    : 'Not checked with Twitch yet'
}

export const presenceLabels: Readonly<
  Record<PresenceMode, { readonly label: string; readonly hint: string }>
> = {
  off: { label: 'Not checked', hint: 'Only watch time counts.' },
  observe: {
    label: 'Observed',
    hint: 'Presence in chat is recorded but does not affect rewards.',
  },
  require: {
    label: 'Required',
    hint: "Watch time counts only for viewers who are in the channel's chat.",
  },
}

/** 'Off', or the window in Eastern time. */
function scheduleText(stream: AdminStream): string {
  const { autoScheduleEnabled, scheduledStartTime, scheduledEndTime } = stream
  const from = scheduledStartTime ? formatEastern(scheduledStartTime) : 'not set'
  const until = scheduledEndTime ? formatEastern(scheduledEndTime) : 'not set'
  if (!scheduledStartTime && !scheduledEndTime) return autoScheduleEnabled ? 'No times set' : 'Off'
  return `${autoScheduleEnabled ? '' : 'Off, '}${from} to ${until}`
}

/** What a completed watch pays, one text for each part. */
function rewardTexts(stream: AdminStream): string[] {
  const rows = stream.rewards.flatMap(({ packType, packQuantity, redCoinAmount }) => [
    ...(packType ? [`${formatNumber(packQuantity)} × ${packType.name}`] : []),
    ...(redCoinAmount > 0 ? [formatRedCoin(redCoinAmount)] : []),
  ])
  const { rewardRedCoinAmount } = stream
  return rewardRedCoinAmount > 0 ? [...rows, formatRedCoin(rewardRedCoinAmount)] : rows
}

/** '120 minutes'; a broken number when the seconds are no whole minutes. */
function minutesText(minutes: number): string {
  const whole = Math.round(minutes * 100) / 100
  return `${formatNumber(whole)} ${whole === 1 ? 'minute' : 'minutes'}`
}
