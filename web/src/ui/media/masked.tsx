// Something that streamer mode hides: a mark in its place, and a press that shows it for a moment.

import { EyeOff } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { cn } from '../../lib/class-names.ts'
import { useStreamerMode } from '../../lib/streamer-mode.ts'
import { announce } from '../feedback/live-region.tsx'

/** How long something stays on screen after the press, in milliseconds. */
export const revealMs = 15_000

const look =
  'inline-flex items-center gap-1.5 rounded-control border border-dashed border-control bg-raised px-2 align-middle font-sans text-sm/6 font-medium whitespace-nowrap text-muted [&>svg]:size-4 [&>svg]:flex-none'

export interface MaskedProps {
  /** What is hidden, as the beginning of a sentence, for example 'Balance'. */
  readonly what: string
  /** False inside of links and other controls, which can hold no button. */
  readonly canReveal?: boolean
  /** True for what is worked with: once shown it stays until the screen is left. */
  readonly isLasting?: boolean
  /** True for content that is more than a piece of a line. */
  readonly isBlock?: boolean
  readonly className?: string
  readonly children: ReactNode
}

/** The children as they are, unless streamer mode is on. */
export function Masked({
  what,
  canReveal = true,
  isLasting = false,
  isBlock = false,
  className,
  children,
}: MaskedProps) {
  const isOn = useStreamerMode()
  const [isRevealed, setRevealed] = useState(false)
  const shown = useRef<HTMLElement>(null)
  /** True from the end of a place with the focus until the button there has it. */
  const hadFocus = useRef(false)
  useEffect(() => {
    if (!isOn) setRevealed(false)
    if (!isRevealed) return
    // What was pressed is gone; its place keeps the focus.
    shown.current?.focus()
    if (isLasting) return
    const timer = window.setTimeout(() => {
      hadFocus.current = shown.current?.contains(document.activeElement) === true
      setRevealed(false)
    }, revealMs)
    return () => window.clearTimeout(timer)
  }, [isOn, isRevealed, isLasting])

  if (!isOn) return children
  if (isRevealed) {
    const Place = isBlock ? 'div' : 'span'
    return (
      <Place
        ref={(element: HTMLElement | null) => {
          shown.current = element
        }}
        tabIndex={-1}
        className="focus:outline-none"
      >
        {children}
      </Place>
    )
  }
  const mark = (
    <>
      <EyeOff />
      <span className="sr-only">{what} </span>hidden
    </>
  )
  if (!canReveal) return <span className={cn(look, className)}>{mark}</span>
  const reveal = () => {
    setRevealed(true)
    announce(`${what} shown`)
  }
  return (
    <button
      ref={(button) => {
        if (button && hadFocus.current) button.focus()
        hadFocus.current = false
      }}
      type="button"
      onClick={reveal}
      className={cn(
        look,
        // The press may land outside of the mark itself: targets are 44 px high.
        'relative before:absolute before:-inset-x-1 before:-inset-y-2.5 hover:border-solid hover:text-ink',
        className,
      )}
    >
      {mark}
      <span className="sr-only">, press to show</span>
    </button>
  )
}
