// The verdict on a row of a bulk grant, in words, look and picture.

import type { RowVerdict } from '@redpack/contract'
import {
  Check,
  CircleHelp,
  Copy,
  Hash,
  type LucideIcon,
  TriangleAlert,
  UserPen,
  UserX,
  WalletMinimal,
} from 'lucide-react'
import { Badge } from '../../ui/feedback/badge.tsx'

interface VerdictLook {
  readonly word: string
  readonly tone: 'success' | 'warning' | 'danger' | 'info'
  readonly Icon: LucideIcon
}

const looks: Readonly<Record<RowVerdict, VerdictLook>> = {
  ok: { word: 'OK', tone: 'success', Icon: Check },
  unknown: { word: 'Unknown user', tone: 'danger', Icon: UserX },
  ambiguous: { word: 'Several users', tone: 'danger', Icon: CircleHelp },
  renamed: { word: 'Renamed', tone: 'warning', Icon: UserPen },
  duplicate: { word: 'Duplicate', tone: 'warning', Icon: Copy },
  bad_number: { word: 'Bad number', tone: 'danger', Icon: Hash },
  over_limit: { word: 'Over limit', tone: 'danger', Icon: TriangleAlert },
  spent: { word: 'Spent', tone: 'warning', Icon: WalletMinimal },
  gone: { word: 'Gone', tone: 'warning', Icon: UserX },
}

export function VerdictBadge({ verdict }: { readonly verdict: RowVerdict }) {
  const { word, tone, Icon } = looks[verdict]
  return (
    <Badge tone={tone} icon={<Icon aria-hidden="true" />}>
      {word}
    </Badge>
  )
}

/** The reason says more than the verdict's own word: a new name, what is missing. */
export function isTelling(verdict: RowVerdict): boolean {
  return verdict === 'renamed' || verdict === 'bad_number' || verdict === 'spent'
}
