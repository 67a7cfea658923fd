// One word about a thing's state; always with its word, never by colour alone.

import type { ReactNode } from 'react'
import { cn } from '../../lib/class-names.ts'

const tones = {
  neutral: 'border-control text-muted',
  success: 'border-success text-success',
  info: 'border-info text-info',
  warning: 'border-warning text-warning',
  danger: 'border-danger text-danger',
  idle: 'border-idle text-idle',
  accent: 'border-accent-graphic text-accent-text',
  secondary: 'border-secondary-graphic text-secondary-text',
  live: 'border-transparent bg-primary text-primary-label',
}

export interface BadgeProps {
  readonly tone?: keyof typeof tones | undefined
  readonly icon?: ReactNode
  readonly children: ReactNode
  readonly className?: string
}

export function Badge({ tone = 'neutral', icon, children, className }: BadgeProps) {
  return (
    <span
      className={cn(
        'inline-flex items-center gap-1.5 rounded-[0.8125rem] border px-2.5 py-0.5 text-sm font-semibold leading-5 [td_&]:whitespace-nowrap [&>svg]:size-4 [&>svg]:flex-none',
        tones[tone],
        className,
      )}
    >
      {icon}
      {children}
    </span>
  )
}
