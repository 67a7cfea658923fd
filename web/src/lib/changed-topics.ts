// Where calls, the socket and polls say what has changed, and whoever refreshes the page listens.

import type { Topic } from '@redpack/contract'

/** A call of this page, news of the server, or a moment that was waited for long enough. */
export type ChangeSource = 'call' | 'news' | 'timer'

type Listener = (topics: readonly Topic[], source: ChangeSource) => void

const listeners = new Set<Listener>()

export const changedTopics = {
  announce(topics: readonly Topic[], source: ChangeSource): void {
    if (topics.length === 0) return
    for (const listener of listeners) listener(topics, source)
  },
  /** Calls back with each announcement until the returned function is called. */
  subscribe(listener: Listener): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
