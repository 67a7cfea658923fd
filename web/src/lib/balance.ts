// The RedCoin balance on screen: it follows announced changes at once and the server in the end.

import { authContract, packsContract, type SessionUser, usersContract } from '@redpack/contract'
import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

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
 * Refetches what shows a balance after each announced change, until the returned function is
 * called.
 */
export function refreshOnBalance(queryClient: QueryClient): () => void {
  let timers: number[] = []
  const clear = () => {
    for (const timer of timers) window.clearTimeout(timer)
    timers = []
  }
  const refetch = (path: string) => {
    queryClient.invalidateQueries({ queryKey: [path] }).catch(() => undefined)
  }
  const stop = onBalance(() => {
    clear()
    timers = forcedRefreshMs.map((ms) => window.setTimeout(refetch, ms, authContract.me.path))
    timers.push(
      window.setTimeout(() => {
        refetch(usersContract.profile.path)
        refetch(packsContract.stats.path)
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
