// What a stream pays, one badge for each thing.

import { Coins, Package } from 'lucide-react'
import { Badge } from '../../ui/feedback/badge.tsx'
import type { RewardLabel } from './rewards.ts'

export interface RewardBadgesProps {
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
