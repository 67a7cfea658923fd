// The button: something that acts here. For going elsewhere there is the link that looks like one.

import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentPropsWithRef } from 'react'
import { cn } from '../lib/class-names.ts'
import { Spinner } from './spinner.tsx'

/** Looks of buttons, shared with links. */
export const buttonLook = cva('button', {
  variants: {
    tone: {
      primary: 'button-primary',
      secondary: 'button-secondary',
      accent: 'button-accent',
      twitch: 'button-twitch',
      danger: 'button-danger',
      ghost: 'button-ghost',
      faint: 'button-faint',
    },
    size: { regular: '', large: 'button-large', compact: 'button-compact' },
    isIcon: { true: 'button-icon', false: '' },
  },
  defaultVariants: { tone: 'primary', size: 'regular', isIcon: false },
})

export type ButtonLook = VariantProps<typeof buttonLook>

export interface ButtonProps extends ComponentPropsWithRef<'button'>, ButtonLook {
  /** True shows a spinner and disables the button; say what goes on in the label. */
  readonly isPending?: boolean
}

export function Button({
  tone,
  size,
  isIcon,
  isPending = false,
  className,
  children,
  disabled,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled || isPending}
      className={cn(buttonLook({ tone, size, isIcon }), className)}
    >
      {isPending && <Spinner />}
      {children}
    </button>
  )
}
