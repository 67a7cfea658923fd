// One part of Watch Rewards: its heading, and its list in whichever state it is.

import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { askAgain, LoadErrorCard, Loading, Skeleton } from '../../ui/feedback/data-state.tsx'
import { Card } from '../../ui/layout/card.tsx'

export interface WatchSectionProps<T> {
  readonly title: string
  /** What it is that could not be loaded, for example 'streams'. */
  readonly what: string
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error' | 'isFetching' | 'refetch'>
  /** True while the parts above are not known: then this one waits with them. */
  readonly isWaiting: boolean
  readonly children: (data: T) => ReactNode
}

/** Data that was loaded once stays when a later poll fails; a line says that it may be old. */
export function WatchSection<T>({ title, what, query, isWaiting, children }: WatchSectionProps<T>) {
  const id = useId()
  const { error } = query
  const data = isWaiting ? undefined : query.data
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-4 text-2xl">
        {title}
      </h2>
      {data !== undefined && children(data)}
      {data !== undefined && error && (
        <p className="mt-3 text-sm text-warning">
          The last update failed; this may be a moment old. We keep trying.
        </p>
      )}
      {data === undefined && error && !isWaiting && (
        <LoadErrorCard
          title={`Error loading ${what}`}
          description="We try again by ourselves, too."
          {...askAgain(query)}
        />
      )}
      {data === undefined && (isWaiting || !error) && <SectionSkeleton label={`Loading ${what}`} />}
    </section>
  )
}

function SectionSkeleton({ label }: { readonly label: string }) {
  return (
    <Loading label={label}>
      <Card className="grid grid-cols-1 gap-4">
        <Skeleton className="h-7 w-48" />
        <Skeleton className="h-3 w-full" />
        <Skeleton className="h-6 w-64 max-w-full" />
      </Card>
    </Loading>
  )
}
