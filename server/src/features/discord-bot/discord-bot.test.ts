// The Discord bot's whitelist, settings and test post, with the stand-in as Discord.

import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Person, told } from '../../../test/deps.ts'
import { discordScene, snowflake } from '../../../test/discord-scene.ts'
import { useListeningDeps } from '../../../test/listening-server.ts'

const { t, origin } = await useListeningDeps({ SEED_DEMO: 'off' })
let scene: ReturnType<typeof discordScene>
let boss: Person
beforeAll(() => {
  scene = discordScene(t, origin)
})
beforeEach(async () => {
  await scene.fail(0, 500)
  boss = await t.person('boss', { role: 'admin' })
})

const path = '/api/admin/discord'
const entry = (change: Record<string, unknown> = {}) => ({
  serverName: 'Fox Den',
  serverId: snowflake(),
  channelId: snowflake(),
  channelName: 'rewards',
  ...change,
})
const add = (body: unknown) => boss.send('POST', `${path}/servers`, body)
const servers = async () => (await boss.get(`${path}/servers`)).json()
const actions = () =>
  t.rows('SELECT actor_id, action, target_id FROM audit_log ORDER BY id').then((rows) => rows)

describe('the whitelist', () => {
  it('takes a server with its channel, shows it and lets it go by row number', async () => {
    const body = entry()
    const added = await add(body)
    expect(added.statusCode).toBe(200)
    expect(added.json()).toEqual({
      ...body,
      id: expect.any(Number),
      isActive: true,
      isChecked: true,
      problem: null,
    })
    expect(await servers()).toEqual([added.json()])
    const removed = await boss.send('DELETE', `${path}/servers/${added.json().id}`)
    expect(removed.json()).toEqual({ success: true, message: 'Discord server removed' })
    expect(await servers()).toEqual([])
    expect(await actions()).toEqual([
      { actor_id: boss.id, action: 'discord_server.add', target_id: body.serverId },
      { actor_id: boss.id, action: 'discord_server.remove', target_id: body.serverId },
    ])
  })

  it('lists servers in the order in which they were added, and lets only the named one go', async () => {
    const added = [await add(entry()), await add(entry()), await add(entry())]
    const [one, two, three] = added.map((answer) => answer.json())
    expect(await servers()).toEqual([one, two, three])
    await boss.send('DELETE', `${path}/servers/${two.id}`)
    expect(await servers()).toEqual([one, three])
    await boss.send('DELETE', `${path}/servers/${three.serverId}`)
    for (const id of [three.serverId, '2000000000', '9999999999', 'nothing']) {
      expect((await boss.send('DELETE', `${path}/servers/${id}`)).statusCode).toBe(404)
    }
    expect(await servers()).toEqual([one])
  })

  it('refuses the same server a second time with 409', async () => {
    const body = entry()
    await add(body)
    const again = await add({ ...body, channelId: snowflake() })
    expect(again.statusCode).toBe(409)
    expect(again.json()).toMatchObject({ errors: [{ path: 'serverId' }] })
    expect(await servers()).toHaveLength(1)
  })

  it.each([
    ['serverName', 'Server name is required'],
    ['serverId', 'Server ID is required'],
    ['channelId', 'Channel ID is required'],
    ['channelName', 'Channel name is required'],
  ])('refuses an entry without %s', async (field, message) => {
    for (const value of [undefined, '', '  ', null]) {
      const answer = await add(entry({ [field]: value }))
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toMatchObject({ message, errors: [{ path: field, message }] })
    }
    expect(await servers()).toEqual([])
  })

  it.each([
    ['a server it is not in', 'serverId', 'The bot is not a member of this Discord server.'],
    ['a channel that is not there', 'channelId', 'Discord does not know this channel.'],
    ['a channel of another server', 'channelId', 'This channel belongs to another Discord server.'],
    ['a voice channel', 'channelId', 'This channel is not a text channel.'],
    ['a channel it may not write to', 'channelId', 'permission Send Messages in this channel'],
    ['a channel it cannot see', 'channelId', 'permissions View Channel and Read Message History'],
  ])('asks Discord and refuses %s', async (what, field, words) => {
    const body = entry()
    const { serverId: guildId, channelId } = body
    const isOther = what === 'a channel of another server'
    const place: Record<string, unknown> = { channelId, guildId: isOther ? snowflake() : guildId }
    if (what === 'a server it is not in') await scene.control('servers', { guildId, exists: false })
    if (what === 'a channel that is not there') place['exists'] = false
    if (what === 'a voice channel') place['type'] = 2
    if (what === 'a channel it may not write to') place['missing'] = ['SEND_MESSAGES']
    if (what === 'a channel it cannot see') {
      place['missing'] = ['VIEW_CHANNEL', 'READ_MESSAGE_HISTORY']
    }
    await scene.control('channels', place)
    const answer = await add(body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().message).toContain(words)
    expect(answer.json().errors).toEqual([{ path: field, message: answer.json().message }])
    expect(await servers()).toEqual([])
  })

  it('takes an entry unchecked while Discord fails or takes no token, and says so', async () => {
    await scene.fail(1, 503)
    const added = await add(entry())
    expect(added.json()).toMatchObject({
      isActive: true,
      isChecked: false,
      problem: 'Not checked: Discord cannot be reached right now.',
    })
    await scene.fail(1, 401)
    // Once refused, the token is not shown again.
    for (const _each of [1, 2]) {
      expect((await add(entry())).json()).toMatchObject({
        isChecked: false,
        problem: 'Not checked: Discord does not accept the bot token.',
      })
    }
  })
})

describe('the settings', () => {
  const settings = async () => (await boss.get(`${path}/bot-settings`)).json()
  const save = (body: unknown) => boss.send('PUT', `${path}/bot-settings`, body)

  it('are the defaults of the database until somebody saves', async () => {
    expect(await settings()).toEqual({
      rewardAmount: 25,
      isActive: true,
      postSchedule: [6, 12, 18, 24],
      isDefault: true,
      hasToken: true,
      problem: null,
      nextPostAt: expect.stringMatching(/:00:00\.000Z$/),
    })
  })

  it('keep what is saved, whole or in part', async () => {
    const saved = await save({ rewardAmount: 1000, isActive: true, postSchedule: [2, 8, 14, 20] })
    expect(saved.json()).toMatchObject({
      rewardAmount: 1000,
      isActive: true,
      postSchedule: [2, 8, 14, 20],
      isDefault: false,
    })
    const off = await save({ isActive: false })
    expect(off.json()).toMatchObject({ rewardAmount: 1000, isActive: false, nextPostAt: null })
    expect((await save({ rewardAmount: '7' })).json()).toMatchObject({ rewardAmount: 7 })
    const ends = await save({ postSchedule: [0, '24'] })
    expect(ends.json()).toMatchObject({ rewardAmount: 7, postSchedule: [0, 24] })
    expect(await settings()).toMatchObject({
      rewardAmount: 7,
      isActive: false,
      postSchedule: [0, 24],
    })
    expect(await t.rows('SELECT count(*)::int AS rows FROM discord_bot_settings')).toEqual([
      { rows: 1 },
    ])
    const target = { target_type: 'setting', target_id: 'discord_bot' }
    expect(
      await t.rows(
        `SELECT target_type, target_id, before, after FROM audit_log
         WHERE action = 'discord_settings.save' ORDER BY id LIMIT 2`,
      ),
    ).toEqual([
      {
        ...target,
        before: null,
        after: { rewardAmount: 1000, isActive: true, postSchedule: [2, 8, 14, 20] },
      },
      {
        ...target,
        before: { rewardAmount: 1000, isActive: true, postSchedule: [2, 8, 14, 20] },
        after: { rewardAmount: 1000, isActive: false, postSchedule: [2, 8, 14, 20] },
      },
    ])
  })

  it.each<[string, object]>([
    ['Reward amount must be 0 or greater', { rewardAmount: -1 }],
    ['Reward amount must be 0 or greater', { rewardAmount: 1.5 }],
    ['Active must be true or false', { isActive: 'maybe' }],
    ...[[25], [-1], [1.5], 'noon', null, Array(26).fill(1)].map(
      (postSchedule): [string, object] => [
        'Post schedule must be a list of hours from 0 to 24',
        { postSchedule },
      ],
    ),
  ])('say %s to %j', async (sentence, body) => {
    expect(await told(save(body))).toBe(`400 ${sentence}`)
    expect(await settings()).toMatchObject({ isDefault: true })
  })
})

describe('a test claim', () => {
  const test = (body: unknown) => boss.send('POST', `${path}/test-claim`, body)
  const noReward = 'The reward is 0 RedCoin, so there is nothing to claim. Set a higher one first.'

  it('posts one message that can be claimed for an hour', async () => {
    const channelId = await scene.addServer(boss)
    const answer = await test({ channelId })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      success: true,
      message: 'Test claim sent',
      messageId: expect.stringMatching(/^\d{17,20}$/),
    })
    const posted = await scene.messages(channelId)
    expect(posted).toMatchObject([
      {
        id: answer.json().messageId,
        content: expect.stringMatching(/^Test post\. \*\*25 RedCoin\*\*/),
        components: [{ components: [{ label: 'Claim 25 RedCoin', disabled: false }] }],
      },
    ])
    const [row] = await t.rows<{ minutes: number }>(
      `SELECT channel_id, reward_amount::int AS amount, is_active,
         extract(epoch FROM expires_at - posted_at)::int / 60 AS minutes
       FROM discord_messages WHERE message_id = $1`,
      [answer.json().messageId],
    )
    expect(row).toEqual({ channel_id: channelId, amount: 25, is_active: true, minutes: 60 })
    expect((await actions()).at(-1)).toEqual({
      actor_id: boss.id,
      action: 'discord.test_claim',
      target_id: channelId,
    })
  })

  it('needs a channel, and one of the whitelist', async () => {
    for (const body of [{}, { channelId: '' }, { channelId: ' ' }]) {
      expect(await told(test(body))).toBe('400 Channel ID is required')
    }
    expect((await test({ channelId: snowflake() })).statusCode).toBe(404)
  })

  it('is refused while the reward is 0: nobody could claim it', async () => {
    const channelId = await scene.addServer(boss)
    await boss.send('PUT', `${path}/bot-settings`, { rewardAmount: 0 })
    const answer = await test({ channelId })
    expect(answer.statusCode).toBe(409)
    expect(answer.json()).toMatchObject({ code: 'wrong_state', message: noReward })
    expect(await scene.messages(channelId)).toEqual([])
  })

  it('finds its message again when the answer got lost, and posts no second one', async () => {
    const channelId = await scene.addServer(boss)
    await scene.fail(1, 502, { afterwards: true })
    const answer = await test({ channelId })
    expect(answer.statusCode).toBe(200)
    expect((await scene.messages(channelId)).map(({ id }) => id)).toEqual([answer.json().messageId])
  })

  it('says which permission is missing', async () => {
    const channelId = await scene.addServer(boss)
    await scene.control('channels', { channelId, missing: ['SEND_MESSAGES'] })
    const answer = await test({ channelId })
    expect(answer.statusCode).toBe(503)
    expect(answer.json().message).toContain('permission Send Messages in this channel')
    expect(answer.json().message).toContain('50013')
    expect(await scene.messages(channelId)).toEqual([])
    expect((await boss.read(`${path}/bot-settings`)).problem).toBeNull()
  })

  it('is no fault of Discord where we fail, and then nobody reads ours', async () => {
    const channelId = await scene.addServer(boss)
    const post = vi.spyOn(t.deps.discord, 'post').mockRejectedValueOnce(new Error('our own'))
    const answer = await test({ channelId })
    post.mockRestore()
    expect(answer.statusCode).toBe(500)
    expect(answer.body).not.toContain('our own')
  })

  it('says when Discord does not answer, within the patience of a browser', async () => {
    const channelId = await scene.addServer(boss)
    await scene.fail(2, 500)
    expect(await told(test({ channelId }))).toBe('503 Discord cannot be reached right now')
    expect((await actions()).map(({ action }) => action)).toEqual(['discord_server.add'])
  })

  it('stops the bot where Discord takes no token', async () => {
    const channelId = await scene.addServer(boss)
    await scene.fail(1, 401)
    const words = 'Discord does not accept the bot token'
    expect(await told(test({ channelId }))).toContain(words)
    const { problem } = await boss.read(`${path}/bot-settings`)
    expect(problem).toContain(words)
  })
})
