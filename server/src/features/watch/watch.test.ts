import { beforeEach, describe, expect, it } from 'vitest'
import { type Person, told, useTestDeps } from '../../../test/deps.ts'
import { addReward, addStream } from '../../../test/watch-scene.ts'

const deps = useTestDeps()
const streamsPath = '/api/twitch/active-streams'
const sessionsPath = '/api/twitch/watch-sessions'
const completionsPath = '/api/twitch/watch-completions'
const heartbeatPath = '/api/twitch/heartbeat'

let ana: Person
beforeEach(async () => {
  ana = await deps.person('ana')
  deps.deps.events.publish({ type: 'streams_changed' })
})

const stream = (more = {}) => addStream(deps.rows, more)
const setStream = async (id: number, change: string) => {
  await deps.rows(`UPDATE twitch_streams SET ${change} WHERE id = $1`, [id])
  deps.deps.events.publish({ type: 'streams_changed' })
}
const start = (person: Person, streamId: number, streamSessionId = 'b1') =>
  person.send('POST', sessionsPath, { streamId, streamSessionId })
const beat = (person: Person, streamId: number, streamSessionId = 'b1') =>
  person.send('POST', heartbeatPath, { streamId, streamSessionId })

/** Collects the types of events until the answered function is called. */
function listen(): () => string[] {
  const told: string[] = []
  const stop = deps.deps.events.subscribe(({ type }) => told.push(type))
  return () => {
    stop()
    return told
  }
}

describe('GET /api/twitch/active-streams', () => {
  it('answers streams with every field and embedded rewards', async () => {
    const gold = await deps.packType('Gold')
    const id = await stream({ watchSeconds: 7200, redCoins: 50 })
    const first = await addReward(deps.rows, id, { packTypeId: gold, packQuantity: 2 })
    const second = await addReward(deps.rows, id, { redCoinAmount: 25 })
    const answer = await ana.get(streamsPath)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual([
      {
        id,
        displayName: 'Partner',
        channelName: 'partner',
        channelUrl: 'https://www.twitch.tv/partner',
        channelImageUrl: null,
        isLive: true,
        currentStreamId: 'b1',
        watchTimeRequired: 7200,
        rewardRedCoinAmount: 50,
        rewards: [
          {
            id: first,
            packTypeId: gold,
            packQuantity: 2,
            redCoinAmount: 0,
            packType: { id: gold, name: 'Gold' },
          },
          { id: second, packTypeId: null, packQuantity: 0, redCoinAmount: 25, packType: null },
        ],
      },
    ])
  })

  it('shows the packs of the stream itself as one reward while it has no other', async () => {
    const gold = await deps.packType('Gold')
    const id = await stream({ ownPackTypeId: gold, ownPackQuantity: 3 })
    const rewards = async () => (await ana.read(streamsPath))[0].rewards
    expect(await rewards()).toEqual([
      {
        id: 0,
        packTypeId: gold,
        packQuantity: 3,
        redCoinAmount: 0,
        packType: { id: gold, name: 'Gold' },
      },
    ])
    const boss = await deps.person('boss', { role: 'admin' })
    await boss.send('PUT', `/api/admin/pack-types/${gold}`, { name: 'Golden' })
    expect(await rewards()).toMatchObject([{ packType: { id: gold, name: 'Golden' } }])
    const row = await addReward(deps.rows, id, { redCoinAmount: 5 })
    deps.deps.events.publish({ type: 'streams_changed' })
    expect((await rewards()).map((reward: { id: number }) => reward.id)).toEqual([row])
  })

  it('puts live streams first and leaves out inactive and archived ones', async () => {
    const offline = await stream({ isLive: false })
    const live = await stream()
    await setStream(await stream(), 'is_active = false')
    await setStream(await stream(), 'archived_at = now()')
    const streams = await ana.read(streamsPath)
    expect(streams.map((one: { id: number }) => one.id)).toEqual([live, offline])
    expect(streams[1]).toMatchObject({ isLive: false, currentStreamId: null })
  })
})

describe('POST /api/twitch/watch-sessions', () => {
  it('starts a session and answers it with every field', async () => {
    const id = await stream({ watchSeconds: 600, redCoins: 50 })
    const answer = await start(ana, id)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      id: expect.any(Number),
      streamId: id,
      streamSessionId: 'b1',
      isActive: true,
      isCompleted: false,
      isCounting: true,
      notCountingBecause: null,
      totalWatchTime: 0,
      lastActiveAt: deps.clock.now().toISOString(),
      stream: (await ana.read(streamsPath))[0],
    })
  })

  it('answers the session that is there, never a second one', async () => {
    const id = await stream()
    const first = (await start(ana, id)).json()
    deps.clock.advance(60)
    await beat(ana, id)
    const again = await start(ana, id)
    expect(again.statusCode).toBe(200)
    expect(again.json()).toMatchObject({ id: first.id, totalWatchTime: 60 })
    expect(await ana.read(sessionsPath)).toHaveLength(1)
  })

  it('refuses unknown, inactive and archived streams with 404', async () => {
    const inactive = await stream()
    const archived = await stream()
    await setStream(inactive, 'is_active = false')
    await setStream(archived, 'archived_at = now()')
    for (const id of [inactive, archived, 2_147_483_647]) {
      expect(await told(start(ana, id))).toBe('404 Stream not found')
    }
  })

  it('refuses an offline stream and another broadcast with 409 and the reason', async () => {
    expect(await told(start(ana, await stream({ isLive: false })))).toBe(
      '409 This stream is offline, so watch time does not count',
    )
    expect(await told(start(ana, await stream(), 'b0'))).toBe(
      '409 This broadcast is over, so watch time does not count',
    )
    expect(await ana.read(sessionsPath)).toEqual([])
  })

  it('refuses input that is none with 400', async () => {
    for (const body of [
      {},
      { streamId: 'x', streamSessionId: 'b1' },
      { streamId: 1 },
      { streamId: 1, streamSessionId: '' },
      { streamId: 1, streamSessionId: 'a\0b' },
      { streamId: 2_147_483_648, streamSessionId: 'b1' },
    ]) {
      expect((await ana.send('POST', sessionsPath, body)).statusCode).toBe(400)
      expect((await ana.send('POST', heartbeatPath, body)).statusCode).toBe(400)
    }
    const said = (body: object) => told(ana.send('POST', sessionsPath, body))
    expect(await said({})).toBe('400 Please select a stream')
    expect(await said({ streamId: 1 })).toBe('400 Stream session is required')
  })
})

describe('GET /api/twitch/watch-sessions', () => {
  it('answers the own sessions, newest first, with the stream', async () => {
    const ben = await deps.person('ben')
    const [one, two] = [await stream(), await stream()]
    await start(ana, one)
    await start(ana, two)
    await start(ben, one)
    const sessions = await ana.read(sessionsPath)
    expect(sessions.map((session: { streamId: number }) => session.streamId)).toEqual([two, one])
    const streams = await ana.read(streamsPath)
    expect(sessions[1].stream).toEqual(streams[0])
    expect(sessions[0]).toMatchObject({ isActive: true, totalWatchTime: 0, streamId: two })
  })

  it('shows a session as active exactly while its broadcast is live', async () => {
    const id = await stream()
    await start(ana, id)
    const isActive = async () => (await ana.read(sessionsPath))[0].isActive
    expect(await isActive()).toBe(true)
    await setStream(id, 'is_live = false')
    expect(await isActive()).toBe(false)
    await setStream(id, 'is_live = true')
    expect(await isActive()).toBe(true)
    await setStream(id, `current_stream_id = 'b2'`)
    expect(await isActive()).toBe(false)
    await setStream(id, `current_stream_id = 'b1', is_active = false`)
    expect(await isActive()).toBe(false)
  })
})

describe('POST /api/twitch/heartbeat', () => {
  it('credits the time since the last beat, at most 90 s, to each viewer their own', async () => {
    const ben = await deps.person('ben')
    const id = await stream()
    for (const viewer of [ana, ben]) await start(viewer, id)
    for (const [pause, total] of [
      [60, 60],
      [0, 60],
      [30, 90],
      [4000, 180],
      [89, 269],
    ] as const) {
      deps.clock.advance(pause)
      const answer = await beat(ana, id)
      expect(answer.statusCode).toBe(200)
      expect(answer.json()).toEqual({ success: true, totalWatchTime: total, isCompleted: false })
    }
    expect((await ana.read(sessionsPath))[0]).toMatchObject({
      totalWatchTime: 269,
      lastActiveAt: deps.clock.now().toISOString(),
    })
    expect((await beat(ben, id)).json().totalWatchTime).toBe(90)
  })

  it('refuses with 404 when there is no session', async () => {
    const ben = await deps.person('ben')
    const id = await stream()
    await start(ben, id)
    for (const answer of [await beat(ana, id), await beat(ana, id, 'made-up')]) {
      expect(answer.statusCode).toBe(404)
      expect(answer.json().message).toBe('Watch session not found')
    }
    expect(await told(beat(ana, 2_147_483_647))).toBe('404 Stream not found')
  })

  it.each([
    ['is_live = false', 'This stream is offline, so watch time does not count'],
    ['is_active = false', 'This stream is not active, so watch time does not count'],
    [`current_stream_id = 'b2'`, 'This broadcast is over, so watch time does not count'],
  ])('refuses with 409 and the reason after %s, and credits nothing', async (change, message) => {
    const id = await stream()
    await start(ana, id)
    await setStream(id, change)
    deps.clock.advance(60)
    expect(await told(beat(ana, id))).toBe(`409 ${message}`)
    expect((await ana.read(sessionsPath))[0].totalWatchTime).toBe(0)
  })

  it('refuses a foreign broadcast of a stream that is watched with 409', async () => {
    const id = await stream()
    await start(ana, id)
    deps.clock.advance(60)
    expect((await beat(ana, id, 'foreign')).statusCode).toBe(409)
    expect((await ana.read(sessionsPath))[0].totalWatchTime).toBe(0)
  })

  it('refuses accounts that may not earn, with the reason', async () => {
    const id = await stream()
    await start(ana, id)
    await deps.rows('UPDATE users SET is_earning_blocked = true WHERE id = $1', [ana.id])
    deps.clock.advance(60)
    for (const answer of [await beat(ana, id), await start(ana, id)]) {
      expect(answer.statusCode).toBe(409)
      expect(answer.json().message).toContain('cannot earn rewards')
    }
  })
})

describe('a completed watch', () => {
  async function watched() {
    ana = await deps.person('earner', { coins: 7 })
    const gold = await deps.packType('Gold')
    const id = await stream({ watchSeconds: 120, redCoins: 50 })
    await addReward(deps.rows, id, { packTypeId: gold, packQuantity: 2, redCoinAmount: 5 })
    await addReward(deps.rows, id, { packTypeId: gold, packQuantity: 1 })
    await start(ana, id)
    deps.clock.advance(60)
    const early = await beat(ana, id)
    deps.clock.advance(60)
    const last = await beat(ana, id)
    return { gold, id, early, last }
  }

  it('ends the session and stands among the completions', async () => {
    const { gold, id, early, last } = await watched()
    expect(early.json()).toEqual({ success: true, totalWatchTime: 60, isCompleted: false })
    expect(last.json()).toEqual({ success: true, totalWatchTime: 120, isCompleted: true })
    expect(await ana.read(completionsPath)).toEqual([
      {
        id: expect.any(Number),
        streamId: id,
        streamSessionId: 'b1',
        completedAt: deps.clock.now().toISOString(),
        watchTimeCompleted: 120,
        rewardsGiven: [
          { packTypeId: null, packTypeName: null, packQuantity: 0, redCoinAmount: 50 },
          { packTypeId: gold, packTypeName: 'Gold', packQuantity: 2, redCoinAmount: 5 },
          { packTypeId: gold, packTypeName: 'Gold', packQuantity: 1, redCoinAmount: 0 },
        ],
        stream: (await ana.read(streamsPath))[0],
      },
    ])
    expect((await ana.read(sessionsPath))[0]).toMatchObject({
      isActive: false,
      isCompleted: true,
      totalWatchTime: 120,
    })
    expect(await (await deps.person('ben')).read(completionsPath)).toEqual([])
  })

  it('pays RedCoin and packs with their history, and the books hold', async () => {
    const { gold } = await watched()
    expect((await ana.read('/api/user/profile')).redCoinBalance).toBe(7 + 55)
    const [holding] = await ana.read('/api/user/packs')
    expect(holding).toMatchObject({ packTypeId: gold, quantity: 3 })
    const [completion] = await ana.read(completionsPath)
    const source = {
      type: 'watch_reward',
      source_type: 'watch_completion',
      source_id: String(completion.id),
    }
    const coins = await deps.rows(
      `SELECT amount, balance_after, description, type, source_type, source_id
       FROM red_coin_transactions WHERE type = 'watch_reward'`,
    )
    const description = `Watched ${completion.stream.displayName}`
    expect(coins).toEqual([{ amount: 55, balance_after: 62, description, ...source }])
    const packs = await deps.rows(
      'SELECT delta, quantity_after, type, source_type, source_id FROM pack_transactions',
    )
    expect(packs).toEqual([{ delta: 3, quantity_after: 3, ...source }])
    expect((await deps.brokenBooks()).filter((id) => id !== 'I21')).toEqual([])
  })

  it('is paid once: later beats and starts are refused', async () => {
    const { id } = await watched()
    deps.clock.advance(60)
    expect(await told(beat(ana, id))).toBe('409 You have already completed this stream')
    const restart = await start(ana, id)
    expect(restart.statusCode).toBe(409)
    expect(restart.json()).toMatchObject({
      code: 'already_completed',
      message: 'You have already completed this stream',
    })
    expect((await ana.read('/api/user/profile')).redCoinBalance).toBe(62)
    expect(await ana.read(completionsPath)).toHaveLength(1)
  })

  it('can be earned again with the next broadcast', async () => {
    const { id } = await watched()
    await setStream(id, `current_stream_id = 'b2'`)
    expect((await start(ana, id, 'b2')).statusCode).toBe(200)
    for (const pause of [60, 60]) {
      deps.clock.advance(pause)
      await beat(ana, id, 'b2')
    }
    const completions = await ana.read(completionsPath)
    expect(completions.map((one: { streamSessionId: string }) => one.streamSessionId)).toEqual([
      'b2',
      'b1',
    ])
    expect((await ana.read('/api/user/profile')).redCoinBalance).toBe(7 + 55 + 55)
  })

  it('pays the packs of the stream itself only when it has no reward rows', async () => {
    const [gold, blue] = [await deps.packType('Gold'), await deps.packType('Blue')]
    const own = await stream({ watchSeconds: 60, ownPackTypeId: gold, ownPackQuantity: 2 })
    const both = await stream({ watchSeconds: 60, ownPackTypeId: gold, ownPackQuantity: 2 })
    await addReward(deps.rows, both, { packTypeId: blue, packQuantity: 1 })
    for (const id of [own, both]) {
      await start(ana, id)
      deps.clock.advance(60)
      expect((await beat(ana, id)).json().isCompleted).toBe(true)
    }
    const holdings = await deps.rows(
      'SELECT pack_type_id, quantity FROM user_packs ORDER BY pack_type_id',
    )
    expect(holdings).toEqual([
      { pack_type_id: gold, quantity: 2 },
      { pack_type_id: blue, quantity: 1 },
    ])
  })

  it('waits, unpaid and unharmed, while the balance has no room for it', async () => {
    ana = await deps.person('rich', { coins: Number.MAX_SAFE_INTEGER })
    const id = await stream({ watchSeconds: 60, redCoins: 1 })
    await start(ana, id)
    deps.clock.advance(60)
    const events = listen()
    expect(await told(beat(ana, id))).toBe('409 Your RedCoin balance is full')
    expect(events()).toEqual([])
    expect(await ana.read(completionsPath)).toEqual([])
    expect((await ana.read(sessionsPath))[0].isActive).toBe(true)
  })

  const ofCoins = ['leaderboard_changed', 'user_changed']
  it.each([
    ['RedCoin and packs', 5, 1, ['holdings_changed', ...ofCoins, 'watch_completed']],
    ['RedCoin alone', 5, 0, [...ofCoins, 'watch_completed']],
    ['packs alone', 0, 1, ['holdings_changed', 'watch_completed']],
  ])('tells of what it paid and of nothing else: %s', async (_what, redCoins, packs, expected) => {
    const ownPackTypeId = packs > 0 ? await deps.packType('Gold') : undefined
    const id = await stream({ watchSeconds: 60, redCoins, ownPackTypeId, ownPackQuantity: packs })
    const events = listen()
    await start(ana, id)
    for (const seconds of [20, 40]) {
      deps.clock.advance(seconds)
      await beat(ana, id)
    }
    expect(events().sort()).toEqual(expected)
  })
})
