// Queries of endpoints: each says under which topics it is asked again.

import type { EndpointShape, Response as ResponseOf, Topic } from '@redpack/contract'
import { type Query, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { type CallOptions, call } from './api.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { readonly shows?: readonly Topic[] }
  }
}

/** What a page without anything on it says of its place. */
export const emptyPage = { total: 0, totalPages: 0, page: 1, limit: 0 } as const
/** The same in the words of the player's lists. */
export const emptyPagination = {
  ...{ totalItems: 0, totalPages: 0, page: 1, limit: 0 },
  ...{ hasPreviousPage: false, hasNextPage: false },
} as const

interface Question<E extends EndpointShape, Answer> {
  /** The topics on screen: a change of one of them has the endpoint asked again. */
  readonly shows: readonly Topic[]
  /** Params and query of the call. */
  readonly options?: CallOptions<E>
  /** What tells this question from others to the same endpoint; its options when absent. */
  readonly key?: readonly unknown[]
  /** Asks; a plain call when absent. */
  readonly ask?: (signal: AbortSignal) => Promise<Answer>
  /** What an answer without a text or of another shape stands for: nothing to list. */
  readonly empty?: NoInfer<Answer>
  /** True where an answer without a text says something; elsewhere it is a failure. */
  readonly mayBeNothing?: boolean
}

/** The options of a query that asks an endpoint; its key begins with the endpoint's path. */
export function endpointQuery<E extends EndpointShape, Answer = ResponseOf<E>>(
  endpoint: E,
  { shows, options, key = options ? [options] : [], ...rest }: Question<E, Answer>,
) {
  const { ask, empty, mayBeNothing = false } = rest
  const plainly = call as unknown as (endpoint: E, options: object) => Promise<Answer>
  return {
    queryKey: [endpoint.path, ...key] as readonly unknown[],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<Answer> => {
      const answer = await (ask ? ask(signal) : plainly(endpoint, { ...options, signal }))
      if (empty !== undefined) return answerOr<Answer>(empty, answer as Answer)
      if (answer === null && !mayBeNothing) throw new Error('The server sent an empty answer')
      return answer
    },
    meta: { shows },
  }
}

/** Asks while the caller is on screen, with whatever else the library takes. */
export function useEndpoint<E extends EndpointShape, Answer = ResponseOf<E>>(
  endpoint: E,
  question: Question<E, Answer> &
    Omit<UseQueryOptions<NoInfer<Answer>>, 'queryKey' | 'queryFn' | 'meta'>,
) {
  return useQuery<Answer>({ ...question, ...endpointQuery(endpoint, question) })
}

/** The answer, or what is empty when the answer has another shape. */
export function answerOr<Answer>(empty: Answer, answer: Answer): Answer {
  return hasShapeOf(answer, empty) ? answer : empty
}

/** Whether an answer has the fields of a model; null stands for anything, lists hold objects. */
function hasShapeOf(answer: unknown, model: unknown): boolean {
  if (model === null) return true
  if (typeof model !== 'object') return typeof answer === typeof model
  if (typeof answer !== 'object' || answer === null) return false
  if (Array.isArray(model)) {
    return Array.isArray(answer) && answer.every((row) => typeof row === 'object' && row !== null)
  }
  const fields = answer as Readonly<Record<string, unknown>>
  return Object.entries(model).every(([name, part]) => hasShapeOf(fields[name], part))
}

export function showsOneOf(topics: ReadonlySet<Topic>, query: Query): boolean {
  return (query.meta?.shows ?? []).some((topic) => topics.has(topic))
}
