// The button: something that acts here. For going elsewhere there is the link that looks like one.

import type { LucideIcon } from 'lucide-react'
import {
  type ComponentPropsWithRef,
  type ReactNode,
  type Ref,
  useCallback,
  useLayoutEffect,
  useRef,
} from 'react'
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
  /** True shows a spinner and disables the button; say what goes on in the label. */
  readonly isPending?: boolean
  /** Nothing to do now. Unlike a disabled one it keeps the focus of who has just pressed it. */
  readonly isOff?: boolean
  /** The label while the answer is awaited, for example 'Saving...'. */
  readonly pendingLabel?: ReactNode
}

const firstField = 'input:not(:disabled), select:not(:disabled), textarea:not(:disabled)'

/**
 * A button that waits is disabled, and browsers take the focus from what is disabled: who works by
 * keys would start from the top of the page. When the wait is over it has the focus again, or the
 * first field of its form where that was emptied and the button stays disabled.
 */
function useFocusBack(isPending: boolean, ref: Ref<HTMLButtonElement> | undefined) {
  const button = useRef<HTMLButtonElement>(null)
  const isDue = useRef(false)
  useLayoutEffect(() => {
    const { current } = button
    if (isPending) isDue.current = current?.matches(':focus-visible') ?? false
    if (isPending || !isDue.current) return
    isDue.current = false
    // In a dialog it fell to the dialog, elsewhere to the page; anywhere else somebody has put it.
    if (!document.activeElement?.contains(current)) return
    if (current?.disabled) current.form?.querySelector<HTMLElement>(firstField)?.focus()
    else current?.focus()
  }, [isPending])
  return useCallback(
    (element: HTMLButtonElement | null) => {
      button.current = element
      if (typeof ref === 'function') return ref(element)
      if (ref) ref.current = element
      return undefined
    },
    [ref],
  )
}

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
  const held = useFocusBack(isPending, ref)
  return (
    <button
      {...rest}
      ref={held}
      type={type}
      disabled={disabled || isPending}
      aria-disabled={isOff || undefined}
      onClick={isOff ? undefined : onClick}
      className={cn(buttonLook({ tone, size, isIcon }), className)}
    >
      {isPending ? <Spinner /> : Icon && <Icon />}
      {isPending ? (pendingLabel ?? children) : children}
    </button>
  )
}
