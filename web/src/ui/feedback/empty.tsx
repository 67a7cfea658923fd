// Nothing here yet, and the one thing to do about it.

import type { ReactNode } from 'react'
import { Card } from '../layout/card.tsx'

export interface EmptyProps {
  readonly title: ReactNode
  readonly description?: ReactNode
  /** Picture above the title: an icon, or an image of the art folder. */
  readonly picture?: ReactNode
  readonly action?: ReactNode
}

export function Empty({ title, description, picture, action }: EmptyProps) {
  return (
    <div className="grid grid-cols-1 justify-items-center gap-2 px-4 py-10 text-center wrap-anywhere">
      {picture && <div className="mb-2 text-muted [&>svg]:size-12">{picture}</div>}
      <p className="font-display text-xl font-semibold">{title}</p>
      {description && <p className="max-w-prose text-muted">{description}</p>}
      {action && <div className="mt-4">{action}</div>}
    </div>
  )
}

/** The same in a card of its own. */
export function EmptyCard(props: EmptyProps) {
  return (
    <Card>
      <Empty {...props} />
    </Card>
  )
}
