// The card: a step of surface with one line around it.

import { Link, type LinkProps } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import type { ComponentPropsWithRef, ReactNode } from 'react'
import { cn } from '../../lib/class-names.ts'

export function Card({ className, ...rest }: ComponentPropsWithRef<'div'>) {
  return <div {...rest} className={cn('card card-padded on-card', className)} />
}

export interface CardHeaderProps {
  readonly title: ReactNode
  /** Stands before the title. */
  readonly icon?: LucideIcon
  /** Size and color of the icon. */
  readonly iconClassName?: string
  readonly description?: ReactNode
  /** Stands at the end of the row. */
  readonly action?: ReactNode
  /** Level of the heading in the page's outline. */
  readonly level?: 2 | 3
}

export function CardHeader({
  title,
  icon: Icon,
  iconClassName = 'size-5 text-muted',
  description,
  action,
  level = 2,
}: CardHeaderProps) {
  const Heading = `h${level}` as const
  return (
    <div className="mb-4 flex flex-wrap items-start justify-between gap-3 last:mb-0">
      <div className="min-w-0">
        <Heading className={cn('text-xl', Icon && 'flex items-center gap-2')}>
          {Icon && <Icon className={iconClassName} />}
          {title}
        </Heading>
        {description && <p className="mt-1 text-muted">{description}</p>}
      </div>
      {action}
    </div>
  )
}

export interface LinkCardProps {
  readonly to: LinkProps['to']
  readonly search?: LinkProps['search']
  readonly className?: string
  readonly children: ReactNode
}

/** A card that is one link as a whole. */
export function LinkCard({ className, ...rest }: LinkCardProps) {
  return (
    <Link
      {...rest}
      className={cn('card card-padded card-active on-card block no-underline', className)}
    />
  )
}
