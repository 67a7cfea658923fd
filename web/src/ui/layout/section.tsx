// The parts of a page: screens, panels and cards with their headings, terms with their values, and
// what unfolds.

import { Link, type LinkProps } from '@tanstack/react-router'
import { ChevronRight, type LucideIcon } from 'lucide-react'
import { Children, type ComponentPropsWithRef, type PropsWithChildren, type ReactNode } from 'react'
import { cn } from '../../lib/class-names.ts'
import { NumberText } from '../media/number-text.tsx'

export interface PageHeadingProps {
  readonly title: ReactNode
  readonly description?: ReactNode
  /** Stands at the end of the row. */
  readonly action?: ReactNode
}

export function PageHeading({ title, description, action }: PageHeadingProps) {
  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-4">
      <div className="min-w-0 flex-[1_1_12rem]">
        <h1 tabIndex={-1} className="text-3xl">
          {title}
        </h1>
        {description && <p className="mt-1 text-lg text-muted">{description}</p>}
      </div>
      {action}
    </header>
  )
}

export interface PanelHeaderProps {
  /** What the section says in `aria-labelledby`. */
  readonly id: string
  readonly title: string
  /** Newer data is on its way; left out where the panel says so elsewhere. */
  readonly isRefreshing?: boolean
  readonly className?: string
  /** Buttons at the end of the row. */
  readonly children?: ReactNode
}

/** The title of a panel. It can take the focus of what was removed below. */
export function PanelHeader({ id, title, isRefreshing, className, children }: PanelHeaderProps) {
  return (
    <div className={cn(className, 'flex min-h-11 flex-wrap items-center justify-between gap-3')}>
      <h2 id={id} tabIndex={-1} className="flex items-center gap-2 text-2xl">
        {title}
        {isRefreshing !== undefined && <RefreshingDot isShown={isRefreshing} />}
      </h2>
      {children}
    </div>
  )
}

/** Takes its room whether or not it shows, so that nothing moves. */
export function RefreshingDot({ isShown }: { readonly isShown: boolean }) {
  return (
    <span className="inline-grid size-4 place-items-center">
      {isShown && (
        <>
          <span
            aria-hidden="true"
            title="Refreshing"
            className="size-2 animate-pulse rounded-full bg-secondary-graphic"
          />
          <span className="sr-only">Refreshing</span>
        </>
      )}
    </span>
  )
}

/** A step of surface with one line around it. */
export function Card({ className, ...rest }: ComponentPropsWithRef<'div'>) {
  return <div {...rest} className={cn('card card-padded on-card', className)} />
}

export interface CardHeaderProps extends PageHeadingProps {
  /** Stands before the title. */
  readonly icon?: LucideIcon
  readonly iconClassName?: string
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

export interface LinkCardProps extends Pick<LinkProps, 'to' | 'search'> {
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

type TermProps = PropsWithChildren<{ readonly term: string }>

/** Side by side in a list of two columns. */
export function Detail({ term, children }: TermProps) {
  return (
    <>
      <dt className="text-muted max-sm:-mb-2 max-sm:text-sm">{term}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  )
}

/** At both ends of a row with a line below it. */
export function Fact({ term, children }: TermProps) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-b border-line py-2.5">
      <dt className="text-muted">{term}</dt>
      <dd className="min-w-0 text-end wrap-anywhere tabular-nums">{children || '–'}</dd>
    </div>
  )
}

export function Figure({ term, children }: TermProps) {
  return (
    <div className="min-w-0 rounded-control border border-line p-3">
      <dt className="text-sm text-muted">{term}</dt>
      <dd className="break-words font-display text-lg font-semibold tabular-nums">
        {Children.map(children, (part) =>
          typeof part === 'string' ? <NumberText value={part} /> : part,
        )}
      </dd>
    </div>
  )
}

export interface DisclosureProps {
  readonly summary: ReactNode
  readonly children: ReactNode
  readonly className?: string
  /** True unfolds it, for example since something in it is wrong. */
  readonly isOpen?: boolean
  readonly onToggle?: () => void
}

/** Something more, folded away until asked for. */
export function Disclosure({ summary, children, className, isOpen, onToggle }: DisclosureProps) {
  return (
    <details open={isOpen} onToggle={onToggle} className={cn('group', className)}>
      <summary className="inline-flex min-h-11 list-none items-center gap-1.5 text-muted hover:text-ink">
        <ChevronRight className="size-4 flex-none transition-transform group-open:rotate-90" />
        {summary}
      </summary>
      <div className="pt-1">{children}</div>
    </details>
  )
}
