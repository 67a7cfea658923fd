// Buttons, with words or an icon alone, and links in their look. The name of an icon is read out,
// and shown as a tooltip on hover and on focus: placed by hand, since a positioning library would
// add 6 to 18 kB to every first visit.

import { Link, type LinkProps } from '@tanstack/react-router'
import { Download, ExternalLink, type LucideIcon } from 'lucide-react'
import {
  type ComponentPropsWithRef,
  type FocusEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { cn } from '../../lib/class-names.ts'
import { Spinner } from '../feedback/spinner.tsx'

const tones = {
  primary: 'button-primary',
  secondary: 'button-secondary',
  twitch: 'button-twitch',
  danger: 'button-danger',
  ghost: 'button-ghost',
  faint: 'button-faint',
}
const sizes = { regular: '', large: 'button-large', compact: 'button-compact' }

export interface ButtonLook {
  readonly tone?: keyof typeof tones | undefined
  readonly size?: keyof typeof sizes | undefined
  readonly isIcon?: boolean | undefined
}

/** Looks of buttons, shared with links. */
export function buttonLook({ tone = 'primary', size = 'regular', isIcon }: ButtonLook): string {
  return cn('button', tones[tone], sizes[size], isIcon && 'button-icon')
}

export interface ButtonProps extends ComponentPropsWithRef<'button'>, ButtonLook {
  /**
   * Stands before the label; while the answer is awaited, the spinner takes its place. Icons of
   * lucide hide themselves from screen readers.
   */
  readonly icon?: LucideIcon
  /** True shows a spinner and takes no press; say what goes on in the label. */
  readonly isPending?: boolean
  /** Nothing to do now. Unlike a disabled one it keeps the focus of who has just pressed it. */
  readonly isOff?: boolean
  /** The label while the answer is awaited, for example 'Saving...'. */
  readonly pendingLabel?: ReactNode
}

const firstField = 'input:not(:disabled), select:not(:disabled), textarea:not(:disabled)'

/**
 * Browsers take the focus from what is disabled, and who works by keys would start from the top of
 * the page: a button that waits keeps it. One that its answer leaves disabled hands it to the first
 * field of its form, which was emptied.
 */
function useFieldOnceDisabled(isPending: boolean, button: RefObject<HTMLButtonElement | null>) {
  const wasPending = useRef(isPending)
  useLayoutEffect(() => {
    const { current } = button
    const isLosing = wasPending.current && current?.disabled && current.matches(':focus-visible')
    if (isLosing) current.form?.querySelector<HTMLElement>(firstField)?.focus()
    wasPending.current = isPending
  }, [isPending, button])
}

const refuse = (event: MouseEvent) => event.preventDefault()

/** Something that acts here; what goes elsewhere is a link in its look. */
export function Button({
  tone,
  size,
  isIcon,
  icon: Icon,
  isPending = false,
  isOff = false,
  pendingLabel,
  className,
  children,
  disabled,
  onClick,
  type = 'button',
  ref,
  ...rest
}: ButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  useImperativeHandle(ref, () => button.current as HTMLButtonElement, [])
  useFieldOnceDisabled(isPending, button)
  const isStill = isOff || isPending
  return (
    <button
      {...rest}
      ref={button}
      type={type}
      disabled={disabled && !isPending}
      aria-disabled={isStill || undefined}
      onClick={isStill ? refuse : onClick}
      className={cn(buttonLook({ tone, size, isIcon }), className)}
    >
      {isPending ? <Spinner /> : Icon && <Icon />}
      {isPending ? (pendingLabel ?? children) : children}
    </button>
  )
}

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

export interface LinkButtonProps extends ButtonLook, Pick<LinkProps, 'to' | 'search'> {
  /** Stands before the label. */
  readonly icon?: LucideIcon
  readonly children: ReactNode
  readonly className?: string
  readonly onClick?: () => void
}

/** Goes to another screen of the app. */
export function LinkButton(props: LinkButtonProps) {
  const { tone, size, isIcon, icon: Icon, className, children, ...rest } = props
  return (
    <Link {...rest} className={cn(buttonLook({ tone, size, isIcon }), className)}>
      {Icon && <Icon />}
      {children}
    </Link>
  )
}

export interface DownloadButtonProps {
  readonly href: string
  readonly children: string
}

/** Hands a file of the server to the browser to keep. */
export function DownloadButton({ href, children }: DownloadButtonProps) {
  return (
    <a href={href} download className={buttonLook({ tone: 'secondary' })}>
      <Download />
      {children}
    </a>
  )
}

export interface OutsideLinkProps {
  readonly href: string
  readonly className: string
  readonly onClick?: (() => void) | undefined
  readonly children: ReactNode
}

/** Goes to another site in a new tab, and says so to those who do not see the icon. */
export function OutsideLink({ children, ...rest }: OutsideLinkProps) {
  return (
    <a {...rest} target="_blank" rel="noopener noreferrer">
      {children}
      <ExternalLink className="size-4 flex-none" />
      <span className="sr-only">(opens in a new tab)</span>
    </a>
  )
}
