// A few words about a control that shows only an icon, on hover and on focus.

import { Tooltip as Primitive } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'

/** Time the pointer rests before a tooltip opens, in milliseconds. */
export const tooltipDelayMs = 700
/** After one tooltip, the next opens at once for this long, in milliseconds. */
export const tooltipSkipDelayMs = 300

export function TooltipProvider({ children }: { readonly children: ReactNode }) {
  return (
    <Primitive.Provider delayDuration={tooltipDelayMs} skipDelayDuration={tooltipSkipDelayMs}>
      {children}
    </Primitive.Provider>
  )
}

export interface TooltipProps {
  readonly text: ReactNode
  /** The control; it still needs a name of its own. */
  readonly children: ReactElement
}

export function Tooltip({ text, children }: TooltipProps) {
  return (
    <Primitive.Root>
      <Primitive.Trigger asChild>{children}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          sideOffset={6}
          collisionPadding={8}
          className="card on-card z-toast max-w-64 bg-raised px-3 py-2 text-sm"
        >
          {text}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
