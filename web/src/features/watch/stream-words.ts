// Words for the values of a stream.

import type { AdminStream, PresenceMode } from '@redpack/contract'
import { formatNumber, formatRedCoin } from '../../lib/format.ts'
import { formatEastern } from './eastern-time.ts'

export const presenceLabels: Readonly<
  Record<PresenceMode, { readonly label: string; readonly hint: string }>
> = {
  off: { label: 'Not checked', hint: 'Watch time counts by itself.' },
  observe: {
    label: 'Observed',
    hint: 'The list of chatters is kept beside the watch time and changes nothing.',
  },
  require: {
    label: 'Required',
    hint: "Watch time counts only for viewers who are in the channel's chat.",
  },
}

/** 'Off', or the window in Eastern time. */
export function scheduleText(stream: AdminStream): string {
  const { autoScheduleEnabled, scheduledStartTime, scheduledEndTime } = stream
  const from = scheduledStartTime ? formatEastern(scheduledStartTime) : 'not set'
  const until = scheduledEndTime ? formatEastern(scheduledEndTime) : 'not set'
  if (!scheduledStartTime && !scheduledEndTime) return autoScheduleEnabled ? 'No times set' : 'Off'
  return `${autoScheduleEnabled ? '' : 'Off, '}${from} to ${until}`
}

/** What a completed watch pays, one text for each part. */
export function rewardTexts(stream: AdminStream): string[] {
  const rows = stream.rewards.flatMap(({ packType, packQuantity, redCoinAmount }) => [
    ...(packType ? [`${formatNumber(packQuantity)} × ${packType.name}`] : []),
    ...(redCoinAmount > 0 ? [formatRedCoin(redCoinAmount)] : []),
  ])
  const { rewardRedCoinAmount } = stream
  return rewardRedCoinAmount > 0 ? [...rows, formatRedCoin(rewardRedCoinAmount)] : rows
}

/** '120 minutes'; a broken number when the seconds are no whole minutes. */
export function minutesText(minutes: number): string {
  const whole = Math.round(minutes * 100) / 100
  return `${formatNumber(whole)} ${whole === 1 ? 'minute' : 'minutes'}`
}
