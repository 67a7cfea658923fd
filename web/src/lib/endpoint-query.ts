// Queries of endpoints: each says under which topics it is asked again.

import type { EndpointShape, Response as ResponseOf, Topic } from '@redpack/contract'
import type { Query } from '@tanstack/react-query'
import { call } from './api.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { readonly shows?: readonly Topic[] }
  }
}

/** What a page without anything on it says of its place. */
export const emptyPage = { total: 0, totalPages: 0, page: 1, limit: 0 } as const

interface Question<Answer> {
  /** The topics on screen: a change of one of them has the endpoint asked again. */
  readonly shows: readonly Topic[]
  /** What tells this question from others to the same endpoint. */
  readonly key?: readonly unknown[]
  /** Asks; a plain call when absent. */
  readonly ask?: (signal: AbortSignal) => Promise<Answer>
  /** What an answer without a text stands for: lists and pages are empty then. */
  readonly empty?: NoInfer<Answer>
  /** True where nothing can be shown without an answer: one without a text is a failure then. */
  readonly isNeeded?: boolean
}

/** The options of a query that asks an endpoint; its key begins with the endpoint's path. */
export function endpointQuery<E extends EndpointShape, Answer = ResponseOf<E>>(
  endpoint: E,
  { shows, key = [], ask, empty, isNeeded = false }: Question<Answer>,
) {
  const plainly = call as unknown as (
    endpoint: E,
    options: { readonly signal: AbortSignal },
  ) => Promise<Answer>
  return {
    queryKey: [endpoint.path, ...key] as readonly unknown[],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<Answer> => {
      const answer = await (ask ? ask(signal) : plainly(endpoint, { signal }))
      if (answer !== null) return answer
      if (isNeeded) throw new Error('The server sent an empty answer')
      return empty ?? answer
    },
    meta: { shows },
  }
}

export function showsOneOf(topics: ReadonlySet<Topic>, query: Query): boolean {
  return (query.meta?.shows ?? []).some((topic) => topics.has(topic))
}
