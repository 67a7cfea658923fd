// The handle by which a thing of a list is dragged or moved by keys.

import { GripVertical } from 'lucide-react'
import { orderHandle } from './drag-pointer.ts'
import { IconButton } from './icon-button.tsx'
import type { HandleProps } from './use-drag-order.ts'

export interface DragHandleProps extends HandleProps {
  readonly id: number
  /** What is moved. */
  readonly name: string
}

/** A list with handles keeps other ways to move things, for who can use neither of the two. */
export function DragHandle({ id, name, isLifted, ...handlers }: DragHandleProps) {
  return (
    <IconButton
      {...handlers}
      {...{ [orderHandle]: id }}
      label={`Reorder ${name}: drag, or press Space and use the arrow keys`}
      aria-pressed={isLifted}
      className="drag-handle"
    >
      <GripVertical aria-hidden="true" />
    </IconButton>
  )
}
