// Another person signs in to the same browser: nothing of the one before stays on this page.

import { authContract, type SessionUser } from '@redpack/contract'
import type { QueryClient } from '@tanstack/react-query'
import { createAtom, useSelector } from '@tanstack/react-store'
import {
  forgetInTab,
  keepInBrowser,
  keepInTab,
  keptInBrowser,
  keptInTab,
} from '../../lib/browser-switch.ts'
import { logFailure } from '../../lib/log.ts'
import { unsubscribe } from '../../lib/push-subscription.ts'
import { themeQuery } from '../../lib/theme.ts'
import { clearToastLog, clearToasts } from '../../ui/feedback/toast.ts'
import { sessionQuery } from './queries.ts'

/** Answers that are not about the person who was signed in. */
const kept = new Set([sessionQuery, themeQuery].map(({ queryKey }) => queryKey[0]))

const switches = createAtom(0)

/** Differs after each switch: what has it as its key is mounted anew, and keeps no draft. */
export const useAccountSwitches = (): number => useSelector(switches)

/** Calls back whenever the server itself has said who is signed in: null for nobody. */
export function onSessionAnswer(
  queryClient: QueryClient,
  listener: (user: SessionUser | null) => void,
): () => void {
  return queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) return
    const { queryKey, state } = event.query
    if (queryKey[0] === authContract.me.path) listener(state.data)
  })
}

const lastPersonKey = 'redpack:last-person'

/** Whoever uses the browser now gets no news of who did before, on this page or an earlier one. */
function endNewsOfOthers(id: number): void {
  const last = keptInBrowser(lastPersonKey)
  keepInBrowser(lastPersonKey, String(id))
  if (!last || last === String(id)) return
  unsubscribe().catch((error) => logFailure('The device could not be unsubscribed', error))
}

/** What was typed outlives the session of whoever typed it, and waits for nobody else. */
function dropDraftsOfOthers(id: number): void {
  if (keptInTab(lastPersonKey) !== id) forgetInTab('-draft')
  keepInTab(lastPersonKey, String(id))
}

/**
 * Forgets every answer and message as soon as the server names another person than the last one,
 * also when nobody was signed in between, until the returned function is called. What was said to
 * somebody who has left is not to be read any more.
 */
export function forgetOnSwitch(queryClient: QueryClient): () => void {
  let known = queryClient.getQueryData(sessionQuery.queryKey)?.id
  let isHere = known !== undefined
  return onSessionAnswer(queryClient, (user) => {
    if (isHere && !user) clearToastLog()
    isHere = user !== null
    if (!user) return
    const { id } = user
    const isSwitch = known !== undefined && known !== id
    known = id
    endNewsOfOthers(id)
    dropDraftsOfOthers(id)
    if (!isSwitch) return
    queryClient.removeQueries({ predicate: ({ queryKey }) => !kept.has(queryKey[0]) })
    clearToasts()
    switches.set((count) => count + 1)
  })
}
