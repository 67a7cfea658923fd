// Asks again for what is on screen when a call, the socket or a poll says that it has changed.

import type { RealtimeTopic, Topic } from '@redpack/contract'
import {
  focusManager,
  type Mutation,
  QueryClient,
  QueryClientProvider,
  type QueryFunctionContext,
} from '@tanstack/react-query'
import { createElement, type ReactNode, useEffect } from 'react'
import { forgetOnSwitch } from '../features/session/account-switch.ts'
import { load } from '../lib/api.ts'
import { type ChangeSource, changedTopics } from '../lib/changed-topics.ts'
import { showsOneOf } from '../lib/endpoint-query.ts'
import { logFailure } from '../lib/log.ts'
import { loadTheme } from '../lib/theme.ts'
import { openDialogs } from '../ui/overlay/dialog-shell.ts'

/** What an opening changes: on screen before its reveal, it would give the prize away. */
const revealing: ReadonlySet<Topic> = new Set<RealtimeTopic>(['user', 'holdings', 'leaderboard'])

/** An answered opening has its dialog on screen by then, in milliseconds. */
export const revealGraceMs = 200
/** The socket's word of a call comes about with its answer: both are one event, in milliseconds. */
export const sameEventMs = 50

/** What everybody shares changes all the time: a tab that nobody sees does not ask for it. */
const shared: ReadonlySet<Topic> = new Set<RealtimeTopic>(['leaderboard', 'listings'])
/** The ranking is asked for at most so often on news of others, in milliseconds. */
export const rankingMs = 3_000

/** A call that takes longer waits for a person or the browser, in milliseconds. */
export const writeMaxMs = 10_000

/** What others wait for; an opening however long it takes, as its news would tell the prize. */
function isAwaited({ meta, state }: Mutation): boolean {
  return meta?.tellsPrize === true || Date.now() - state.submittedAt < writeMaxMs
}

/**
 * Follows every announcement until the returned function is called. Topics are gathered, so that
 * one event has each query asked once. What a call changed is asked for when no call that writes is
 * waited for; news of what an opening changes also waits until no dialog is open.
 */
export function refreshOnChange(queryClient: QueryClient): () => void {
  const due = new Set<Topic>()
  const held = new Set<Topic>()
  let dueTimer: number | undefined
  let heldTimer: number | undefined
  /** News of what everybody shares, until it may be asked for. */
  const putOff = new Set<Topic>()
  let putOffTimer: number | undefined
  let rankingFromMs = 0

  const ask = (topics: Iterable<Topic>) => {
    const asked = new Set(topics)
    for (const topic of asked) {
      due.delete(topic)
      held.delete(topic)
      putOff.delete(topic)
    }
    if (asked.has('leaderboard')) rankingFromMs = Date.now() + rankingMs
    if (asked.has('theme')) {
      loadTheme(queryClient).catch((error) => logFailure('The theme could not be loaded', error))
    }
    queryClient
      .invalidateQueries({ predicate: (query) => showsOneOf(asked, query) })
      .catch(() => undefined)
  }
  const isWriting = () => queryClient.isMutating({ predicate: isAwaited }) > 0
  const askDue = () => {
    dueTimer = undefined
    if (due.size > 0 && !isWriting()) ask(due)
  }
  const flushDeferred = () => {
    heldTimer = undefined
    if (held.size === 0 || openDialogs.get() > 0 || isWriting()) return
    ask(held)
  }
  const scheduleFlush = () => {
    if (due.size > 0) dueTimer ??= window.setTimeout(askDue, sameEventMs)
    if (held.size > 0) heldTimer ??= window.setTimeout(flushDeferred, revealGraceMs)
  }
  const isEarly = (topic: Topic) =>
    shared.has(topic) &&
    (document.hidden || (topic === 'leaderboard' && Date.now() < rankingFromMs))
  const take = (topics: readonly Topic[], source: ChangeSource) => {
    if (source === 'timer') return ask(topics)
    for (const topic of topics) {
      if (source === 'news' && isEarly(topic)) {
        putOff.add(topic)
        putOffTimer ??= window.setTimeout(takePutOff, rankingMs)
        continue
      }
      const isHeld = source === 'news' && revealing.has(topic) && !due.has(topic)
      if (isHeld) held.add(topic)
      else due.add(topic)
    }
    scheduleFlush()
  }
  const takePutOff = () => {
    window.clearTimeout(putOffTimer)
    putOffTimer = undefined
    if (document.hidden) return
    const topics = [...putOff]
    putOff.clear()
    take(topics, 'news')
  }
  document.addEventListener('visibilitychange', takePutOff)
  const stops = [
    changedTopics.subscribe(take),
    openDialogs.subscribe(scheduleFlush).unsubscribe,
    queryClient.getMutationCache().subscribe(scheduleFlush),
  ]
  // Nothing says that a call has taken too long: that is seen up to as much later.
  const lateTimer = window.setInterval(scheduleFlush, writeMaxMs)
  return () => {
    window.clearTimeout(dueTimer)
    window.clearTimeout(heldTimer)
    window.clearTimeout(putOffTimer)
    document.removeEventListener('visibilitychange', takePutOff)
    window.clearInterval(lateTimer)
    for (const stop of stops) stop()
  }
}

interface ServerStateProps {
  readonly queryClient: QueryClient
  readonly children: ReactNode
}

/** Gives everything below it the cache of server state, which follows what changes. */
export function ServerState({ queryClient, children }: ServerStateProps) {
  useEffect(() => refreshOnChange(queryClient), [queryClient])
  useEffect(() => forgetOnSwitch(queryClient), [queryClient])
  return createElement(QueryClientProvider, { client: queryClient }, children)
}

/** Loads what a key names: its first element is the address (000 section 7). */
function loadByKey({ queryKey, signal }: QueryFunctionContext): Promise<unknown> {
  return load(String(queryKey[0]), signal)
}

/** Tabs that come to the front and windows that get the focus both count as focus. */
function listenForFocus(onFocus: () => void): () => void {
  const listen = () => onFocus()
  const events = ['visibilitychange', 'focus']
  for (const event of events) window.addEventListener(event, listen)
  return () => {
    for (const event of events) window.removeEventListener(event, listen)
  }
}

/**
 * No retry, stale at once, no refetch on focus, no polling; a query that differs says so itself.
 */
export function createQueryClient(): QueryClient {
  focusManager.setEventListener(listenForFocus)
  return new QueryClient({
    defaultOptions: {
      queries: {
        queryFn: loadByKey,
        retry: false,
        staleTime: 0,
        refetchOnWindowFocus: false,
        refetchInterval: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
