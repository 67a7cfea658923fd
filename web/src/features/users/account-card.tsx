// Who is signed in: picture, name, since when, and the balance.

import type { Profile } from '@redpack/contract'
import { CalendarDays, CircleCheck, Coins } from 'lucide-react'
import type { ReactNode } from 'react'
import { useBalance } from '../../lib/balance.ts'
import { formatLongDate, formatRedCoin } from '../../lib/format.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { useSession } from '../session/queries.ts'

export function AccountCard({ profile }: { readonly profile: Profile }) {
  const session = useSession()
  const balance = useBalance(session.user?.redCoinBalance ?? profile.redCoinBalance)
  return (
    <Card className="grid justify-items-center gap-1 text-center">
      <Avatar
        name={profile.displayName}
        src={profile.avatar}
        className="size-24 [&>span]:text-4xl"
      />
      <h2 className="mt-3 max-w-full break-words text-2xl">{profile.displayName}</h2>
      <p className="max-w-full break-words text-muted">@{profile.username}</p>
      <dl className="mt-4 grid w-full gap-3 border-t border-line pt-4 text-start">
        <Row icon={<CircleCheck aria-hidden="true" />} term="Account status">
          <Badge tone="success">Active</Badge>
        </Row>
        <Row icon={<CalendarDays aria-hidden="true" />} term="Member since">
          {formatLongDate(profile.createdAt)}
        </Row>
        <Row icon={<Coins aria-hidden="true" />} term="Balance">
          <span className="font-display font-semibold text-accent-text tabular-nums">
            {formatRedCoin(balance)}
          </span>
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
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
      <dt className="flex items-center gap-2 text-muted [&>svg]:size-5">
        {icon}
        {term}
      </dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  )
}
