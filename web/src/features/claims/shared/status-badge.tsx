// How far something has come, as one word with its icon and colour.

import { Circle, CircleCheck, Clock, type LucideIcon, Package } from 'lucide-react'
import { Badge, type BadgeProps } from '../../../ui/feedback/badge.tsx'

interface StatusLook {
  readonly tone: NonNullable<BadgeProps['tone']>
  readonly Icon: LucideIcon
}

const looks: Readonly<Record<string, StatusLook>> = {
  completed: { tone: 'success', Icon: CircleCheck },
  processing: { tone: 'info', Icon: Package },
  pending: { tone: 'warning', Icon: Clock },
}

const otherLook: StatusLook = { tone: 'idle', Icon: Circle }

/** Green, blue and yellow for the three statuses that are known, grey for any other. */
export function StatusBadge({ status }: { readonly status: string }) {
  const { tone, Icon } = (Object.hasOwn(looks, status) && looks[status]) || otherLook
  return (
    <Badge tone={tone} icon={<Icon aria-hidden="true" />} className="uppercase">
      {status}
    </Badge>
  )
}
