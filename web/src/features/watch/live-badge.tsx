// Whether a stream is on: a word and a dot.

import { Badge } from '../../ui/feedback/badge.tsx'

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
