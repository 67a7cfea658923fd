// One word about a thing's state; always with its word, never by colour alone.

import { cva, type VariantProps } from 'class-variance-authority'
import type { ReactNode } from 'react'
import { cn } from '../../lib/class-names.ts'

const look = cva(
  'inline-flex items-center gap-1.5 rounded-[0.8125rem] border px-2.5 py-0.5 text-sm font-semibold leading-5 [td_&]:whitespace-nowrap [&>svg]:size-4 [&>svg]:flex-none',
  {
    variants: {
      tone: {
        neutral: 'border-control text-muted',
        success: 'border-success text-success',
        info: 'border-info text-info',
        warning: 'border-warning text-warning',
        danger: 'border-danger text-danger',
        idle: 'border-idle text-idle',
        accent: 'border-accent-graphic text-accent-text',
        secondary: 'border-secondary-graphic text-secondary-text',
        live: 'border-transparent bg-primary text-primary-label',
      },
    },
    defaultVariants: { tone: 'neutral' },
  },
)

export interface BadgeProps extends VariantProps<typeof look> {
  readonly icon?: ReactNode
  readonly children: ReactNode
  readonly className?: string
}

export function Badge({ tone, icon, children, className }: BadgeProps) {
  return (
    <span className={cn(look({ tone }), className)}>
      {icon}
      {children}
    </span>
  )
}
