// The RedCoin balance on screen: it follows announced changes at once and the server in the end.

import {
  authContract,
  type EndpointShape,
  packsContract,
  type SessionUser,
  usersContract,
} from '@redpack/contract'
import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { changedTopics } from '../../lib/changed-topics.ts'

/** Window event that says what the balance is now. */
export const balanceEvent = 'redcoin:balance'

/** When, after a change, the session is asked again, in milliseconds. */
export const forcedRefreshMs = [100, 300, 600, 1000] as const
/** When, after a change, profile and statistics are asked again, in milliseconds. */
export const secondarySyncMs = 200
/** An announced balance holds until the server differs from it by more than this. */
export const desyncThreshold = 100

interface BalanceDetail {
  readonly balance: number
}

declare global {
  interface WindowEventMap {
    [balanceEvent]: CustomEvent<BalanceDetail>
  }
}

/** Tells every display, and every query that shows balances, what the balance is now. */
export function announceBalance(balance: number): void {
  window.dispatchEvent(new CustomEvent(balanceEvent, { detail: { balance } }))
}

/** Writes a balance that an answer carried into the cached session. */
export function cacheBalance(queryClient: QueryClient, balance: number): void {
  queryClient.setQueryData<SessionUser | null>([authContract.me.path], (user) =>
    user ? { ...user, redCoinBalance: balance } : user,
  )
}

/** Calls back with each announced balance until the returned function is called. */
export function onBalance(listener: (balance: number) => void): () => void {
  const listen = (event: CustomEvent<BalanceDetail>) => {
    if (Number.isFinite(event.detail?.balance)) listener(event.detail.balance)
  }
  window.addEventListener(balanceEvent, listen)
  return () => window.removeEventListener(balanceEvent, listen)
}

/**
 * Announces after each announced balance what has to be asked again, until the returned function is
 * called. The session is asked anew each time, whatever the server has said before: a question that
 * is still on its way may be from before the change. Profile and statistics are left out where they
 * are being asked, or have been since.
 */
export function refreshOnBalance(queryClient: QueryClient): () => void {
  let timers: number[] = []
  const clear = () => {
    for (const timer of timers) window.clearTimeout(timer)
    timers = []
  }
  const stop = onBalance(() => {
    clear()
    const announcedAtMs = Date.now()
    const isAsked = ({ path }: EndpointShape) => {
      const state = queryClient.getQueryState([path])
      return state?.fetchStatus === 'fetching' || (state?.dataUpdatedAt ?? 0) > announcedAtMs
    }
    timers = forcedRefreshMs.map((ms) =>
      window.setTimeout(() => changedTopics.announce(['session'], 'timer'), ms),
    )
    timers.push(
      window.setTimeout(() => {
        if (!isAsked(usersContract.profile)) changedTopics.announce(['profile'], 'timer')
        if (!isAsked(packsContract.stats)) changedTopics.announce(['statistics'], 'timer')
      }, secondarySyncMs),
    )
  })
  return () => {
    stop()
    clear()
  }
}

interface HeldBalance {
  readonly balance: number
  readonly heldAtMs: number
}

/**
 * Whether an announced balance still stands against the server's: not when they differ by more than
 * the threshold, and not when the server has answered anew since. What arrives before the first
 * forced refresh answers a question from before the change.
 */
function isStillHeld(held: HeldBalance, server: number, answeredAtMs: number): boolean {
  if (Math.abs(server - held.balance) > desyncThreshold) return false
  return answeredAtMs - held.heldAtMs < forcedRefreshMs[0]
}

/**
 * The balance to show, given the server's and when the server said so, in milliseconds since 1970.
 */
export function useBalance(server: number, answeredAtMs: number): number {
  const [held, setHeld] = useState<HeldBalance | null>(null)

  useEffect(() => onBalance((balance) => setHeld({ balance, heldAtMs: Date.now() })), [])

  if (held === null) return server
  if (isStillHeld(held, server, answeredAtMs)) return held.balance
  setHeld(null)
  return server
}
