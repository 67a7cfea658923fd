// Streams as staff keep them: both payload forms, both families of calls, deletion and undo.

import type { AdminStream } from '@redpack/contract'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { coded, type Person, told, useTestDeps } from '../../../test/deps.ts'
import { watchCompletionsOf } from './session-views.ts'
import { lockScheduledStreams } from './stream-tables.ts'
import { applySchedules, removeDeletedStreams } from './streams.ts'

const t = useTestDeps()
let boss: Person
beforeEach(async () => {
  boss = await t.person('boss', { role: 'admin' })
})

const readingA = {
  displayName: 'Partner Channel',
  channelName: 'partner',
  twitchChannelId: '4711',
  watchTimeRequired: 120,
  completionMessage: "Congratulations! You've earned a pack for watching!",
}
const add = async (more: Record<string, unknown> = {}, prefix = '/api/admin/twitch/streams') => {
  const answer = await boss.send('POST', prefix, { ...readingA, ...more })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<AdminStream>()
}
const change = async (id: number, body: unknown, prefix = '/api/admin/twitch/streams') =>
  boss.send('PUT', `${prefix}/${id}`, body)

describe.each(['/api/admin/streams', '/api/admin/twitch/streams'])('%s', (prefix) => {
  it('creates a stream from the five fields and lists it', async () => {
    const made = await add({}, prefix)
    expect(made).toMatchObject({
      ...readingA,
      twitchChannelName: 'partner',
      channelUrl: 'https://www.twitch.tv/partner',
      watchTimeRequiredSeconds: 7200,
      enableChatMessage: true,
      autoScheduleEnabled: false,
      isActive: true,
      isLive: false,
      presenceMode: 'off',
      rewards: [],
    })
    expect(await boss.read(prefix)).toEqual([made])
    const stored = await t.rows('SELECT watch_time_required FROM twitch_streams')
    expect(stored).toEqual([{ watch_time_required: 7200 }])
  })

  it('changes those fields', async () => {
    const { id } = await add()
    const changed = { ...readingA, displayName: 'New', channelName: 'moved', watchTimeRequired: 1 }
    const answer = await change(id, changed, prefix)
    expect(answer.json()).toMatchObject({
      ...changed,
      watchTimeRequiredSeconds: 60,
      channelUrl: 'https://www.twitch.tv/moved',
    })
    expect(await told(change(id, { channelName: '' }, prefix))).toBe('400 Channel name is required')
  })

  it("takes another address for the channel's own, which its form was shown", async () => {
    const { id, channelUrl } = await add()
    const edit = { channelUrl: 'https://live.test/a', expected: { channelUrl } }
    expect((await change(id, edit, prefix)).json()).toMatchObject({ channelUrl: edit.channelUrl })
    const late = { channelUrl: 'https://live.test/b', expected: { channelUrl } }
    expect(await coded(change(id, late, prefix))).toBe('409 changed_meanwhile')
  })

  it('is toggled by a flag, and flipped without one', async () => {
    const { id } = await add()
    const toggle = async (body?: unknown) =>
      (await boss.send('PUT', `${prefix}/${id}/toggle`, body)).json<AdminStream>().isActive
    expect(await toggle({ isActive: false })).toBe(false)
    expect(await toggle({ isActive: false })).toBe(false)
    expect(await boss.read(prefix)).toMatchObject([{ id, isActive: false }])
    expect(await toggle({})).toBe(true)
    expect(await toggle()).toBe(false)
    const viewer = await t.person('ana')
    expect(await viewer.read('/api/twitch/active-streams')).toEqual([])
    await toggle({ isActive: true })
    expect(await viewer.read('/api/twitch/active-streams')).toHaveLength(1)
  })

  it('deletes a stream', async () => {
    const { id } = await add()
    const answer = await boss.send('DELETE', `${prefix}/${id}`)
    expect(answer.json()).toEqual({ success: true, message: 'Stream deleted' })
    expect(await boss.read(prefix)).toEqual([])
    expect((await boss.send('DELETE', `${prefix}/${id}`)).statusCode).toBe(404)
    expect((await boss.get(`${prefix}/${id}/rewards`)).statusCode).toBe(404)
  })
})

describe('the payload of reading B', () => {
  it('changes each field alone, and replaces its rewards by those of packRewards', async () => {
    const [gold, iron] = [await t.packType('Gold'), await t.packType('Iron')]
    const { id } = await add({ packRewards: [{ packTypeId: gold, quantity: 1 }] })
    const fields: Partial<AdminStream> = {
      displayName: 'Other',
      channelName: 'other',
      twitchChannelId: '4712',
      channelUrl: 'https://live.example/other',
      watchTimeRequired: 7,
      completionMessage: 'Well done',
      enableChatMessage: false,
      rewardRedCoinAmount: 12,
      isActive: false,
    }
    for (const [name, value] of Object.entries(fields)) {
      const before = (await boss.read<AdminStream[]>('/api/admin/streams'))[0]
      const changed = (await change(id, { [name]: value })).json()
      expect([name, changed[name]]).toEqual([name, value])
      const others = Object.keys(fields).filter((other) => other !== name)
      // The address and the name of a channel go together until one is given.
      const kept = others.filter((other) => !/channel/i.test(name) || !/channel/i.test(other))
      for (const other of kept) {
        expect([other, changed[other]]).toEqual([other, before?.[other as keyof AdminStream]])
      }
      expect(changed.rewards).toEqual(before?.rewards)
    }
    const two = [
      { packTypeId: iron, quantity: 2 },
      { packTypeId: gold, quantity: 5 },
    ]
    const replaced = (await change(id, { packRewards: two })).json<AdminStream>()
    const shown = (stream: AdminStream | undefined) =>
      stream?.packRewards.map(({ packTypeId, quantity }) => ({ packTypeId, quantity }))
    expect(shown(replaced)).toEqual(expect.arrayContaining(two))
    expect(replaced.packRewards).toHaveLength(2)
    expect((await change(id, { packRewards: [] })).json<AdminStream>().packRewards).toEqual([])
  })

  it('takes twitchChannelName, packRewards and all fields', async () => {
    const packTypeId = await t.packType('Gold')
    const { channelName: _, ...rest } = readingA
    const answer = await boss.send('POST', '/api/admin/twitch/streams', {
      ...rest,
      twitchChannelName: 'partner_b',
      packRewards: [{ packTypeId, quantity: 3 }],
      channelUrl: 'https://live.example/partner',
      enableChatMessage: false,
      autoScheduleEnabled: true,
      scheduledStartTime: '2027-01-10T18:00',
      scheduledEndTime: '2027-01-10T22:00-05:00',
      rewardRedCoinAmount: 25,
      isActive: false,
    })
    const made = answer.json<AdminStream>()
    const reward = {
      id: expect.any(Number),
      streamId: made.id,
      packTypeId,
      packQuantity: 3,
      quantity: 3,
      redCoinAmount: 0,
      packType: { id: packTypeId, name: 'Gold' },
    }
    expect(made).toMatchObject({
      displayName: 'Partner Channel',
      channelName: 'partner_b',
      twitchChannelName: 'partner_b',
      twitchChannelId: '4711',
      channelUrl: 'https://live.example/partner',
      watchTimeRequired: 120,
      completionMessage: readingA.completionMessage,
      enableChatMessage: false,
      autoScheduleEnabled: true,
      scheduledStartTime: '2027-01-10T23:00:00.000Z',
      scheduledEndTime: '2027-01-11T03:00:00.000Z',
      isActive: false,
      isLive: false,
      rewardRedCoinAmount: 25,
      rewards: [reward],
      packRewards: [reward],
    })
    expect(await boss.read(`/api/admin/twitch/streams/${made.id}/rewards`)).toEqual([reward])
  })

  it('takes the full form and just isActive, leaving what is not sent', async () => {
    const packTypeId = await t.packType('Gold')
    const made = await add({ rewards: [{ packTypeId, packQuantity: 2 }], rewardRedCoinAmount: 9 })
    const off = (await change(made.id, { isActive: false })).json<AdminStream>()
    expect(off).toEqual({ ...made, isActive: false })
    const full = { ...off, displayName: 'Whole form', watchTimeRequiredSeconds: undefined }
    const again = (await change(made.id, full)).json<AdminStream>()
    expect(again).toMatchObject({ displayName: 'Whole form', watchTimeRequired: 120 })
    expect(again.rewards).toMatchObject([{ packTypeId, packQuantity: 2 }])
    const none = await change(made.id, { rewards: again.rewards, packRewards: [] })
    expect(none.json<AdminStream>().rewards).toEqual([])
  })

  it('converts minutes to seconds, and seconds win', async () => {
    const made = await add({ watchTimeRequired: 1, watchTimeRequiredSeconds: 90 })
    expect(made).toMatchObject({ watchTimeRequired: 1.5, watchTimeRequiredSeconds: 90 })
    const full = { ...made, watchTimeRequiredSeconds: 61, expected: made }
    expect((await change(made.id, full)).json()).toMatchObject({ watchTimeRequiredSeconds: 61 })
    const short = { ...readingA, watchTimeRequired: 0 }
    expect(await told(boss.send('POST', '/api/admin/streams', short))).toBe(
      '400 Watch time must be at least 1 minute',
    )
  })

  it('ignores isLive', async () => {
    const made = await add({ isLive: true })
    expect(made.isLive).toBe(false)
    expect((await change(made.id, { isLive: true })).json<AdminStream>().isLive).toBe(false)
  })
})

describe('what is refused', () => {
  const noType = 'Select a pack type for this reward'
  const noPacks = 'Pack quantity must be at least 1'
  const noMark = 'Twitch channel ID must not contain #'
  const tooShort = 'Watch time must be at least 1 minute'

  it.each([
    ['no display name', { displayName: ' ' }, 'Display name is required'],
    ['no channel name', { channelName: '' }, 'Channel name is required'],
    ['no channel', { channelName: undefined, twitchChannelId: '' }, 'Channel name is required'],
    ['no channel ID', { twitchChannelId: undefined }, 'Twitch channel ID is required'],
    ['half a minute of watch time', { watchTimeRequired: 0.5 }, tooShort],
    ['59 seconds of watch time', { watchTimeRequiredSeconds: 59 }, tooShort],
    ['a channel ID as deleted streams have it', { twitchChannelId: '4711#deleted-1' }, noMark],
    ['no completion message', { completionMessage: '' }, 'Completion message is required'],
    ['a reward of no packs', { rewards: [{ packQuantity: 0 }] }, noPacks],
    ['a reward of less than no packs', { rewards: [{ packQuantity: -1 }] }, noPacks],
    ['a reward of no packs in its other form', { packRewards: [{ quantity: 0 }] }, noPacks],
    [
      'a reward of no packs after a right one',
      { packRewards: [{ redCoinAmount: 1 }, { quantity: 0 }] },
      noPacks,
    ],
    ['packs of no type', { rewards: [{ packQuantity: 2 }] }, noType],
    [
      'packs of no type in its other form',
      { packRewards: [{ redCoinAmount: 1 }, { quantity: 1 }] },
      noType,
    ],
    ...[{ packQuantity: 2 }, { packQuantity: 1 }, { packTypeId: null, packQuantity: 2 }].map(
      (packs): [string, object, string] => [
        `packs of no type beside RedCoin: ${JSON.stringify(packs)}`,
        { rewards: [{ ...packs, redCoinAmount: 5 }] },
        noType,
      ],
    ),
    [
      'packs of no type beside RedCoin in their other form',
      { packRewards: [{ quantity: 2, redCoinAmount: 5 }] },
      noType,
    ],
    ["packs of no type in the stream's own fields", { rewardPackQuantity: 3 }, noType],
    ['a reward that gives nothing', { rewards: [{ packTypeId: null, redCoinAmount: 0 }] }, noType],
    [
      'a RedCoin amount below 0',
      { rewardRedCoinAmount: -1 },
      'RedCoin amount must be 0 or greater',
    ],
    ['a mode nobody knows', { presenceMode: 'spy' }, 'Presence must be off, observe or require'],
    ...['tomorrow', '2027-01-10', '2027-13-01T10:00', '2027-01-10T25:00', '2027-02-31T10:00'].map(
      (time): [string, object, string] => [
        `the time ${time}`,
        { scheduledStartTime: time },
        'Scheduled start is not a valid time',
      ],
    ),
    ['no end', { scheduledEndTime: 'later' }, 'Scheduled end is not a valid time'],
    [
      'an end before the start',
      { scheduledStartTime: '2027-02-01T10:00', scheduledEndTime: '2027-02-01T09:00' },
      'Scheduled end must be after the scheduled start',
    ],
  ])('%s', async (_what, wrong, message) => {
    const created = await boss.send('POST', '/api/admin/streams', { ...readingA, ...wrong })
    expect(created.statusCode).toBe(400)
    expect(created.json()).toMatchObject({ code: 'invalid_input', message })
    expect(await t.rows('SELECT 1 FROM twitch_streams')).toEqual([])
  })

  it('takes back a stream without packs as it was read', async () => {
    const made = await add({ rewards: [{ redCoinAmount: 5 }] })
    const answer = await boss.send('PUT', `/api/admin/streams/${made.id}`, made)
    expect(answer.json()).toMatchObject({ rewards: [{ packTypeId: null, redCoinAmount: 5 }] })
  })

  it("takes packs in the stream's own fields where their type is sent or stored", async () => {
    const gold = await t.packType('Gold')
    const { id } = await add({})
    const message = 'Select a pack type for this reward'
    const [three, one] = [{ rewardPackQuantity: 3 }, { rewardPackQuantity: 1 }]
    for (const packs of [three, one, { ...three, rewardPackTypeId: null }]) {
      const refused = await change(id, packs)
      expect(refused.statusCode).toBe(400)
      expect(refused.json()).toMatchObject({ errors: [{ path: 'rewardPackTypeId', message }] })
    }
    await change(id, { rewardPackTypeId: gold, rewardPackQuantity: 2 })
    expect((await change(id, { rewardPackQuantity: 3 })).json()).toMatchObject({
      rewardPackTypeId: gold,
      rewardPackQuantity: 3,
    })
  })

  it('shows its own packs as its one reward, which a saved list replaces', async () => {
    const own = { packTypeId: await t.packType('Gold'), quantity: 2, redCoinAmount: 0 }
    const made = await add({ rewardPackTypeId: own.packTypeId, rewardPackQuantity: 2 })
    expect(made.rewards).toMatchObject([{ id: 0, streamId: made.id, ...own }])
    const order = { packRewards: [{ redCoinAmount: 5 }], rewardPackTypeId: null }
    const saved = await change(made.id, { ...order, expected: { packRewards: [own] } })
    expect(saved.json()).toMatchObject({ rewardPackTypeId: null, rewards: [{ redCoinAmount: 5 }] })
  })

  it('takes a stream without an address, and no RedCoin', async () => {
    const none = { scheduledEndTime: '', watchTimeRequired: undefined }
    const made = await add({ channelUrl: '', rewardRedCoinAmount: 0, ...none })
    expect(made).toMatchObject({
      channelUrl: 'https://www.twitch.tv/partner',
      rewardRedCoinAmount: 0,
      scheduledEndTime: null,
      watchTimeRequiredSeconds: 7200,
    })
  })

  it('a second stream of a channel, and pack types nobody knows', async () => {
    const one = await add()
    const two = await add({ twitchChannelId: '4712' })
    expect(await coded(boss.send('POST', '/api/admin/streams', readingA))).toBe('409 duplicate')
    const taken = await change(two.id, { twitchChannelId: '4711' })
    expect([taken.statusCode, taken.json().errors[0].path]).toEqual([409, 'twitchChannelId'])
    expect((await change(one.id, { rewards: [{ packTypeId: 999_999 }] })).statusCode).toBe(404)
    expect((await change(999_999, { isActive: true })).statusCode).toBe(404)
  })

  it('a change of one end of a schedule that turns it around', async () => {
    const { id } = await add({
      scheduledStartTime: '2027-03-01T10:00Z',
      scheduledEndTime: '2027-03-01T12:00Z',
    })
    const turned = await change(id, { scheduledStartTime: '2027-03-01T13:00:00.000Z' })
    expect(turned.json()).toMatchObject({ errors: [{ path: 'scheduledEndTime' }] })
  })
})

describe('a deleted stream', () => {
  it('comes back with its rewards, and is recorded each time', async () => {
    const packTypeId = await t.packType('Gold')
    const rewards = (packQuantity: number) => [{ packTypeId, packQuantity }]
    const { id, displayName } = await add({ rewards: rewards(1) })
    const made = (await change(id, { rewards: rewards(2) })).json<AdminStream>()
    await boss.send('DELETE', `/api/admin/streams/${made.id}`)
    expect((await boss.send('POST', `/api/admin/streams/${made.id}/restore`)).json()).toEqual(made)
    expect((await boss.send('POST', `/api/admin/streams/${made.id}/restore`)).statusCode).toBe(404)
    const audit = await t.rows(`SELECT action, after->>'displayName' AS name,
      before->'rewards' AS before, after->'rewards' AS after FROM audit_log ORDER BY id`)
    expect(audit).toMatchObject([
      { action: 'stream.create', name: displayName, after: rewards(1) },
      { action: 'stream.update', name: displayName, before: rewards(1), after: rewards(2) },
      { action: 'stream.delete' },
      { action: 'stream.restore' },
    ])
  })

  it('is still live when it comes back at once, and after ten minutes no more', async () => {
    const { id } = await add()
    const path = `/api/admin/streams/${id}`
    const live = { isLive: true }
    const set = await boss.send('POST', `/api/admin/twitch/streams/${id}/live`, live)
    expect(set.statusCode).toBe(200)
    const state = () =>
      t.rows(`SELECT is_live, is_live_by_hand AS by_hand, current_stream_id AS current,
        last_stream_id AS last, stream_ended_at AS ended FROM twitch_streams`)
    const before = await state()
    const back = async (seconds: number) => {
      await boss.send('DELETE', path)
      t.clock.advance(seconds)
      expect((await boss.send('POST', `${path}/restore`)).statusCode).toBe(200)
      return state()
    }
    expect(await back(10)).toEqual(before)
    const ended = t.clock.now()
    expect(await back(601)).toEqual([
      { is_live: false, by_hand: false, current: null, last: before[0]!['current'], ended },
    ])
  })

  it('gives its channel up to a new one, and cannot come back while that is there', async () => {
    const old = await add()
    await boss.send('DELETE', `/api/admin/streams/${old.id}`)
    const fresh = await add({ displayName: 'Second try' })
    expect(fresh.id).not.toBe(old.id)
    const restored = boss.send('POST', `/api/admin/streams/${old.id}/restore`)
    const sentence = '409 Another stream has taken this Twitch channel ID'
    expect(await told(restored)).toBe(sentence)
    await boss.send('DELETE', `/api/admin/streams/${fresh.id}`)
    const back = await boss.send('POST', `/api/admin/streams/${old.id}/restore`)
    expect(back.json()).toMatchObject({ id: old.id, twitchChannelId: '4711' })
  })

  it('comes back, or is saved, only with pack types that are not deleted', async () => {
    const gold = await t.packType('Gold')
    const made = await add({ rewards: [{ packTypeId: gold, packQuantity: 1 }] })
    await boss.send('DELETE', `/api/admin/streams/${made.id}`)
    expect((await boss.send('DELETE', `/api/admin/pack-types/${gold}`)).statusCode).toBe(200)
    const restore = () => boss.send('POST', `/api/admin/streams/${made.id}/restore`)
    expect(await told(restore())).toBe('409 Restore the pack type that this stream rewards first')
    for (const reward of [{ rewardPackTypeId: gold }, { rewards: [{ packTypeId: gold }] }]) {
      const body = { ...readingA, twitchChannelId: '4712', ...reward }
      expect(await told(boss.send('POST', '/api/admin/twitch/streams', body))).toBe(
        '404 Pack type not found',
      )
    }
    await boss.send('POST', `/api/admin/pack-types/${gold}/restore`)
    expect((await restore()).json()).toEqual(made)
  })

  it('is removed after a week with its sessions, unless somebody completed it', async () => {
    const ana = await t.person('ana')
    const [plain, earned] = [await add(), await add({ twitchChannelId: '4712' })]
    for (const { id } of [plain, earned]) {
      await t.insert('viewer_sessions', { user_id: ana.id, stream_id: id, stream_session_id: 'b' })
      await boss.send('DELETE', `/api/admin/streams/${id}`)
    }
    await t.rows(
      `INSERT INTO watch_completions (user_id, stream_id, stream_session_id, watch_time_completed,
         required) VALUES ($1, $2, 'b', 7200, 7200)`,
      [ana.id, earned.id],
    )
    t.clock.advance(6 * 86_400)
    await removeDeletedStreams(t.deps)
    expect(await t.rows('SELECT 1 FROM twitch_streams')).toHaveLength(2)
    t.clock.advance(2 * 86_400)
    await removeDeletedStreams(t.deps)
    expect(await t.rows('SELECT id FROM twitch_streams')).toEqual([{ id: earned.id }])
    const [[kept] = []] = await watchCompletionsOf(t.db, [ana.id])
    expect(kept?.stream.displayName).toBe('Partner Channel')
  })
})

describe('the auto-schedule window', () => {
  const run = () => applySchedules(t.deps)
  const isActive = async (id: number) =>
    await t.value<boolean>('SELECT is_active FROM twitch_streams WHERE id = $1', [id])
  const inSeconds = (seconds: number) =>
    new Date(t.clock.now().getTime() + seconds * 1000).toISOString()

  it('opens and closes once each, so a toggle in between stays', async () => {
    const { id } = await add({
      isActive: false,
      autoScheduleEnabled: true,
      scheduledStartTime: inSeconds(100),
      scheduledEndTime: inSeconds(1_000),
    })
    await run()
    expect(await isActive(id)).toBe(false)
    t.clock.advance(101)
    const publish = vi.spyOn(t.deps.events, 'publish')
    await run()
    expect(publish.mock.calls).toEqual([[{ type: 'streams_changed' }]])
    publish.mockRestore()
    expect(await isActive(id)).toBe(true)
    await boss.send('PUT', `/api/admin/streams/${id}/toggle`, { isActive: false })
    t.clock.advance(60)
    await run()
    expect(await isActive(id)).toBe(false)
    await change(id, { scheduledEndTime: inSeconds(850) })
    await run()
    expect(await isActive(id)).toBe(false)
    await boss.send('PUT', `/api/admin/streams/${id}/toggle`, { isActive: true })
    t.clock.advance(900)
    await run()
    expect(await isActive(id)).toBe(false)
    await boss.send('PUT', `/api/admin/streams/${id}/toggle`, { isActive: true })
    t.clock.advance(600)
    await run()
    expect(await isActive(id)).toBe(true)
  })

  it('does nothing when it is off, over when saved, or half', async () => {
    const off = await add({ scheduledStartTime: inSeconds(-10), isActive: false })
    const over = await add({
      twitchChannelId: '2',
      autoScheduleEnabled: true,
      scheduledStartTime: inSeconds(-100),
      scheduledEndTime: inSeconds(-50),
    })
    const half = await add({
      twitchChannelId: '3',
      autoScheduleEnabled: true,
      isActive: false,
      scheduledStartTime: inSeconds(-100),
    })
    await run()
    // None of them is locked for nothing every minute.
    const locked = t.db.transaction((tx) => lockScheduledStreams(tx, t.clock.now(), 9))
    expect(await locked).toEqual([])
    const active = await Promise.all([off, over, half].map(({ id }) => isActive(id)))
    expect(active).toEqual([false, true, false])
  })
})
