// The states that a part of a screen goes through before its data is there.

import type { ReactNode } from 'react'
import { httpTextOf } from '../lib/api-error.ts'
import { askAgain, LoadError } from './load-error.tsx'
import { Loading, Skeleton } from './skeleton.tsx'
import { SlowNote } from './slow-note.tsx'

export interface DataStateProps<T> {
  /** As `useQuery` answers it. */
  readonly query: {
    readonly data: T | undefined
    readonly error: Error | null
    readonly isFetching: boolean
    readonly refetch: () => Promise<unknown>
  }
  /** What is loaded, in the middle of a sentence, for example 'the forecast'. */
  readonly what: string
  /** Size of the shape that stands in. */
  readonly skeleton: string
  readonly children: (data: T) => ReactNode
}

/** Data that is there stays, whatever becomes of the next question. */
export function DataState<T>({ query, what, skeleton, children }: DataStateProps<T>) {
  const { data, error } = query
  if (data !== undefined) return children(data)
  if (error) {
    return (
      <LoadError
        title={`Error loading ${what}`}
        description={httpTextOf(error)}
        {...askAgain(query)}
      />
    )
  }
  return (
    <Loading label={`Loading ${what}`} className="grid gap-2">
      <Skeleton className={skeleton} />
      <SlowNote what={what} />
    </Loading>
  )
}
