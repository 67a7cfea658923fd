// Who is signed in: picture, name, since when, and the balance.

import type { Profile } from '@redpack/contract'
import { CalendarDays, CircleCheck, Coins } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatMoment, formatRedCoin } from '../../lib/format.ts'
import { Badge } from '../../ui/feedback/badge.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Avatar } from '../../ui/media/avatar.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import { useShownBalance } from '../session/queries.ts'

export function AccountCard({ profile }: { readonly profile: Profile }) {
  const balance = useShownBalance()
  return (
    <Card className="flex flex-wrap items-center justify-between gap-x-10 gap-y-6">
      <div className="flex min-w-0 items-center gap-4 sm:gap-6">
        <Avatar
          name={profile.displayName}
          src={profile.avatar}
          className="size-16 sm:size-20 [&>span]:text-3xl"
        />
        <div className="min-w-0">
          <h2 className="break-words text-2xl">{profile.displayName}</h2>
          <p className="break-words text-muted">@{profile.username}</p>
        </div>
      </div>
      <dl className="flex flex-wrap gap-x-10 gap-y-4">
        <Row icon={<CircleCheck aria-hidden="true" />} term="Account status">
          <Badge tone="success">Active</Badge>
        </Row>
        <Row icon={<CalendarDays aria-hidden="true" />} term="Member since">
          {formatMoment(profile.createdAt)}
        </Row>
        <Row icon={<Coins aria-hidden="true" />} term="Balance">
          <Masked what="Balance">
            <span className="font-display font-semibold tabular-nums">
              {formatRedCoin(balance)}
            </span>
          </Masked>
        </Row>
      </dl>
    </Card>
  )
}

interface RowProps {
  readonly icon: ReactNode
  readonly term: string
  readonly children: ReactNode
}

function Row({ icon, term, children }: RowProps) {
  return (
    <div className="min-w-0">
      <dt className="mb-1 flex items-center gap-2 text-sm text-muted [&>svg]:size-4">
        {icon}
        {term}
      </dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  )
}
