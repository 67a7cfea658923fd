// Live state through the stand-in: polls as the truth, events as hints, staff by hand.

import { createHmac } from 'node:crypto'
import type { AdminStream, Stream } from '@redpack/contract'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Person } from '../../../test/deps.ts'
import { useListeningServer } from '../../../test/listening-server.ts'
import { shortenPatience } from '../../../test/short-patience.ts'
import { Browser } from '../../../test/sign-in.ts'
import { addStream } from '../../../test/watch-scene.ts'
import { TwitchFault } from '../../shared/far-side-faults.ts'
import { pollLive } from './live.ts'

const secret = 'an-event-secret-for-tests'
const w = useListeningServer({ TWITCH_EVENTSUB_SECRET: secret }, { jobs: ['streams-'] })
let boss: Person
let id: number
let channel: string
let counted = 0
beforeEach(async () => {
  vi.restoreAllMocks()
  boss = await w.t.person('boss', { role: 'admin' })
  counted += 1
  channel = String(710_000 + counted)
  const made = await boss.send('POST', '/api/admin/streams', {
    displayName: 'Partner',
    channelName: 'partner',
    twitchChannelId: channel,
    completionMessage: 'Thanks {username}',
    watchTimeRequired: 10,
  })
  id = made.json<AdminStream>().id
})

const live = (isLive: boolean, streamId?: string) =>
  w.control('twitch/live', { twitchChannelId: channel, isLive, ...(streamId && { streamId }) })
const state = async () => {
  const all = await boss.read<AdminStream[]>('/api/admin/streams')
  return all.find((stream) => stream.id === id) as AdminStream
}
const shown = async () => {
  const viewer = await w.t.person(`viewer-${w.t.deps.random.uuid().slice(0, 8)}`)
  return (await viewer.read<Stream[]>('/api/twitch/active-streams'))[0]
}

describe('polling', () => {
  it('finds a channel live within thirty seconds, with its broadcast and its beginning', async () => {
    expect(await state()).toMatchObject({ streamStartedAt: null, streamEndedAt: null })
    const from = w.t.clock.now().getTime()
    await live(true, 'broadcast-1')
    await w.advance(31)
    expect(await state()).toMatchObject({
      isLive: true,
      currentStreamId: 'broadcast-1',
      streamEndedAt: null,
      isLiveByHand: false,
    })
    const began = Date.parse((await state()).streamStartedAt ?? '')
    expect(began).toBeGreaterThanOrEqual(from - 1000)
    expect(began).toBeLessThanOrEqual(w.t.clock.now().getTime())
    expect(await shown()).toMatchObject({ isLive: true, currentStreamId: 'broadcast-1' })
  })

  it('goes offline after two misses that are a minute apart, not after one, and notes when', async () => {
    await live(true, 'b1')
    await w.advance(31)
    await live(false)
    await w.advance(31)
    expect((await state()).isLive).toBe(true)
    await w.advance(31)
    expect(await state()).toMatchObject({ isLive: true, streamEndedAt: null })
    const before = await state()
    const lastLive = w.t.clock.now().getTime() - 62_000
    await w.advance(31)
    expect(await state()).toMatchObject({
      isLive: false,
      currentStreamId: null,
      streamStartedAt: before.streamStartedAt,
    })
    const ended = Date.parse((await state()).streamEndedAt ?? '')
    expect(ended).toBeGreaterThanOrEqual(lastLive)
    expect(ended).toBeLessThanOrEqual(w.t.clock.now().getTime())
    expect(await shown()).toMatchObject({ isLive: false, currentStreamId: null })
  })

  it('tells open pages when what they show has changed, not that something was missed', async () => {
    let told = 0
    const stop = w.t.deps.events.subscribe(({ type }) => {
      if (type === 'streams_changed') told += 1
    })
    const toldAfter = async (seconds: number) => {
      told = 0
      await w.advance(seconds)
      return told
    }
    await toldAfter(61)
    await live(true, 'b1')
    expect(await toldAfter(31)).toBe(1)
    expect(await toldAfter(31)).toBe(0)
    await live(false)
    expect(await toldAfter(31)).toBe(0)
    await toldAfter(31)
    expect(await toldAfter(31)).toBe(1)
    stop()
  })

  it('goes on with the broadcast of a channel that comes back within ten minutes', async () => {
    await live(true, 'b1')
    await w.advance(31)
    await live(false)
    for (let n = 0; n < 5; n += 1) await w.advance(60)
    expect((await state()).isLive).toBe(false)
    await live(true, 'b2')
    await w.advance(31)
    expect(await state()).toMatchObject({ isLive: true, currentStreamId: 'b1' })
    // Without being seen offline it is the same again.
    await live(true, 'b3')
    await w.advance(31)
    expect((await state()).currentStreamId).toBe('b1')
  })

  it('waits for no miss that is still to come, as after a clock that was hours ahead', async () => {
    await live(true, 'b1')
    await w.advance(31)
    await live(false)
    const ahead = new Date(w.t.clock.now().getTime() + 9 * 3_600_000)
    await w.t.rows('UPDATE twitch_streams SET live_missed_at = $1', [ahead])
    await w.advance(31)
    await w.advance(61)
    expect((await state()).isLive).toBe(false)
  })

  it('begins a new broadcast for a channel that comes back later', async () => {
    await live(true, 'b1')
    await w.advance(31)
    await live(false)
    for (let n = 0; n < 3; n += 1) await w.advance(61)
    await w.advance(601)
    await live(true, 'b2')
    await w.advance(31)
    expect((await state()).currentStreamId).toBe('b2')
  })

  it('that fails changes nothing, and no watch time is credited on guesses', async () => {
    await live(true, 'b1')
    await w.advance(31)
    const viewer = await w.t.person('ana')
    const order = { streamId: id, streamSessionId: 'b1' }
    await viewer.send('POST', '/api/twitch/watch-sessions', order)
    const beat = () => viewer.send('POST', '/api/twitch/heartbeat', order)
    await w.control('twitch/fail', { next: 100, status: 503 })
    await w.advance(60)
    expect((await beat()).json()).toMatchObject({ success: true, totalWatchTime: 60 })
    for (let n = 0; n < 5; n += 1) await w.advance(60)
    expect((await state()).isLive).toBe(true)
    const refused = await beat()
    expect(refused.statusCode).toBe(409)
    expect(refused.json<{ message: string }>().message).toContain('Twitch does not say')
    const jobs = await boss.read<{
      jobs: { name: string; lastFailure: string | null }[]
    }>('/api/admin/jobs')
    expect(jobs.jobs.find(({ name }) => name === 'streams-poll-live')?.lastFailure).toMatch(
      /^Twitch /,
    )
    await w.control('twitch/fail', { next: 0, status: 503 })
    await w.advance(61)
    expect((await beat()).json()).toMatchObject({ success: true })
  })

  it.each([401, 429, 0])('recovers from failures of status %d', async (status) => {
    if (status === 0) shortenPatience()
    await w.control('twitch/fail', { next: 1, status })
    await live(true, 'b1')
    await w.advance(31)
    await w.advance(61)
    expect((await state()).isLive).toBe(true)
  })

  it('asks as the bot where the site has no client settings, and nobody without a bot', async () => {
    vi.spyOn(w.t.deps.twitch, 'isConfigured', 'get').mockReturnValue(false)
    await live(true, 'b1')
    await w.advance(31)
    expect((await state()).isLive).toBe(false)
    const { accessToken, refreshToken, clientId, userId, login } = await w.control<
      Record<string, string>
    >('twitch/bot-token', { login: 'redbot' })
    const bot = { botUsername: login, botUserId: userId, clientId, accessToken, refreshToken }
    await boss.send('POST', '/api/admin/twitch/bot-credentials', bot)
    await w.advance(31)
    expect((await state()).isLive).toBe(true)
  })

  it('asks for ids that are no numbers apart, so that they harm nobody', async () => {
    await addStream(w.t.rows, { isLive: false })
    const asked = vi.spyOn(w.t.deps.twitch, 'liveBroadcasts')
    await live(true, 'b1')
    await w.advance(31)
    expect(asked.mock.calls.map(([ids]) => ids.length)).toEqual([1, 1])
    expect((await state()).isLive).toBe(true)
  })
})

describe('the picture of a channel', () => {
  const picture = async () => (await shown())?.channelImageUrl

  it('is read within a minute, and again a day later', async () => {
    expect(await picture()).toBeNull()
    const asked = vi.spyOn(w.t.deps.twitch, 'pictures')
    await w.advance(61)
    await w.advance(61)
    expect(asked.mock.calls).toEqual([[[channel]]])
    expect(await picture()).toMatch(/^\/art\/avatar-\w+\.svg$/)
    asked.mockResolvedValue(new Map([[channel, 'https://pictures.example/new.png']]))
    await w.advance(86_400)
    expect(await picture()).toBe('https://pictures.example/new.png')
    asked.mockResolvedValue(new Map())
    await w.advance(86_460)
    expect(await picture()).toBeNull()
  })

  it('stays as it was while Twitch does not answer, and is asked for again', async () => {
    await w.advance(61)
    const before = await picture()
    const asked = vi.spyOn(w.t.deps.twitch, 'pictures')
    asked.mockRejectedValueOnce(new TwitchFault('unreachable', 'Twitch does not answer'))
    await w.advance(86_460)
    expect(await picture()).toBe(before)
    await w.advance(61)
    expect(asked).toHaveBeenCalledTimes(2)
  })

  it('is not the one of the channel before', async () => {
    await w.advance(61)
    await boss.send('PUT', `/api/admin/streams/${id}`, { twitchChannelId: '730000' })
    expect(await picture()).toBeNull()
  })
})

describe('another channel', () => {
  const other = '720000'
  const move = () => boss.send('PUT', `/api/admin/streams/${id}`, { twitchChannelId: other })

  it('has its own broadcasts, and those of the one before are over', async () => {
    await live(true, 'b1')
    await w.advance(31)
    expect((await move()).json()).toMatchObject({
      isLive: false,
      currentStreamId: null,
      streamEndedAt: w.t.clock.now().toISOString(),
    })
    await w.control('twitch/live', { twitchChannelId: other, isLive: true, streamId: 'b9' })
    await w.advance(31)
    expect((await state()).currentStreamId).toBe('b9')
  })

  it('is not taken for live by an answer about the one before', async () => {
    vi.spyOn(w.t.deps.twitch, 'liveBroadcasts').mockImplementationOnce(async () => {
      await move()
      return [{ channelId: channel, broadcastId: 'b1', startedAt: w.t.clock.now() }]
    })
    await pollLive(w.t.deps)
    expect((await state()).isLive).toBe(false)
  })
})

describe('the live flag set by hand', () => {
  const set = (body: unknown) => boss.send('POST', `/api/admin/twitch/streams/${id}/live`, body)

  it('stands against the platform until that says the same', async () => {
    const made = (await set({ isLive: true })).json<AdminStream>()
    expect(made).toMatchObject({ isLive: true, isLiveByHand: true })
    expect(made.currentStreamId).toMatch(/^[0-9a-f-]{36}$/)
    for (let n = 0; n < 4; n += 1) await w.advance(61)
    expect((await state()).isLive).toBe(true)
    await live(true, 'p1')
    await w.advance(31)
    expect(await state()).toMatchObject({
      isLiveByHand: false,
      currentStreamId: made.currentStreamId,
    })
    await live(false)
    for (let n = 0; n < 3; n += 1) await w.advance(61)
    expect((await state()).isLive).toBe(false)
  })

  it.each([
    ['within ten minutes', undefined, 4, /^b1$/],
    ['while Twitch goes on with it', 'b1', 11, /^b1$/],
    ['later, as another one', undefined, 11, /^[0-9a-f-]{36}$/],
    ['later, as another one when Twitch shows another', 'b2', 11, /^[0-9a-f-]{36}$/],
  ])('brings back what it ended %s', async (_when, seen, minutes, broadcast) => {
    await live(true, 'b1')
    await w.advance(31)
    const { streamStartedAt } = await state()
    await set({ isLive: false })
    await live(seen !== undefined, seen)
    for (let n = 0; n < minutes; n += 1) await w.advance(61)
    // Said once more, which makes the broadcast no younger.
    await set({ isLive: false })
    const back = (await set({ isLive: true })).json<AdminStream>()
    expect(back).toMatchObject({ isLive: true, streamEndedAt: null })
    expect(back.currentStreamId).toMatch(broadcast)
    expect(back.streamStartedAt === streamStartedAt).toBe(back.currentStreamId === 'b1')
  })

  it('stands through one answer that lacks the channel', async () => {
    await live(true, 'b1')
    await w.advance(31)
    await set({ isLive: false })
    const poll = async (isSeen: boolean) => {
      await live(isSeen, 'b1')
      await w.advance(31)
      const { isLive, isLiveByHand } = await state()
      return [isLive, isLiveByHand]
    }
    for (const isSeen of [false, true, false, false]) {
      expect(await poll(isSeen)).toEqual([false, true])
    }
    expect(await poll(false)).toEqual([false, false])
    expect(await poll(true)).toEqual([true, false])
  })

  it('takes a given id, and goes offline by hand', async () => {
    expect((await set({ isLive: true, currentStreamId: 'mine' })).json()).toMatchObject({
      currentStreamId: 'mine',
    })
    await live(true, 'p1')
    await w.advance(31)
    expect((await set({ isLive: false })).json()).toMatchObject({
      isLive: false,
      currentStreamId: null,
      streamEndedAt: expect.any(String),
    })
    await w.advance(31)
    expect((await state()).isLive).toBe(false)
    expect(
      (await boss.send('POST', '/api/admin/twitch/streams/999999/live', { isLive: true }))
        .statusCode,
    ).toBe(404)
  })
})

describe('the webhook', () => {
  interface Sent {
    readonly id?: string
    readonly type?: string
    readonly subscription?: string
    readonly at?: Date
    readonly signature?: string
    readonly body?: unknown
    readonly raw?: string
    /** What is added to the body once it is signed. */
    readonly after?: string
  }
  const send = (sent: Sent) => {
    const messageId = sent.id ?? w.t.deps.random.uuid()
    const timestamp = (sent.at ?? w.t.clock.now()).toISOString().replace('Z', '999999Z')
    const raw = sent.raw ?? JSON.stringify(sent.body ?? {})
    const right = createHmac('sha256', secret)
      .update(messageId + timestamp + raw)
      .digest('hex')
    return w.t.visitor.send('POST', '/api/twitch/eventsub', raw + (sent.after ?? ''), {
      'content-type': 'application/json',
      'twitch-eventsub-message-id': messageId,
      'twitch-eventsub-message-timestamp': timestamp,
      'twitch-eventsub-message-signature': sent.signature ?? `sha256=${right}`,
      'twitch-eventsub-message-type': sent.type ?? 'notification',
      'twitch-eventsub-subscription-type': sent.subscription ?? 'stream.online',
    })
  }
  const event = (more: Record<string, unknown> = {}) => ({
    event: { broadcaster_user_id: channel, type: 'live', id: 'b1', ...more },
  })

  it('answers a challenge with its text', async () => {
    const type = 'webhook_callback_verification'
    const answer = await send({ type, body: { challenge: 'say-this' } })
    expect([answer.statusCode, answer.body]).toEqual([200, 'say-this'])
    expect(answer.headers['content-type']).toMatch(/^text\/plain/)
  })

  it.each([
    ['a wrong signature', { signature: `sha256=${'0'.repeat(64)}` }],
    ['a short signature', { signature: 'sha256=00' }],
    ['no signature', { signature: '' }],
    ['a broken challenge', { type: 'webhook_callback_verification', signature: 'x' }],
  ])('refuses %s', async (_what, sent) => {
    expect((await send({ ...sent, body: { challenge: 'c', ...event() } })).statusCode).toBe(403)
    expect(await w.t.rows('SELECT 1 FROM twitch_events')).toEqual([])
  })

  it('refuses a changed body, and one that is too large', async () => {
    expect((await send({ body: event(), after: ' ' })).statusCode).toBe(403)
    expect((await send({ raw: 'x'.repeat(65 * 1024) })).statusCode).toBe(413)
  })

  it('has a stream live at once, confirmed by a poll of its channel alone', async () => {
    await addStream(w.t.rows, { isLive: false })
    const polls = vi.spyOn(w.t.deps.twitch, 'liveBroadcasts')
    await live(true, 'b1')
    expect((await send({ body: event() })).statusCode).toBe(200)
    await expect.poll(async () => (await state()).isLive).toBe(true)
    expect(polls.mock.calls).toEqual([[[channel]]])
  })

  it('leaves it to the next poll where Twitch does not answer', async () => {
    await live(true, 'b1')
    const fault = new TwitchFault('unreachable', 'Twitch does not answer')
    vi.spyOn(w.t.deps.twitch, 'liveBroadcasts').mockRejectedValueOnce(fault)
    expect((await send({ body: event() })).statusCode).toBe(200)
    expect((await state()).isLive).toBe(false)
    await w.advance(31)
    expect((await state()).isLive).toBe(true)
  })

  it('counts the same message once, a hundred times over', async () => {
    await live(true, 'b1')
    const polls = vi.spyOn(w.t.deps.twitch, 'liveBroadcasts')
    const all = await Promise.all(
      Array.from({ length: 100 }, () => send({ id: 'same', body: event() })),
    )
    expect(new Set(all.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    await expect.poll(async () => (await state()).isLive).toBe(true)
    expect(polls).toHaveBeenCalledTimes(1)
  })

  it.each([
    ['from eleven minutes ago', -660],
    ['from a far future', 660],
  ])('takes a message %s without effect', async (_what, seconds) => {
    await live(true, 'b1')
    const polls = vi.spyOn(w.t.deps.twitch, 'liveBroadcasts')
    const at = new Date(w.t.clock.now().getTime() + seconds * 1_000)
    expect((await send({ at, body: event() })).statusCode).toBe(200)
    expect(polls).not.toHaveBeenCalled()
    expect(await w.t.rows('SELECT 1 FROM twitch_events')).toEqual([])
  })

  it('ignores reruns, other things, and what is no JSON', async () => {
    const polls = vi.spyOn(w.t.deps.twitch, 'liveBroadcasts')
    await live(true, 'b1')
    for (const body of [event({ type: 'rerun' }), event({ type: 'premiere' }), [], null]) {
      expect((await send({ body })).statusCode).toBe(200)
    }
    expect((await send({ raw: '{not json' })).statusCode).toBe(200)
    expect((await send({ subscription: 'channel.raid', body: event() })).statusCode).toBe(200)
    for (const type of ['revocation', 'of-later']) {
      expect((await send({ type, body: event() })).statusCode).toBe(200)
    }
    expect(polls).not.toHaveBeenCalled()
  })

  it('needs one miss only once the end was announced', async () => {
    await live(true, 'b1')
    await w.advance(31)
    await live(false)
    await send({ subscription: 'stream.offline', body: event() })
    await expect.poll(async () => (await state()).isLive).toBe(false)
  })

  it('does not believe an end that was announced for another broadcast, or too early', async () => {
    await live(true, 'b1')
    await w.advance(31)
    await live(false)
    const offline = { subscription: 'stream.offline' }
    await send({ ...offline, body: event({ id: 'b0' }) })
    const before = new Date(w.t.clock.now().getTime() - 300_000)
    await send({ ...offline, at: before, body: event({ id: undefined }) })
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect((await state()).isLive).toBe(true)
  })

  it('signs somebody out who has disconnected the application, unless it comes late', async () => {
    const browser = new Browser(w.origin)
    await browser.signIn('Ana')
    const [ana] = await w.t.rows<{ twitch_id: string }>(
      `SELECT twitch_id FROM users WHERE username = 'ana'`,
    )
    const afterRevoke = async (client_id: string, secondsAgo: number) => {
      await send({
        subscription: 'user.authorization.revoke',
        at: new Date(w.t.clock.now().getTime() - secondsAgo * 1_000),
        body: { event: { client_id, user_id: ana?.twitch_id } },
      })
      return (await browser.open('/api/auth/me')).status
    }
    expect(await afterRevoke('another-client', 0)).toBe(200)
    // Ana has signed in again since.
    expect(await afterRevoke('sandbox-twitch', 6)).toBe(200)
    expect(await afterRevoke('sandbox-twitch', 4)).toBe(401)
  })
})
