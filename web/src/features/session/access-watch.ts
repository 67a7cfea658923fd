// Notices in the open panel that its user is no longer let in, by the first refusal of any call.

import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiError } from '../../lib/api-error.ts'
import { changedTopics } from '../../lib/changed-topics.ts'

/** The session is gone, or the role is; other refusals of staff have codes of their own. */
export function endsAccess(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return error.status === 401 || (error.status === 403 && error.code === 'forbidden')
}

/**
 * Asks who is signed in as soon as a call was refused; the door then shows what is true now.
 * @returns the way to stop
 */
export function watchAccess(queryClient: QueryClient): () => void {
  const look = (error: unknown) => {
    if (endsAccess(error)) changedTopics.announce(['session'], 'news')
  }
  const stops = [
    queryClient.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') look(event.action.error)
    }),
    queryClient.getMutationCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') look(event.action.error)
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

export function useAccessWatch(): void {
  const queryClient = useQueryClient()
  useEffect(() => watchAccess(queryClient), [queryClient])
}
