// Watch Rewards as a viewer sees it, and what it asks of the server on its own.

import {
  authContract,
  packsContract,
  type WatchCompletion,
  type WatchSession,
  watchContract,
} from '@redpack/contract'
import { act, screen, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { testNow } from '../../../tools/test-clock.ts'
import { answers, mockServer, refuses, replies } from '../../test/mock-server.ts'
import { leaveAnswers, renderPart } from '../../test/render.tsx'
import { sampleUser } from '../../test/samples.ts'
import { holdingsQuery } from '../features/packs/stats-queries.ts'
import { onBalance } from '../features/session/balance-queries.ts'
import { sendHeartbeat } from '../features/watch/queries.ts'
import {
  sampleCompletion,
  sampleSession,
  sampleStream,
} from '../features/watch/watch-samples.fixture.ts'
import { toastStore } from '../ui/feedback/toast.ts'
import { TwitchStreamsScreen } from './twitch-streams.tsx'

const server = mockServer()
let streams = [sampleStream()]
let sessions: WatchSession[] = []
let completions: WatchCompletion[] = []
let requests: { what: string; atMs: number }[] = []
let bodies: unknown[] = []

const count = (request: string) => requests.filter(({ what }) => what === request).length
const heartbeat = 'POST /api/twitch/heartbeat'
const start = 'POST /api/twitch/watch-sessions'

beforeEach(() => {
  streams = [sampleStream()]
  sessions = [sampleSession()]
  completions = []
  requests = []
  bodies = []
  vi.useFakeTimers({
    shouldAdvanceTime: true,
    toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
  })
  server.events.removeAllListeners()
  server.events.on('request:start', ({ request }) => {
    const what = `${request.method} ${new URL(request.url).pathname}`
    requests.push({ what, atMs: testNow() })
  })
  server.use(
    answers(authContract.me, sampleUser({ redCoinBalance: 1450 })),
    replies(watchContract.streams, () => HttpResponse.json(streams)),
    replies(watchContract.sessions, () => HttpResponse.json(sessions)),
    replies(watchContract.completions, () => HttpResponse.json(completions)),
    replies(watchContract.startSession, async (request) => {
      bodies.push(await request.json())
      return HttpResponse.json(sampleSession({ totalWatchTime: 0 }))
    }),
    replies(watchContract.heartbeat, async (request) => {
      bodies.push(await request.json())
      return HttpResponse.json({ success: true, totalWatchTime: 1860, isCompleted: false })
    }),
  )
})

afterEach(() => {
  // What is still to be read out is not left to a clock that has gone.
  act(() => vi.advanceTimersByTime(1000))
})

async function openScreen() {
  const rendered = await renderPart(<TwitchStreamsScreen />)
  await screen.findByText('Completed Watches')
  await pass(0)
  return rendered
}

/** Lets time pass second by second, so that what the server answers arrives in between. */
async function pass(seconds: number) {
  for (let second = 0; second <= seconds; second += 1) {
    await act(async () => {
      await vi.advanceTimersByTimeAsync(second === 0 ? 50 : 1000)
      for (let turn = 0; turn < 5; turn += 1) await new Promise((done) => setImmediate(done))
    })
  }
}

/**
 * Seconds between the requests of a kind, to the nearest whole; the first counts from `sinceMs`.
 */
function gaps(request: string, sinceMs?: number): number[] {
  const times = requests.filter(({ what }) => what === request).map(({ atMs }) => atMs)
  const all = sinceMs === undefined ? times : [sinceMs, ...times]
  return all.slice(1).map((atMs, index) => Math.round((atMs - (all[index] ?? 0)) / 1000))
}

const section = (name: string) => screen.getByRole('region', { name })
const inSection = (name: string) => within(section(name))

describe('the sections', () => {
  it('say when they could not be loaded, and keep what was', async () => {
    server.use(refuses(watchContract.streams, 500, 'Internal server error'))
    await openScreen()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Watch Rewards')
    expect(
      await inSection('Available Streams').findByText('Error loading the streams'),
    ).toBeTruthy()
    expect(await inSection('Currently Watching').findByText('Nova Streams')).toBeTruthy()
    server.use(refuses(watchContract.sessions, 500, 'Internal server error'))
    await pass(10)
    expect(await inSection('Currently Watching').findByText(/may be a moment old/)).toBeTruthy()
    expect(inSection('Currently Watching').getByText('Nova Streams')).toBeTruthy()
  })
})

describe('what is being watched', () => {
  it('has progress, badge and rewards', async () => {
    await openScreen()
    const card = inSection('Currently Watching')
    const bar = await card.findByRole('progressbar')
    expect(bar.getAttribute('aria-valuenow')).toMatch(/^50/)
    expect(card.getByText('Auto Tracking')).toBeTruthy()
    const rewards = within(card.getByRole('list', { name: 'Rewards of Nova Streams' }))
    expect(rewards.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      '+250 RedCoin',
      '2 × Gold Pack',
    ])
    expect(card.getByText(/Your time is counting/)).toBeTruthy()
  })

  it.each([
    [900, 3600, '25%', '15 min of 1 h', '45 min left'],
    [900, 7200, '12%', '15 min of 2 h', '1 h 45 min left'],
    [980, 1800, '54%', '16 min of 30 min', '14 min left'],
    [3599, 3600, '99%', '59 min of 1 h', '1 s left'],
    // However long it took: the rest comes with its completion.
    [5000, 3600, '99%', '1 h of 1 h', 'Your rewards arrive with the next check-in'],
  ])(
    'shows %i of %i seconds as %s, in the bar and in words that add up',
    async (watched, required, percent, done, left) => {
      const stream = sampleStream({ watchTimeRequired: required })
      sessions = [sampleSession({ totalWatchTime: watched, stream })]
      await openScreen()
      const card = inSection('Currently Watching')
      const bar = await card.findByRole('progressbar')
      expect(bar.getAttribute('aria-valuetext')).toMatch(new RegExp(`^${percent},`))
      expect(Math.floor(Number(bar.getAttribute('aria-valuenow')))).toBe(
        Number.parseInt(percent, 10),
      )
      // What is painted is as long as what is said.
      for (const text of [percent, done, left]) expect(card.getByText(text)).toBeTruthy()
    },
  )

  it('runs with the count of the server alone', async () => {
    await openScreen()
    const bar = await inSection('Currently Watching').findByRole('progressbar')
    const shown = () => Number(bar.getAttribute('aria-valuenow'))
    await pass(35)
    expect(shown()).toBe(50)
    sessions = [sampleSession({ totalWatchTime: 2700 })]
    await pass(11)
    expect(shown()).toBe(75)
  })

  it('is announced at each quarter', async () => {
    sessions = [sampleSession({ totalWatchTime: 1780 })]
    await openScreen()
    await inSection('Currently Watching').findByRole('progressbar')
    sessions = [sampleSession({ totalWatchTime: 1800 })]
    await pass(10)
    expect(await screen.findByText('Nova Streams: 50 percent watched')).toBeTruthy()
  })
})

describe('the streams', () => {
  it('say LIVE or OFFLINE, link to the channel and name their rewards', async () => {
    const offline = { id: 2, displayName: 'Quiet', isLive: false, currentStreamId: null }
    streams = [sampleStream(), sampleStream(offline)]
    sessions = [sampleSession({ notCountingBecause: 'other_stream' })]
    await openScreen()
    const cards = await inSection('Available Streams').findAllByRole('heading', { level: 3 })
    const [live, quiet] = cards.map((heading) => within(heading.closest<HTMLElement>('.card')!))
    expect(live?.getByText('LIVE')).toBeTruthy()
    expect(live?.queryByText('OFFLINE')).toBeNull()
    expect(quiet?.getByText('OFFLINE')).toBeTruthy()
    expect(quiet?.getByText(/offline, so watch time does not count/)).toBeTruthy()
    expect(quiet?.queryByText('Auto-tracking your watch time')).toBeNull()
    const link = live?.getByRole('link', { name: /Watch on Twitch.*novastreams/ })
    expect(link?.getAttribute('href')).toBe('https://www.twitch.tv/novastreams')
    expect(live?.getByText('+250 RedCoin')).toBeTruthy()
    expect(live?.getByText('2 × Gold Pack')).toBeTruthy()
  })

  it('are tracked while live and not completed', async () => {
    await openScreen()
    const list = inSection('Available Streams')
    expect(await list.findByText('Auto-tracking your watch time')).toBeTruthy()
    expect(list.queryByText('Completed - Rewards claimed!')).toBeNull()
    expect(list.getByText('Watching now')).toBeTruthy()
    expect(list.getByRole('link', { name: /Watch on Twitch.*novastreams/ })).toBeTruthy()
    expect(list.getByRole('list', { name: 'Rewards of Nova Streams' })).toBeTruthy()
  })

  it.each([
    ['other_stream', /Your time counts for/],
    ['late_beat', /The last check-in is late/],
    ['not_in_chat', /You are not in the chat/],
    ['offline', /does not say whether/],
    [null, /cannot earn rewards/],
  ] as const)('are not said to be tracked while time does not count: %s', async (because, said) => {
    sessions = [sampleSession({ isCounting: false, notCountingBecause: because })]
    await openScreen()
    const list = inSection('Available Streams')
    expect(await list.findByText(said)).toBeTruthy()
    expect(screen.queryByText(/Your time is counting/)).toBeNull()
    expect(list.queryByText('Auto-tracking your watch time')).toBeNull()
  })

  it('say instead that they are completed', async () => {
    sessions = []
    completions = [sampleCompletion()]
    await openScreen()
    const list = inSection('Available Streams')
    expect(await list.findByText('Completed - Rewards claimed!')).toBeTruthy()
    expect(list.queryByText('Auto-tracking your watch time')).toBeNull()
  })

  it('are tracked again with their next broadcast', async () => {
    streams = [sampleStream({ currentStreamId: 'b2' })]
    completions = [sampleCompletion()]
    await openScreen()
    await screen.findByText('Auto-tracking your watch time')
    expect(inSection('Available Streams').getByText('Auto-tracking your watch time')).toBeTruthy()
  })
})

describe('completed watches', () => {
  it('show when they were completed and what they paid', async () => {
    completions = [sampleCompletion()]
    await openScreen()
    const list = inSection('Completed Watches')
    const time = await list.findByText(/days ago$/)
    expect(time.getAttribute('datetime')).toBe('2026-11-20T12:00:00.000Z')
    expect(list.getByText('2 × Gold Pack')).toBeTruthy()
  })
})

describe('a session', () => {
  it('starts by itself, once', async () => {
    sessions = []
    await openScreen()
    await vi.waitFor(() => expect(count(start)).toBe(1))
    expect(bodies).toEqual([{ streamId: 1, streamSessionId: 'b1' }])
    expect(await inSection('Currently Watching').findByText('Auto Tracking')).toBeTruthy()
    sessions = [sampleSession()]
    await pass(35)
    expect(count(start)).toBe(1)
  })

  it('does not start before the completions are known', async () => {
    sessions = []
    server.use(refuses(watchContract.completions, 500, 'Internal server error'))
    await openScreen()
    await pass(20)
    expect(count(start)).toBe(0)
  })

  it('that fails to start is reported once and tried again', async () => {
    sessions = []
    server.use(refuses(watchContract.startSession, 500, 'Internal server error'))
    await openScreen()
    await vi.waitFor(() =>
      expect(toastStore.get().toasts[0]).toMatchObject({
        title: 'Error',
        description: 'Failed to start watch session',
        variant: 'destructive',
      }),
    )
    await pass(75)
    expect(count(start)).toBe(2)
    expect(toastStore.get().log).toHaveLength(1)
  })

  it("that is refused shows the server's reason on the stream", async () => {
    sessions = []
    const reason = 'Your account cannot earn rewards, so watch time does not count'
    server.use(refuses(watchContract.startSession, 409, reason))
    await openScreen()
    expect(await inSection('Available Streams').findByText(reason)).toBeTruthy()
    expect(inSection('Available Streams').queryByText('Auto-tracking your watch time')).toBeNull()
  })

  it.each([
    ['already_completed', 409, 'You have already completed this stream'],
    ['suspended', 403, 'Your account is suspended, so this is not possible for now'],
  ])('that is refused as %s says so, without a message', async (code, status, message) => {
    sessions = []
    server.use(refuses(watchContract.startSession, status, message, code))
    await openScreen()
    expect(await inSection('Available Streams').findByText(message)).toBeTruthy()
    expect(toastStore.get().log).toEqual([])
  })
})

describe('heartbeats', () => {
  it('go out every 60 seconds while a session is active', async () => {
    await openScreen()
    await inSection('Currently Watching').findByRole('progressbar')
    const sinceMs = testNow()
    await pass(125)
    expect(gaps(heartbeat, sinceMs)).toEqual([60, 60])
    expect(bodies[0]).toEqual({ streamId: 1, streamSessionId: 'b1' })
  })

  it('go out for each session, and not for a stream that went offline', async () => {
    const second = sampleStream({ id: 2, displayName: 'Kira', currentStreamId: 'c1' })
    streams = [sampleStream(), second]
    const other = sampleSession({ id: 10, stream: second, streamSessionId: 'c1' })
    sessions = [sampleSession(), other]
    await openScreen()
    await pass(61)
    expect(bodies).toEqual([
      { streamId: 1, streamSessionId: 'b1' },
      { streamId: 2, streamSessionId: 'c1' },
    ])
    sessions = [
      sampleSession(),
      { ...other, isActive: false, stream: { ...second, isLive: false } },
    ]
    await pass(61)
    expect(bodies.slice(2)).toEqual([{ streamId: 1, streamSessionId: 'b1' }])
  })

  it('keep their rhythm when time counts for another stream', async () => {
    await openScreen()
    const sinceMs = testNow()
    await pass(40)
    sessions = [sampleSession({ isCounting: false, notCountingBecause: 'other_stream' })]
    await pass(22)
    expect(gaps(heartbeat, sinceMs)).toEqual([60])
  })

  it('go on in a hidden tab, and so do the polls', async () => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    await openScreen()
    await pass(61)
    expect(count(heartbeat)).toBe(1)
    expect(count('GET /api/twitch/watch-sessions')).toBeGreaterThan(5)
  })

  it('that fail are only logged', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    server.use(refuses(watchContract.heartbeat, 500, 'Internal server error'))
    await openScreen()
    await pass(61)
    await vi.waitFor(() => expect(warn).toHaveBeenCalledOnce())
    expect(toastStore.get().log).toEqual([])
    expect(document.querySelector('[data-variant]')).toBeNull()
    expect(screen.queryByRole('alert')).toBeNull()
    expect(await screen.findByText(/The last check-in failed/)).toBeTruthy()
    // The card goes on as before.
    expect(inSection('Currently Watching').getByRole('progressbar')).toBeTruthy()
    expect(inSection('Currently Watching').getByText('Auto Tracking')).toBeTruthy()
    expect(screen.queryByText(/^Auto-tracking/)).toBeNull()
    // What follows from the failure is not said as a second reason.
    sessions = [sampleSession({ isCounting: false, notCountingBecause: 'late_beat' })]
    await pass(20)
    expect(screen.queryByText(/check-in is late/)).toBeNull()
    sessions = [sampleSession()]
    const counted = { success: true, totalWatchTime: 1860, isCompleted: false } as const
    server.use(answers(watchContract.heartbeat, counted))
    await pass(40)
    expect(count(heartbeat)).toBe(2)
    expect(await screen.findByText(/^Auto-tracking/)).toBeTruthy()
  })

  it("that are refused show the server's reason", async () => {
    vi.spyOn(console, 'warn').mockReturnValue()
    const reason = 'This broadcast is over, so watch time does not count'
    server.use(refuses(watchContract.heartbeat, 409, reason))
    await openScreen()
    await pass(61)
    expect(await inSection('Currently Watching').findByText(reason)).toBeTruthy()
  })

  it('say on return how long the page was paused', async () => {
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    await openScreen()
    vi.setSystemTime(testNow() + 12 * 60_000)
    visibility.mockReturnValue('visible')
    act(() => {
      document.dispatchEvent(new Event('visibilitychange'))
    })
    expect(await screen.findByText(/This page was paused for 12 min/)).toBeTruthy()
    expect(count(heartbeat)).toBe(1)
  })
})

describe('polls', () => {
  it('ask for sessions every 10 s, streams and completions every 30 s', async () => {
    await openScreen()
    // The first answers may take a few seconds of the pretended time.
    await pass(80)
    expect(gaps('GET /api/twitch/watch-sessions').slice(0, 6)).toEqual([10, 10, 10, 10, 10, 10])
    expect(gaps('GET /api/twitch/active-streams').slice(0, 2)).toEqual([30, 30])
    expect(gaps('GET /api/twitch/watch-completions').slice(0, 2)).toEqual([30, 30])
  })

  it('are not put off by what a heartbeat answers in between', async () => {
    const { queryClient } = await openScreen()
    await pass(10)
    for (let report = 0; report < 3; report += 1) {
      await pass(6)
      const { streamId, streamSessionId } = sampleSession()
      await sendHeartbeat(queryClient, { streamId, streamSessionId })
    }
    expect(gaps('GET /api/twitch/watch-sessions')).toEqual([10, 10])
  })
})

describe('a completion', () => {
  it('is listed, told, and refreshes balance and packs', async () => {
    const balances: number[] = []
    const stop = onBalance((balance) => balances.push(balance))
    server.use(
      replies(watchContract.heartbeat, () => {
        sessions = [sampleSession({ isActive: false, isCompleted: true, totalWatchTime: 3600 })]
        completions = [sampleCompletion()]
        return HttpResponse.json({ success: true, totalWatchTime: 3600, isCompleted: true })
      }),
    )
    const { queryClient } = await openScreen()
    const stale = leaveAnswers(queryClient, holdingsQuery)
    await pass(61)
    expect(await inSection('Completed Watches').findByText('Nova Streams')).toBeTruthy()
    expect(inSection('Currently Watching').queryByText('Nova Streams')).toBeNull()
    expect(toastStore.get().toasts[0]).toMatchObject({
      title: 'Rewards claimed!',
      description: 'Nova Streams: 2 × Gold Pack',
    })
    await vi.waitFor(() => expect(balances).toEqual([1450]))
    expect(count('GET /api/auth/me')).toBe(1)
    await vi.waitFor(() => expect(stale()).toEqual([packsContract.holdings.path]))
    stop()
  })

  it('counts a balance that is missing in the answer as 0', async () => {
    const balances: number[] = []
    const stop = onBalance((balance) => balances.push(balance))
    server.use(
      replies(authContract.me, () =>
        HttpResponse.json({ ...sampleUser(), redCoinBalance: undefined }),
      ),
      replies(watchContract.heartbeat, () => {
        completions = [sampleCompletion()]
        return HttpResponse.json({ success: true, totalWatchTime: 3600, isCompleted: true })
      }),
    )
    await openScreen()
    await pass(61)
    await vi.waitFor(() => expect(balances).toEqual([0]))
    stop()
  })

  it('that was there before is no news', async () => {
    sessions = []
    completions = [sampleCompletion()]
    await openScreen()
    await pass(31)
    expect(toastStore.get().log).toEqual([])
    expect(count('GET /api/auth/me')).toBe(0)
  })
})
