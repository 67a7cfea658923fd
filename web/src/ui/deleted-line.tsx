// What stands where something was until it was deleted.

import { type CSSProperties, type ReactNode, useLayoutEffect, useRef } from 'react'
import { Button } from './button.tsx'

/** Hides what was deleted, which keeps its room; a line within it is seen all the same. */
export const hidden: CSSProperties = { visibility: 'hidden' }
export const seen: CSSProperties = { visibility: 'visible' }

export interface DeletedLineProps {
  readonly name: string
  /** Absent for what is gone for good. */
  readonly onUndo: (() => void) | undefined
  /** Where the focus goes with the line. */
  readonly headingId: string
  /** True when the focus was on what was deleted. */
  readonly takesFocus: boolean
}

export function DeletedLine({ name, onUndo, headingId, takesFocus }: DeletedLineProps) {
  const line = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => {
    const { current } = line
    if (takesFocus) current?.focus({ preventScroll: true })
    return () => {
      if (!current?.contains(document.activeElement)) return
      document.getElementById(headingId)?.focus({ preventScroll: true })
    }
  }, [takesFocus, headingId])
  return (
    <p
      ref={line}
      tabIndex={-1}
      className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1 text-base"
    >
      <span className="min-w-0 wrap-anywhere">Deleted {name}.</span>
      {onUndo && (
        <Button tone="secondary" onClick={onUndo}>
          <span>
            Undo <span className="sr-only">the deletion of {name}</span>
          </span>
        </Button>
      )}
    </p>
  )
}

export interface KeptPlaceProps {
  /** What stands there instead once there is any. */
  readonly line: ReactNode
  readonly children: ReactNode
}

/** A card or an entry of a list, which keeps its room when it is deleted. */
export function KeptPlace({ line, children }: KeptPlaceProps) {
  return (
    <div className="relative h-full" style={line ? hidden : undefined}>
      {children}
      {line && (
        <div
          style={seen}
          className="absolute inset-0 grid place-items-center rounded-card border border-dashed border-line px-3"
        >
          {line}
        </div>
      )}
    </div>
  )
}
