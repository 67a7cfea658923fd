// Scheduled reward posts: when they come, what they carry, when they end, and how Discord's
// refusals are taken.

import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { testNow } from '../../../../tools/test-clock.ts'
import type { Person } from '../../../test/deps.ts'
import { discordDefaults, discordScene, snowflake } from '../../../test/discord-scene.ts'
import { jobsNamed } from '../../../test/jobs.ts'
import { useListeningDeps } from '../../../test/listening-server.ts'
import { DeliveryFault, DiscordFault } from '../../shared/far-side-faults.ts'

const { t, origin } = await useListeningDeps({ SEED_DEMO: 'off' })
let scene: ReturnType<typeof discordScene>
let boss: Person
beforeAll(() => {
  scene = discordScene(t, origin)
})
beforeEach(async () => {
  await scene.fail(0, 500)
  scene.toNextSlot()
  t.clock.advance(3_600)
  await signInAgain()
})

let staff = 0
/** Sessions of staff end while the clock is moved. */
const signInAgain = async () => {
  staff += 1
  boss = await t.person(`boss-${staff}`, { role: 'admin' })
}

const runJobs = async () => {
  for (const job of jobsNamed('discord-', 'outbox-')) {
    await job.run(t.deps).catch((error: unknown) => expect(error).toBeInstanceOf(DeliveryFault))
  }
}
const save = (body: unknown) => boss.send('PUT', '/api/admin/discord/bot-settings', body)
const settings = async () => (await boss.get('/api/admin/discord/bot-settings')).json()
const server = async () => (await boss.get('/api/admin/discord/servers')).json()[0]
const posts = (kind = 'reward') =>
  t.rows('SELECT state, attempts, problem FROM outbox_messages WHERE kind = $1 ORDER BY id', [kind])

describe('a scheduled post', () => {
  it('stands in every active channel once, with the amount, until the next slot, and is noted by channel', async () => {
    const channels = [await scene.addServer(boss), await scene.addServer(boss)]
    await save({ rewardAmount: 1_000 })
    await runJobs()
    for (const channelId of channels) expect(await scene.messages(channelId)).toEqual([])
    const slot = scene.toNextSlot()
    for (let run = 0; run < 3; run += 1) await runJobs()
    for (const channelId of channels) {
      const [message, ...more] = await scene.messages(channelId)
      expect(more).toEqual([])
      expect(message?.content).toMatch(/^\*\*1,000 RedCoin\*\* for everyone/)
      expect(message?.components[0]?.components).toMatchObject([
        { label: 'Claim 1,000 RedCoin', custom_id: expect.stringMatching(/^claim:v1:\w{18}$/) },
      ])
    }
    const next = (await settings()).nextPostAt
    const seconds = Date.parse(next) / 1000
    expect((await scene.messages(channels[0]!))[0]?.content).toContain(`before <t:${seconds}:f>`)
    expect(
      await t.rows('SELECT expires_at, reward_amount::int AS amount FROM discord_messages'),
    ).toEqual(channels.map(() => ({ expires_at: new Date(next), amount: 1_000 })))
    const [kept] = await t.rows<{ times: Record<string, string> }>(
      'SELECT last_post_times AS times FROM discord_bot_settings',
    )
    expect(Object.keys(kept!.times).toSorted()).toEqual(channels.toSorted())
    for (const channelId of channels) {
      const noted = Date.parse(kept!.times[channelId]!)
      expect(noted).toBeGreaterThanOrEqual(slot.getTime())
      expect(noted).toBeLessThanOrEqual(t.clock.now().getTime())
    }
  })

  it('comes again with the next slot, and the first one loses its button', async () => {
    const channelId = await scene.addServer(boss)
    scene.toNextSlot()
    await runJobs()
    scene.toNextSlot()
    await runJobs()
    const [first, second, ...more] = await scene.messages(channelId)
    expect(more).toEqual([])
    expect(first).toMatchObject({
      content: 'This reward of **25 RedCoin** has expired.',
      components: [{ components: [{ label: 'Expired', disabled: true }] }],
      editedAt: expect.any(String),
    })
    expect(second).toMatchObject({ components: [{ components: [{ disabled: false }] }] })
    await runJobs()
    expect((await scene.messages(channelId))[0]?.editedAt).toBe(first?.editedAt)
  })

  it('does not come for a slot before its server, its schedule or its bot was there', async () => {
    await save({ isActive: false })
    scene.toNextSlot()
    const channelId = await scene.addServer(boss)
    await runJobs()
    await save({ isActive: true })
    await runJobs()
    expect(await scene.messages(channelId)).toEqual([])
    scene.toNextSlot()
    await runJobs()
    expect(await scene.messages(channelId)).toHaveLength(1)
  })

  it('begins with the next slot of other hours, and goes on with the same in another order', async () => {
    const channelId = await scene.addServer(boss)
    scene.toNextSlot()
    await save({ postSchedule: Array.from({ length: 24 }, (_, hour) => hour) })
    await runJobs()
    expect(await scene.messages(channelId)).toEqual([])
    t.clock.advance(3_600)
    await save({ postSchedule: Array.from({ length: 24 }, (_, hour) => 24 - hour) })
    await runJobs()
    expect(await scene.messages(channelId)).toHaveLength(1)
  })

  it('is caught up after an outage for the latest slot alone', async () => {
    const channelId = await scene.addServer(boss)
    scene.toNextSlot()
    scene.toNextSlot()
    scene.toNextSlot()
    t.clock.advance(1_800)
    await runJobs()
    expect(await scene.messages(channelId)).toHaveLength(1)
  })

  it('does not come while the bot is off, pays nothing, or its channel is gone', async () => {
    const channelId = await scene.addServer(boss)
    await save({ rewardAmount: 0 })
    scene.toNextSlot()
    await runJobs()
    await signInAgain()
    await save({ rewardAmount: 5, isActive: false })
    scene.toNextSlot()
    await runJobs()
    await signInAgain()
    await save({ isActive: true })
    await boss.send('DELETE', `/api/admin/discord/servers/${(await server()).id}`)
    scene.toNextSlot()
    await runJobs()
    expect(await scene.messages(channelId)).toEqual([])
    expect(await posts()).toEqual([])
  })

  it('follows other hours once they are saved', async () => {
    const channelId = await scene.addServer(boss)
    await save({ postSchedule: [5] })
    for (let slot = 0; slot < 4; slot += 1) {
      scene.toNextSlot([5, ...discordDefaults.map((hour) => (hour + 20) % 24)])
      await runJobs()
    }
    const [{ hour } = { hour: -1 }] = await t.rows<{ hour: number }>(
      `SELECT extract(hour FROM posted_at AT TIME ZONE 'America/New_York')::int AS hour
       FROM discord_messages`,
    )
    expect([await scene.messages(channelId), hour]).toEqual([[expect.anything()], 5])
  })
})

describe('when Discord refuses', () => {
  it('a token, the bot stops, says so, and tries again when staff save', async () => {
    const channelId = await scene.addServer(boss)
    scene.toNextSlot()
    await scene.fail(1, 401)
    await runJobs()
    scene.toNextSlot()
    await runJobs()
    expect(await scene.messages(channelId)).toEqual([])
    expect(await t.rows('SELECT id FROM discord_messages')).toHaveLength(1)
    await signInAgain()
    expect(await settings()).toMatchObject({
      problem: expect.stringContaining('Discord does not accept the bot token'),
      nextPostAt: null,
    })
    expect(JSON.stringify(await settings())).not.toContain('sandbox-bot-token')
    await save({})
    expect(await settings()).toMatchObject({ problem: null })
    await runJobs()
    expect(await scene.messages(channelId)).toHaveLength(1)
  })

  it('a channel three times, it is switched off, listed for staff, and holds up no other', async () => {
    const [gone, other] = [await scene.addServer(boss), await scene.addServer(boss)]
    scene.toNextSlot()
    await runJobs()
    await scene.control('channels', { channelId: gone, exists: false })
    scene.toNextSlot()
    const problem = 'Discord does not know this channel.'
    const state = 'SELECT is_active, problem FROM discord_servers WHERE channel_id = $1'
    for (let run = 1; run <= 3; run += 1) {
      await runJobs()
      expect(await t.rows(state, [gone])).toEqual([{ is_active: run < 3, problem }])
      t.clock.advance(61)
    }
    expect(await scene.messages(other)).toHaveLength(2)
    await signInAgain()
    const { messages } = (await boss.get('/api/admin/outbox?state=failed')).json()
    expect(messages).toMatchObject([
      { kind: 'reward', channel: 'post', lastError: problem, attempts: 3 },
    ])
    // A message that is gone has no button to take back.
    expect((await posts('reward_over')).slice(0, 2)).toMatchObject([
      { state: 'sent', attempts: 1 },
      { state: 'sent', attempts: 1 },
    ])
    scene.toNextSlot()
    await runJobs()
    expect(await posts()).toHaveLength(5)
  })

  it('once and not again, the channel is well again', async () => {
    const channelId = await scene.addServer(boss)
    await scene.control('channels', { channelId, missing: ['SEND_MESSAGES'] })
    scene.toNextSlot()
    await runJobs()
    const problem = 'The bot lacks the permission Send Messages in this channel.'
    expect(await server()).toMatchObject({ isActive: true, problem })
    await scene.control('channels', { channelId, missing: [] })
    t.clock.advance(58)
    await runJobs()
    expect(await scene.messages(channelId)).toEqual([])
    t.clock.advance(3)
    await runJobs()
    expect(await scene.messages(channelId)).toHaveLength(1)
    expect(await server()).toMatchObject({ isActive: true, problem: null })
    expect(await t.rows('SELECT refused_count FROM discord_servers')).toEqual([
      { refused_count: 0 },
    ])
  })

  it('for no reason that it shows, staff read what it answered', async () => {
    await scene.addServer(boss)
    scene.toNextSlot()
    await scene.fail(1, 403)
    await runJobs()
    expect((await server()).problem).toBe('The bot lacks a permission in this channel on Discord.')
  })

  it('a channel that staff take off the list meanwhile, its post is given up', async () => {
    await scene.addServer(boss)
    scene.toNextSlot()
    const post = async () => {
      await boss.send('DELETE', `/api/admin/discord/servers/${(await server()).id}`)
      throw new DiscordFault('forbidden', 'Discord refused this')
    }
    const deps = { ...t.deps, discord: { ...t.deps.discord, post } }
    for (const job of jobsNamed('discord-', 'outbox-')) await job.run(deps)
    expect(await posts()).toMatchObject([{ state: 'failed', problem: 'Discord refused this.' }])
  })

  it('for a while (429), the wait it names is kept', async () => {
    const channelId = await scene.addServer(boss)
    scene.toNextSlot()
    await scene.fail(1, 429, { retryAfterSeconds: 3 })
    await runJobs()
    vi.setSystemTime(testNow() + 3_100)
    await runJobs()
    expect(await scene.messages(channelId)).toEqual([])
    t.clock.advance(3)
    await runJobs()
    expect(await scene.messages(channelId)).toHaveLength(1)
  })

  it('with an error of its own, the post is tried again later', async () => {
    const channelId = await scene.addServer(boss)
    scene.toNextSlot()
    await scene.fail(1, 500)
    const search = vi.spyOn(t.deps.discord, 'findPost')
    await runJobs()
    await runJobs()
    expect(await posts()).toMatchObject([{ state: 'waiting', attempts: 1 }])
    // Nothing is searched for before it may be there.
    expect(search).not.toHaveBeenCalled()
    t.clock.advance(11)
    await runJobs()
    expect(search).toHaveBeenCalledOnce()
    search.mockRestore()
    expect(await scene.messages(channelId)).toHaveLength(1)
  })

  it.each([
    ['a bot that staff switch off', () => save({ isActive: false })],
    [
      'a channel that staff take off the list',
      async () => boss.send('DELETE', `/api/admin/discord/servers/${(await server()).id}`),
    ],
  ])('a post for a while, %s meanwhile gets neither it nor its end', async (_what, change) => {
    const channelId = await scene.addServer(boss)
    scene.toNextSlot()
    await scene.fail(1, 500)
    await runJobs()
    expect((await change()).statusCode).toBe(200)
    t.clock.advance(11)
    await runJobs()
    expect([await scene.messages(channelId), await posts()]).toEqual([[], []])
    scene.toNextSlot()
    await runJobs()
    expect(await posts('reward_over')).toEqual([])
  })

  it('an edit, closing is tried again later and given up when the message is gone', async () => {
    const channelId = await scene.addServer(boss)
    scene.toNextSlot()
    await runJobs()
    await save({ isActive: false })
    scene.toNextSlot()
    await scene.fail(1, 429, { code: 30_046, retryAfterSeconds: 3 })
    await runJobs()
    expect((await scene.messages(channelId))[0]?.editedAt).toBeNull()
    t.clock.advance(4)
    vi.setSystemTime(testNow() + 3_100)
    await runJobs()
    expect((await scene.messages(channelId))[0]?.editedAt).not.toBeNull()
    await t.rows(
      `WITH lost AS (INSERT INTO discord_messages (message_id, channel_id, server_id, posted_at,
           expires_at, reward_amount, nonce) VALUES ($1, $2, 's', $3, $3, 1, 'a-lost-post')
         RETURNING id)
       INSERT INTO outbox_messages (channel, place, kind, event, next_try_at, created_at)
       SELECT 'post', $2, 'reward_over', 'reward_over-' || id, $3, $3 FROM lost`,
      [snowflake(), channelId, t.clock.now()],
    )
    await runJobs()
    expect(await posts('reward_over')).toMatchObject([
      { state: 'sent', attempts: 2 },
      { state: 'sent', attempts: 1 },
    ])
  })
})

it('does nothing and waits for nothing while there is nothing to do', async () => {
  await runJobs()
  expect(await posts()).toEqual([])
})
