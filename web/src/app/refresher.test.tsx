// What a page asks for again when a call, the socket or a poll says that something has changed.

import {
  type RealtimeTopic,
  storeContract,
  type Topic,
  themeContract,
  themeDefault,
} from '@redpack/contract'
import { useQuery } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { useClaims } from '../features/claims/queries.ts'
import { useFairOpenings } from '../features/fairness/queries.ts'
import { usePodium } from '../features/ledger/leaderboard-queries.ts'
import { useOdds } from '../features/packs/queries.ts'
import { holdingsQuery, openingsQuery, statsQuery } from '../features/packs/stats-queries.ts'
import { useListings } from '../features/packs/store-queries.ts'
import { useNotices } from '../features/people/notice-queries.ts'
import { useWalletStatus } from '../features/people/wallet-proof.tsx'
import { useSession } from '../features/session/queries.ts'
import { useStreams, useWatchCompletions, useWatchSessions } from '../features/watch/queries.ts'
import { call } from '../lib/api.ts'
import { changedTopics } from '../lib/changed-topics.ts'
import { usePackTypes } from '../lib/pack-types-query.ts'
import { useRedCoinHistory } from '../screens/history.tsx'
import { ConfirmDialog } from '../ui/overlay/dialog.tsx'
import {
  createQueryClient,
  rankingMs,
  revealGraceMs,
  ServerState,
  sameEventMs,
  writeMaxMs,
} from './refresher.ts'

/** Longer than anything waits that is not held back, and shorter than any poll. */
const settledMs = revealGraceMs + sameEventMs

beforeEach(() => {
  vi.useFakeTimers()
})

/** Everything that a player can have on screen, all at once. */
function Everything() {
  useSession()
  useNotices()
  useClaims('physical', 1)
  useRedCoinHistory('all', 1)
  useWalletStatus()
  useQuery(holdingsQuery)
  useQuery(statsQuery)
  useQuery(openingsQuery)
  useFairOpenings(1)
  usePodium()
  useListings()
  usePackTypes()
  useOdds(1)
  useStreams()
  useWatchSessions()
  useWatchCompletions()
  return null
}

function Question() {
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={() => undefined}
      title="Sure?"
      description="Think about it"
      confirmLabel="Yes"
      onConfirm={() => undefined}
    />
  )
}

/** A page that has loaded; `asked` are the addresses that it asks from then on. */
async function openPage() {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string, { method = 'GET' }: RequestInit = {}) => {
    asked.push(method === 'GET' ? (url.split('?')[0] ?? url) : `${method} ${url}`)
    return url.startsWith(themeContract.theme.path) ? Response.json(themeDefault) : new Response('')
  })
  const queryClient = createQueryClient()
  render(
    <ServerState queryClient={queryClient}>
      <Everything />
    </ServerState>,
  )
  await vi.advanceTimersByTimeAsync(settledMs)
  asked.length = 0
  return { asked, queryClient }
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

const ofUser = [
  '/api/auth/me',
  '/api/user/notices',
  '/api/user/prize-claims/paginated',
  '/api/redcoin/history',
  '/api/user/wallet',
]
const ofHoldings = [
  '/api/user/packs',
  '/api/user/stats',
  '/api/user/openings',
  '/api/fairness/openings',
]

describe('a change', () => {
  it.each<[Topic, string[]]>([
    ['user', ofUser],
    ['session', ['/api/auth/me']],
    ['holdings', ofHoldings],
    ['leaderboard', ['/api/redcoin/leaderboard']],
    ['listings', ['/api/store/listings']],
    ['pack_types', ['/api/packs/types', '/api/packs/types/1/odds']],
    ['streams', ['/api/twitch/active-streams', '/api/twitch/watch-sessions']],
    ['watch', ['/api/twitch/watch-sessions', '/api/twitch/watch-completions']],
    ['theme', ['/api/settings/theme']],
  ])('of %s asks for exactly that, once', async (topic, expected) => {
    const { asked } = await openPage()
    changedTopics.announce([topic], 'news')
    await pass(settledMs)
    expect(asked).toEqual(expected)
  })

  it('that would give a prize away waits until the dialog is closed, others do not', async () => {
    const { asked } = await openPage()
    const dialog = render(<Question />)
    changedTopics.announce(['user', 'listings'], 'news')
    await pass(2_000)
    expect(asked).toEqual(['/api/store/listings'])
    dialog.unmount()
    await pass(settledMs)
    expect(asked.slice(1)).toEqual(ofUser)
  })

  it('of the ranking is asked for every three seconds, however often it is heard of', async () => {
    const { asked } = await openPage()
    for (let second = 0; second < 6; second += 1) {
      changedTopics.announce(['leaderboard'], 'news')
      await pass(1_000)
    }
    await pass(rankingMs)
    expect(asked).toHaveLength(3)
  })

  it('of what everybody shares waits in a hidden tab until somebody looks at it', async () => {
    const { asked } = await openPage()
    const isHidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    changedTopics.announce(['leaderboard', 'listings', 'session'], 'news')
    changedTopics.announce(['leaderboard'], 'news')
    await pass(rankingMs + settledMs)
    expect(asked).toEqual(['/api/auth/me'])
    isHidden.mockReturnValue(false)
    document.dispatchEvent(new Event('visibilitychange'))
    await pass(settledMs)
    expect(asked.slice(1)).toEqual(['/api/store/listings', '/api/redcoin/leaderboard'])
  })

  it('heard before the answer of the opening waits for it too', async () => {
    const { asked, queryClient } = await openPage()
    let answer = () => {}
    const opening = queryClient
      .getMutationCache()
      .build(queryClient, { mutationFn: () => new Promise<void>((done) => (answer = done)) })
      .execute(undefined)
    await pass(0)
    changedTopics.announce(['holdings'], 'news')
    await pass(2_000)
    expect(asked).toEqual([])
    answer()
    await opening
    const dialog = render(<Question />)
    await pass(2_000)
    expect(asked).toEqual([])
    dialog.unmount()
    await pass(settledMs)
    expect(asked).toContain('/api/user/packs')
  })

  it.each([
    ['is not put off for long by what waits for a person', undefined, 1],
    ['is put off by an opening for as long as it takes', { tellsPrize: true }, 0],
  ])('%s', async (_, meta, expected) => {
    const { asked, queryClient } = await openPage()
    const mutationFn = () => new Promise<void>(() => undefined)
    void queryClient.getMutationCache().build(queryClient, { mutationFn, meta }).execute(undefined)
    changedTopics.announce(['holdings'], 'news')
    const asks = () => asked.filter((url) => url === '/api/user/packs').length
    await pass(writeMaxMs - settledMs)
    expect(asks()).toBe(0)
    await pass(writeMaxMs + settledMs)
    expect(asks()).toBe(expected)
  })
})

describe('a call that writes', () => {
  const buy = () =>
    call(storeContract.purchase, {
      body: { storePackListingId: 1, quantity: 1, expectedPrice: 1 },
    } as never)
  const toldOfPurchase: readonly RealtimeTopic[] = ['user', 'holdings', 'listings']

  it('has what its endpoint changes asked once, told by the socket before or after', async () => {
    const { asked } = await openPage()
    changedTopics.announce(toldOfPurchase, 'news')
    await buy()
    changedTopics.announce(toldOfPurchase, 'news')
    await pass(2_000)
    const [sent, ...after] = asked
    expect(sent).toBe('POST /api/store/purchase')
    expect(after.toSorted()).toEqual(
      [...ofUser, ...ofHoldings, '/api/store/listings', '/api/redcoin/leaderboard'].toSorted(),
    )
  })

  it('has it asked under an open dialog too: the answer is known there', async () => {
    const { asked } = await openPage()
    const dialog = render(<Question />)
    await buy()
    await pass(settledMs)
    expect(asked).toContain('/api/auth/me')
    dialog.unmount()
  })

  it('has it asked after a failure too', async () => {
    const { asked } = await openPage()
    vi.stubGlobal('fetch', async (url: string) => {
      asked.push(url)
      return new Response('', { status: 409 })
    })
    await expect(buy()).rejects.toThrow()
    await pass(settledMs)
    expect(asked.filter((url) => url === '/api/auth/me')).toHaveLength(1)
  })

  it('and changed nothing by its own answer has nothing asked', async () => {
    const { asked } = await openPage()
    const beat = { path: '/api/beat', changes: ['watch'], changesWhen: 'isCompleted' } as const
    const send = (isCompleted: boolean) => {
      vi.stubGlobal('fetch', async (url: string) => {
        asked.push(url)
        return Response.json({ isCompleted })
      })
      return call({ ...storeContract.listings, ...beat, method: 'POST' })
    }
    await send(false)
    await pass(settledMs)
    expect(asked).toEqual(['/api/beat'])
    await send(true)
    await pass(settledMs)
    expect(asked).toContain('/api/twitch/watch-sessions')
  })
})
