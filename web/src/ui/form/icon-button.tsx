// A button that shows only an icon: its name is read out, and shown as a tooltip on hover and on
// focus. Placed by hand: a positioning library would add 6 to 18 kB to every first visit.

import {
  type FocusEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { Button, type ButtonProps } from './button.tsx'

/** Time the pointer rests before a tooltip opens, in milliseconds. */
const tooltipDelayMs = 700
/** After one tooltip, the next opens at once for this long, in milliseconds. */
const tooltipSkipDelayMs = 300
/** Time the pointer has to get from the control onto the words, in milliseconds. */
const leaveMs = 150

/** Between the control and the words, and between the words and the window's edge, in pixels. */
const gapPx = 6
const edgePx = 8

/** At most one tooltip is open; the next one closes it. */
let closeOpen: (() => void) | undefined
let closedAtMs = Number.NEGATIVE_INFINITY

const dialogs = '[role="dialog"], [role="alertdialog"]'

/**
 * A dialog that opens or closes moves the focus by itself. A tooltip there would be in the way.
 */
function isMovedByDialog({ relatedTarget, currentTarget }: FocusEvent<HTMLElement>): boolean {
  const from = relatedTarget?.closest(dialogs) ?? null
  return from !== currentTarget.closest(dialogs)
}

export interface IconButtonProps
  extends Omit<ButtonProps, 'isIcon' | 'aria-label' | 'onPointerMove' | 'onPointerLeave'> {
  /** What the button does, for those who do not see the icon. */
  readonly label: string
}

/** A button that shows only an icon, with its name as a tooltip. */
export function IconButton({ label, tone = 'ghost', ...rest }: IconButtonProps) {
  const id = useId()
  const [anchor, setAnchor] = useState<HTMLElement>()
  const timer = useRef<number>(undefined)
  // The focus that a press brings tells nothing new, and what was pressed is known; neither
  // does the one that comes back when what a finger opened is closed by it.
  const isPressed = useRef(false)

  const stop = () => {
    window.clearTimeout(timer.current)
    timer.current = undefined
  }
  const close = () => {
    stop()
    if (anchor) closedAtMs = Date.now()
    setAnchor(undefined)
  }
  const open = (control: HTMLElement) => {
    stop()
    setAnchor(control)
  }
  const closeSoon = () => {
    stop()
    timer.current = window.setTimeout(close, leaveMs)
  }
  useEffect(() => () => window.clearTimeout(timer.current), [])

  const onPointerMove = ({ pointerType, currentTarget }: PointerEvent<HTMLElement>) => {
    if (pointerType === 'touch' || isPressed.current) return
    if (anchor) return stop()
    if (closeOpen || Date.now() - closedAtMs < tooltipSkipDelayMs) return open(currentTarget)
    timer.current ??= window.setTimeout(() => open(currentTarget), tooltipDelayMs)
  }
  const onPointerLeave = () => {
    isPressed.current = false
    if (anchor) closeSoon()
    else stop()
  }
  return (
    <>
      <Button
        {...rest}
        {...(anchor && { 'aria-describedby': id })}
        {...{ tone, onPointerMove, onPointerLeave }}
        isIcon
        aria-label={label}
        // Captured, so that what the caller listens to is the caller's.
        onPointerDownCapture={() => {
          isPressed.current = true
          close()
        }}
        onFocusCapture={(event) => {
          const isByKey = !isPressed.current && event.currentTarget.matches(':focus-visible')
          if (isByKey && !isMovedByDialog(event)) open(event.currentTarget)
        }}
        onBlurCapture={() => {
          isPressed.current = false
          close()
        }}
      />
      {anchor && (
        <Words {...{ id, anchor }} onClose={close} onEnter={stop} onLeave={closeSoon}>
          {label}
        </Words>
      )}
    </>
  )
}

interface WordsProps {
  readonly id: string
  readonly anchor: HTMLElement
  readonly onClose: () => void
  readonly onEnter: () => void
  readonly onLeave: () => void
  readonly children: ReactNode
}

function Words({ id, anchor, onClose, onEnter, onLeave, children }: WordsProps) {
  const box = useRef<HTMLDivElement>(null)
  const close = useEffectEvent(onClose)
  useLayoutEffect(() => {
    if (box.current) place(box.current, anchor)
  }, [anchor])
  useEffect(() => {
    const end = () => close()
    const endOnKey = ({ key }: KeyboardEvent) => key === 'Escape' && close()
    closeOpen?.()
    closeOpen = end
    document.addEventListener('keydown', endOnKey, true)
    window.addEventListener('scroll', end, true)
    return () => {
      document.removeEventListener('keydown', endOnKey, true)
      window.removeEventListener('scroll', end, true)
      if (closeOpen === end) closeOpen = undefined
    }
  }, [])
  return createPortal(
    <div
      ref={box}
      id={id}
      role="tooltip"
      onPointerEnter={onEnter}
      onPointerLeave={onLeave}
      className="card on-card pointer-events-auto fixed start-0 top-0 z-toast w-max max-w-64 bg-raised px-3 py-2 text-sm"
    >
      {children}
    </div>,
    document.body,
  )
}

/** Above the control and over its middle; below where there is no room, and within the window. */
function place(box: HTMLElement, anchor: HTMLElement): void {
  const control = anchor.getBoundingClientRect()
  const { width, height } = box.getBoundingClientRect()
  const above = control.top - gapPx - height
  const top = above < edgePx ? control.bottom + gapPx : above
  const middle = control.left + control.width / 2 - width / 2
  const room = document.documentElement.clientWidth - edgePx - width
  const left = Math.max(edgePx, Math.min(middle, room))
  box.style.translate = `${Math.round(left)}px ${Math.round(top)}px`
}
