// A few words about a control that shows only an icon, on hover and on focus.

import { Tooltip as Primitive } from 'radix-ui'
import {
  createContext,
  type FocusEvent,
  type ReactElement,
  type ReactNode,
  useContext,
} from 'react'

/** Time the pointer rests before a tooltip opens, in milliseconds. */
export const tooltipDelayMs = 700
/** After one tooltip, the next opens at once for this long, in milliseconds. */
export const tooltipSkipDelayMs = 300

const IsProvided = createContext(false)

/** Lets tooltips know of each other, so that the next one opens at once. */
export function TooltipProvider({ children }: { readonly children: ReactNode }) {
  return (
    <IsProvided value>
      <Primitive.Provider delayDuration={tooltipDelayMs} skipDelayDuration={tooltipSkipDelayMs}>
        {children}
      </Primitive.Provider>
    </IsProvided>
  )
}

const dialogs = '[role="dialog"], [role="alertdialog"]'

/**
 * A dialog that opens or closes moves the focus by itself. A tooltip there would be in the way, and
 * would take the Escape that is meant for the dialog.
 */
function ignoreMovedFocus(event: FocusEvent<HTMLElement>): void {
  const from = event.relatedTarget?.closest(dialogs) ?? null
  if (from !== event.currentTarget.closest(dialogs)) event.preventDefault()
}

export interface TooltipProps {
  readonly text: ReactNode
  /** The control; it still needs a name of its own. */
  readonly children: ReactElement
}

/** Works alone, too: what stands outside of every screen has no provider around it. */
export function Tooltip({ text, children }: TooltipProps) {
  const tooltip = (
    <Primitive.Root>
      <Primitive.Trigger asChild onFocus={ignoreMovedFocus}>
        {children}
      </Primitive.Trigger>
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
  return useContext(IsProvided) ? tooltip : <TooltipProvider>{tooltip}</TooltipProvider>
}
