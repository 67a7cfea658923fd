// The socket: opened, opened again after a loss, and its news asked for while someone is signed in.

import { type RealtimeTopic, realtimePath, realtimeTopics } from '@redpack/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onSessionAnswer } from '../features/session/account-switch.ts'
import { useLoggingOut } from '../features/session/logging-out.ts'
import { useSession } from '../features/session/queries.ts'
import { changedTopics } from '../lib/changed-topics.ts'
import { logFailure } from '../lib/log.ts'
import { realtime } from '../lib/realtime.ts'

/** Follows the server's changes while someone is signed in. */
export function useRealtimeUpdates(): void {
  const queryClient = useQueryClient()
  const { user } = useSession()
  const isLoggingOut = useLoggingOut()
  const userId = isLoggingOut ? undefined : user?.id

  useEffect(() => {
    if (userId === undefined) return
    const connection = connectRealtime({
      onChanged: (topics) => changedTopics.announce(topics, 'news'),
      // After a gap nobody knows what was missed.
      onReconnected: () => changedTopics.announce(realtimeTopics, 'news'),
      onOpenChange: realtime.setOpen,
      onRefused: () => changedTopics.announce(['session'], 'news'),
    })
    realtime.hold(connection)
    const stopListening = onSessionAnswer(queryClient, (user) => user && connection.confirm())
    return () => {
      stopListening()
      realtime.disconnect()
    }
  }, [queryClient, userId])
}

/** Shortest and longest wait before the next try, in milliseconds. */
const firstRetryMs = 1_000
const lastRetryMs = 60_000
/** A connection that held this long, in milliseconds, makes the earlier losses forgotten. */
export const steadyMs = 10_000
/** A page that was hidden for longer, in milliseconds, may have slept through a loss. */
export const hiddenMaxMs = 60_000

/** Close code of RFC 6455, section 7.4.1: the session ended, or the page was refused. */
const policyViolation = 1008

export interface RealtimeListeners {
  readonly onChanged: (topics: readonly RealtimeTopic[]) => void
  /** The connection is back after a loss or a gap: whatever changed meanwhile was not heard. */
  readonly onReconnected: () => void
  /** The server ended the connection. It is tried again after `confirm` only. */
  readonly onRefused: () => void
  /** The server's news arrive from now on, or no longer. */
  readonly onOpenChange?: (isOpen: boolean) => void
}

export interface RealtimeConnection {
  /** The session still stands: a refused connection is tried again. */
  confirm(): void
  /** Ends the connection and every further try. */
  close(): void
}

/**
 * The wait before a try, in milliseconds: random between 1 s and a ceiling that doubles with every
 * loss up to 60 s, so that the pages of a restarted server do not come back all at once.
 * @param losses - connections lost in a row, from 1
 * @param chance - random number from 0 up to 1
 */
export function retryDelayMs(losses: number, chance: number): number {
  const ceiling = Math.min(lastRetryMs, firstRetryMs * 2 ** losses)
  return firstRetryMs + chance * (ceiling - firstRetryMs)
}

function addressOf({ protocol, host }: Location): string {
  return `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}${realtimePath}`
}

const known: ReadonlySet<unknown> = new Set(realtimeTopics)

/** What a message says has changed; nothing when it cannot be understood. */
function topicsOf(text: unknown): readonly RealtimeTopic[] {
  try {
    const { changed } = JSON.parse(String(text)) as { readonly changed: readonly RealtimeTopic[] }
    if (changed.every((topic) => known.has(topic))) return [...changed]
    throw new Error(`Unknown topics: ${changed}`)
  } catch (error) {
    logFailure('A message of the server was not understood', error)
    return []
  }
}

/** Connects, and keeps connected until it is closed. Never throws. */
export function connectRealtime(listeners: RealtimeListeners): RealtimeConnection {
  let socket: WebSocket | null = null
  let timer: number | undefined
  let losses = 0
  /** Whether news may have gone unheard before the socket opens. */
  let hasMissed = false
  let isRefused = false
  let hiddenAtMs = Number.POSITIVE_INFINITY
  const stopping = new AbortController()

  const open = () => {
    const own = new WebSocket(addressOf(window.location))
    socket = own
    own.onopen = () => {
      listeners.onOpenChange?.(true)
      timer = window.setTimeout(() => {
        losses = 0
      }, steadyMs)
      if (hasMissed) listeners.onReconnected()
    }
    own.onmessage = ({ data }) => listeners.onChanged(topicsOf(data))
    own.onclose = ({ code }) => {
      listeners.onOpenChange?.(false)
      if (code === policyViolation) refuse()
      else openLater()
    }
  }

  const openLater = () => {
    window.clearTimeout(timer)
    losses += 1
    hasMissed = true
    timer = window.setTimeout(open, retryDelayMs(losses, Math.random()))
  }

  const refuse = () => {
    window.clearTimeout(timer)
    isRefused = true
    listeners.onRefused()
  }

  const end = () => {
    window.clearTimeout(timer)
    if (!socket) return
    socket.onopen = socket.onmessage = socket.onclose = null
    socket.close()
  }

  /** A socket can seem open long after its network has gone: only a new one is sure to hear. */
  const replace = () => {
    if (isRefused) return
    end()
    listeners.onOpenChange?.(false)
    losses = 0
    hasMissed = true
    open()
  }

  const watchVisibility = () => {
    if (document.hidden) hiddenAtMs = Date.now()
    else if (Date.now() - hiddenAtMs > hiddenMaxMs) replace()
  }

  const { signal } = stopping
  window.addEventListener('online', replace, { signal })
  document.addEventListener('visibilitychange', watchVisibility, { signal })
  open()
  return {
    confirm() {
      if (!isRefused || signal.aborted) return
      isRefused = false
      openLater()
    },
    close() {
      stopping.abort()
      end()
    },
  }
}
