// What is said of a state: in a word, in a sentence, that there is nothing yet, that it is still
// loading or has failed.

import { CircleAlert, CloudAlert, Info, RotateCw, TriangleAlert } from 'lucide-react'
import { Fragment, type ReactElement, type ReactNode, useEffect, useState } from 'react'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { cn } from '../../lib/class-names.ts'
import { Button } from '../form/button.tsx'
import { Card, Disclosure } from '../layout/section.tsx'

const badgeTones = {
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
  readonly tone?: keyof typeof badgeTones | undefined
  readonly icon?: ReactNode
  readonly children: ReactNode
  readonly className?: string
}

/** One word about a thing's state, never by colour alone. */
export function Badge({ tone = 'neutral', icon, children, className }: BadgeProps) {
  return (
    <span
      className={cn(
        'inline-flex items-center gap-1.5 rounded-[0.8125rem] border px-2.5 py-0.5 text-sm font-semibold leading-5 [td_&]:whitespace-nowrap [&>svg]:size-4 [&>svg]:flex-none',
        badgeTones[tone],
        className,
      )}
    >
      {icon}
      {children}
    </span>
  )
}

const noticeLooks = {
  info: { Icon: Info, look: 'border-info [&>svg]:text-info' },
  warning: { Icon: TriangleAlert, look: 'border-warning [&>svg]:text-warning' },
  danger: { Icon: CircleAlert, look: 'border-danger [&>svg]:text-danger' },
}

export interface NoticeProps {
  readonly tone: keyof typeof noticeLooks
  /** `alert` is read at once, `status` when the reader is free, absent only in its place. */
  readonly role?: 'alert' | 'status'
  readonly children: ReactNode
  readonly className?: string
}

/** To be seen before going on: a warning, or a plain word. */
export function Notice({ tone, role, children, className }: NoticeProps) {
  const { Icon, look } = noticeLooks[tone]
  return (
    <div
      role={role}
      className={cn(
        'flex gap-2.5 rounded-control border bg-raised px-3 py-2.5 text-sm [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:flex-none',
        look,
        className,
      )}
    >
      <Icon />
      <div className="min-w-0 break-words">{children}</div>
    </div>
  )
}

export interface EmptyProps {
  readonly title: ReactNode
  readonly description?: ReactNode
  /** Picture above the title: an icon, or an image of the art folder. */
  readonly picture?: ReactNode
  readonly action?: ReactNode
}

/** Nothing here yet, and the one thing to do about it. */
export function Empty({ title, description, picture, action }: EmptyProps) {
  return (
    <div className="grid grid-cols-1 justify-items-center gap-2 px-4 py-10 text-center wrap-anywhere">
      {picture && <div className="mb-2 text-muted [&>svg]:size-12">{picture}</div>}
      <p className="font-display text-xl font-semibold">{title}</p>
      {description && <p className="max-w-prose text-muted">{description}</p>}
      {action && <div className="mt-4">{action}</div>}
    </div>
  )
}

/** The same in a card of its own. */
export function EmptyCard(props: EmptyProps) {
  return (
    <Card>
      <Empty {...props} />
    </Card>
  )
}

type Shape = string | ReactElement

/** A question to the server, as `useQuery` answers it. */
interface Asked<T> extends FailedQuery {
  readonly data: T | undefined
  readonly error: Error | null
}

/** Two questions as one, which asks both again. */
export function bothOf<One, Two>(one: Asked<One>, two: Asked<Two>): Asked<readonly [One, Two]> {
  const isThere = one.data !== undefined && two.data !== undefined
  const failed = [one, two].find(({ data, error }) => data === undefined && error)
  return {
    data: isThere ? [one.data, two.data] : undefined,
    error: failed?.error ?? null,
    isFetching: one.isFetching || two.isFetching,
    refetch: () => Promise.all([one.refetch(), two.refetch()]),
  }
}

export interface DataStateProps<T> {
  readonly query: Asked<T>
  /** What is loaded, in the middle of a sentence, for example 'the forecast'. */
  readonly what: string
  /** What stands in, one below the other: sizes of grey shapes, or shapes of one's own. */
  readonly skeleton: Shape | readonly Shape[]
  /** How the shapes stand. */
  readonly className?: string
  /** What is read out while it loads, where it is not 'Loading' and `what`. */
  readonly label?: string
  /** True lets everybody read that. */
  readonly isLabelShown?: boolean
  /** What a failure is called, where it is not 'Error loading' and `what`. */
  readonly title?: string
  /** What is said of a failure; absent for the words of the answer. */
  readonly description?: string | undefined
  readonly retryLabel?: string
  /** True for what stands on the page: a failure has a card of its own. */
  readonly isOnPage?: boolean
  /** True for a small part: nothing is said of a long wait, and of a failure no more than that. */
  readonly isBrief?: boolean
  readonly children: (data: T) => ReactNode
}

/** What the server says; of a fault that it did not expect, and a proxy, nothing that helps. */
const reasonOf = (error: Error) =>
  error instanceof ApiError && (error.status === 500 || error.code === undefined)
    ? 'Something went wrong on our side. Please try again in a moment.'
    : messageOf(error, 'No answer')

/** Data that is there stays, whatever becomes of the next question. */
export function DataState<T>({
  query,
  what,
  skeleton,
  className = 'grid gap-2',
  label = `Loading ${what}`,
  isLabelShown = false,
  title = `Error loading ${what}`,
  description,
  retryLabel,
  isOnPage = false,
  isBrief = false,
  children,
}: DataStateProps<T>) {
  const { data, error } = query
  if (data !== undefined) return children(data)
  if (error) {
    const Failure = isOnPage ? LoadErrorCard : LoadError
    const told = description ?? (isBrief ? undefined : reasonOf(error))
    return <Failure {...{ title, retryLabel }} description={told} {...askAgain(query)} />
  }
  return (
    <Loading label={label} isLabelShown={isLabelShown} className={className}>
      {[skeleton].flat().map((shape, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: shapes neither come nor go
        <Fragment key={index}>
          {typeof shape === 'string' ? <Skeleton className={shape} /> : shape}
        </Fragment>
      ))}
      {!isBrief && <SlowNote what={what} />}
    </Loading>
  )
}

export interface LoadErrorProps {
  readonly title: ReactNode
  readonly description?: ReactNode
  readonly error: unknown
  readonly retryLabel?: string | undefined
  readonly onRetry: () => void
  readonly isRetrying?: boolean
}

/** Without a frame: for what has failed inside a card, a dialog or a section with a border. */
export function LoadError(props: LoadErrorProps) {
  const { title, description, error, retryLabel = 'Retry', onRetry, isRetrying } = props
  return (
    <div
      role="alert"
      className="grid grid-cols-1 justify-items-center gap-2 px-4 py-8 text-center wrap-anywhere"
    >
      <CloudAlert className="size-12 text-danger" />
      <p className="font-display text-xl font-semibold">{title}</p>
      {description && <p className="text-muted">{description}</p>}
      <Button tone="secondary" onClick={onRetry} isPending={isRetrying} className="mt-3">
        <RotateCw />
        {retryLabel}
      </Button>
      <Disclosure summary="Details" className="mt-2 max-w-full text-start">
        <code className="break-all text-sm text-muted">
          {error instanceof Error ? error.message : String(error)}
          {error instanceof Error && error.cause instanceof Error && ` (${error.cause.message})`}
        </code>
      </Disclosure>
    </div>
  )
}

/** The same in a card of its own, for what stands on the page instead of a list or a panel. */
export function LoadErrorCard(props: LoadErrorProps) {
  return (
    <Card>
      <LoadError {...props} />
    </Card>
  )
}

/** What `useQuery` answers, as far as a failure and another try are concerned. */
interface FailedQuery {
  readonly error: unknown
  readonly isFetching: boolean
  readonly refetch: () => Promise<unknown>
}

/** A failure, and the other try that asks the same question again. */
export function askAgain({ error, isFetching, refetch }: FailedQuery) {
  return { error, onRetry: () => void refetch(), isRetrying: isFetching }
}

/** Waiting is spoken of after this time, in milliseconds. */
const slowMs = 3000

/** Takes its line from the start, so that nothing moves when the sentence comes. */
export function SlowNote({ what }: { readonly what: string }) {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), slowMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <p role="status" className="col-span-full min-h-6 text-muted">
      {isSlow && `Still loading ${what}. This is taking longer than usual.`}
    </p>
  )
}

/** A grey box; give it the size of what will stand there. Shown after 150 ms (class `skeleton`). */
export function Skeleton({ className }: { readonly className?: string }) {
  return <span aria-hidden="true" className={cn('skeleton', className)} />
}

export interface LoadingProps {
  /** What is loading, for those who do not see the shapes. */
  readonly label: string
  readonly isLabelShown?: boolean
  readonly className?: string
  readonly children: ReactNode
}

/** A part of the page that is still loading. */
export function Loading({ label, isLabelShown, className, children }: LoadingProps) {
  return (
    <div aria-busy="true" className={className}>
      <span role="status" className={isLabelShown ? 'col-span-full text-muted' : 'sr-only'}>
        {label}
      </span>
      {children}
    </div>
  )
}
