// The stored data model, row by row, against a migrated database: names, types, defaults, unique
// rules.

import { readFile } from 'node:fs/promises'
import { CreatePrizeRequest } from '@redpack/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDeps, emptyDatabase, type TestDeps } from './deps.ts'
import { LeastRows, type Values } from './least-rows.ts'
import { embeddedTestDatabase } from './test-database.ts'

let deps: TestDeps
const least = new LeastRows((sql, values) => deps.rows(sql, values))

/** `users.twitchId` of the specification is the column `twitch_id` of the table `users`. */
function columnOf(field: string): { table: string; column: string } {
  const [table = '', name = ''] = (field.split(' ')[0] ?? '').split('.')
  return { table, column: name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) }
}

/** Of a column, or of a field that the database reads from elsewhere for whoever asks. */
async function typeOf(table: string, column: string): Promise<string | undefined> {
  const rows = await deps.rows<{ type: string }>(
    `SELECT pg_typeof(t.${column})::text AS type FROM (VALUES (1)) v LEFT JOIN ${table} t ON false`,
  )
  return rows[0]?.type
}

beforeAll(async () => {
  deps = await createTestDeps(await embeddedTestDatabase())
}, 60_000)
afterAll(() => deps.close())

// Every test leaves the database as it found it.
beforeEach(() => deps.db.script('BEGIN'))
afterEach(() => deps.db.script('ROLLBACK'))

it('has no trigger that writes but those which ARCHITECTURE.md lists', async () => {
  const text = await readFile(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8')
  const section = /^## Triggers\n([\s\S]*?)^## /m.exec(text)?.[1] ?? ''
  const listed = section.split('\n').flatMap((line) => line.match(/(?<=`)\w+\.\w+(?=`)/g) ?? [])
  const writing = await deps.rows<{ name: string }>(
    `SELECT format('%s.%s', t.tgrelid::regclass, t.tgname) AS name
     FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
     WHERE NOT t.tgisinternal AND p.prosrc ~* 'insert into|update |delete from|new\\.\\w+ *:='`,
  )
  expect(listed.toSorted()).toEqual(writing.map(({ name }) => name).toSorted())
})

const fields = [
  ['users.username', 'text'],
  ['users.displayName', 'text'],
  ['users.email', 'text'],
  ['users.avatar', 'text'],
  ['users.bio', 'text'],
  ['users.country', 'text'],
  ['users.timezone', 'text'],
  ['users.totalRedCoinWon', 'bigint'],
  ['users.solanaWallet', 'text'],
  ['users.discordUsername', 'text'],
  ['users.discordAvatar', 'text'],
  ['users.createdAt', 'timestamp with time zone'],
  ['pack_types.name', 'text'],
  ['pack_types.description', 'text'],
  ['pack_types.color', 'text'],
  ['pack_types.icon', 'text'],
  ['pack_types.imageUrl', 'text'],
  ['pack_types.imageData', 'text'],
  ['pack_types.imageType', 'character varying'],
  ['pack_types.createdAt', 'timestamp with time zone'],
  ['user_packs.userId', 'integer'],
  ['user_packs.packTypeId', 'integer'],
  ['user_packs.updatedAt', 'timestamp with time zone'],
  ['prizes.name', 'text'],
  ['prizes.description', 'text'],
  ['prizes.claimInstructions', 'text'],
  ['prizes.packTypeId', 'integer'],
  ['prizes.createdAt', 'timestamp with time zone'],
  ['prize_pack_types.prizeId', 'integer'],
  ['prize_pack_types.packTypeId', 'integer'],
  ['red_coin_transactions.userId', 'integer'],
  ['red_coin_transactions.amount', 'bigint'],
  ['red_coin_transactions.type', 'text'],
  ['red_coin_transactions.description', 'text'],
  ['red_coin_transactions.prizeId', 'integer'],
  ['red_coin_transactions.packOpeningId', 'bigint'],
  ['red_coin_transactions.createdAt', 'timestamp with time zone'],
  ['prize_claims.userId', 'integer'],
  ['prize_claims.prizeId', 'integer'],
  ['prize_claims.createdAt', 'timestamp with time zone'],
  ['prize_claims.updatedAt', 'timestamp with time zone'],
  ['pack_openings.userId', 'integer'],
  ['pack_openings.packTypeId', 'integer'],
  ['pack_openings.prizeId', 'integer'],
  ['pack_openings.createdAt', 'timestamp with time zone'],
  ['store_pack_listings.packTypeId', 'integer'],
  ['store_pack_listings.redCoinPrice', 'bigint'],
  ['store_pack_listings.customImage', 'text'],
  ['store_pack_listings.createdAt', 'timestamp with time zone'],
  ['store_pack_listings.updatedAt', 'timestamp with time zone'],
  ['store_purchases.userId', 'integer'],
  ['store_purchases.storePackListingId', 'integer'],
  ['store_purchases.quantity', 'integer'],
  ['store_purchases.redCoinCost', 'bigint'],
  ['store_purchases.createdAt', 'timestamp with time zone'],
  ['app_settings.value', 'jsonb'],
  ['discord_servers.serverName', 'text'],
  ['discord_servers.channelId', 'text'],
  ['discord_servers.channelName', 'text'],
  ['discord_servers.isActive', 'boolean'],
  ['discord_bot_settings.isActive', 'boolean'],
  ['discord_bot_settings.lastPostTimes', 'jsonb'],
  ['discord_messages.channelId', 'text'],
  ['discord_messages.serverId', 'text'],
  ['discord_messages.postedAt', 'timestamp with time zone'],
  ['discord_messages.expiresAt', 'timestamp with time zone'],
  ['discord_messages.rewardAmount', 'bigint'],
  ['discord_messages.isActive', 'boolean'],
  ['discord_reward_claims.userId', 'integer'],
  ['discord_reward_claims.discordServerId', 'text'],
  ['discord_reward_claims.messageId', 'text'],
  ['discord_reward_claims.redCoinAmount', 'bigint'],
  ['discord_reward_claims.claimedAt', 'timestamp with time zone'],
  ['twitch_bot_credentials.botUsername', 'text'],
  ['twitch_bot_credentials.botUserId', 'text'],
  ['twitch_bot_credentials.accessToken', 'text'],
  ['twitch_bot_credentials.refreshToken', 'text'],
  ['twitch_bot_credentials.clientId', 'text'],
  ['twitch_bot_credentials.expiresAt', 'timestamp with time zone'],
  ['twitch_bot_credentials.isActive', 'boolean'],
  ['twitch_streams.channelName', 'text'],
  ['twitch_streams.displayName', 'text'],
  ['twitch_streams.channelUrl', 'text'],
  ['twitch_streams.isActive', 'boolean'],
  ['twitch_streams.scheduledStartTime', 'timestamp with time zone'],
  ['twitch_streams.scheduledEndTime', 'timestamp with time zone'],
  ['twitch_streams.autoScheduleEnabled', 'boolean'],
  ['twitch_streams.rewardPackTypeId', 'integer'],
  ['twitch_streams.isLive', 'boolean'],
  ['twitch_streams.currentStreamId', 'text'],
  ['twitch_streams.streamStartedAt', 'timestamp with time zone'],
  ['twitch_streams.streamEndedAt', 'timestamp with time zone'],
  ['stream_rewards.streamId', 'integer'],
  ['stream_rewards.packTypeId', 'integer'],
  ['viewer_sessions.userId', 'integer'],
  ['viewer_sessions.streamId', 'integer'],
  ['viewer_sessions.streamSessionId', 'text'],
  ['viewer_sessions.lastActiveAt', 'timestamp with time zone'],
  ['viewer_sessions.isCompleted', 'boolean'],
  ['viewer_sessions.completedAt', 'timestamp with time zone'],
  ['watch_completions.userId', 'integer'],
  ['watch_completions.streamId', 'integer'],
  ['watch_completions.streamSessionId', 'text'],
  ['watch_completions.watchTimeCompleted', 'integer'],
  ['watch_completions.completedAt', 'timestamp with time zone'],
] as const

describe('fields', () => {
  it.each(fields)('%s exists as %s', async (field, type) => {
    const { table, column } = columnOf(field)
    expect(await typeOf(table, column)).toBe(type)
  })

  it('app_settings has both timestamps, set on insert', async () => {
    expect(await typeOf('app_settings', 'created_at')).toBe('timestamp with time zone')
    expect(await typeOf('app_settings', 'updated_at')).toBe('timestamp with time zone')
    const row = await least.add('app_settings')
    expect(row['created_at']).toBeInstanceOf(Date)
    expect(row['updated_at']).toBeInstanceOf(Date)
  })
})

const keys = [
  ['users.id'],
  ['pack_types.id'],
  ['user_packs.id'],
  ['prizes.id'],
  ['red_coin_transactions.id'],
  ['prize_claims.id'],
  ['pack_openings.id'],
  ['store_pack_listings.id'],
] as const

describe('primary keys', () => {
  it.each(keys)('%s is a whole number that the database counts', async (field) => {
    const { table } = columnOf(field)
    const columns = await deps.rows<{ attname: string }>(
      `SELECT a.attname FROM pg_index i
       JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
       WHERE i.indrelid = $1::regclass AND i.indisprimary`,
      [table],
    )
    expect(columns).toEqual([{ attname: 'id' }])
    const first = await least.add(table)
    const second = await least.add(table)
    expect(Number.isInteger(first['id'])).toBe(true)
    expect(second['id']).toBeGreaterThan(first['id'] as number)
  })
})

const defaults = [
  ['users.notifications', 'jsonb', { email: true, prizes: true }],
  ['users.role', 'text', 'user'],
  ['users.redCoinBalance', 'bigint', 0],
  ['user_packs.quantity', 'integer', 0],
  ['prizes.winFrequency', 'integer', 1],
  ['prizes.totalPacks', 'integer', 100],
  ['prizes.redCoinAmount', 'bigint', 0],
  ['prizes.packQuantity', 'integer', 0],
  ['prizes.isActive', 'boolean', true],
  ['prize_claims.status', 'text', 'pending'],
  ['store_pack_listings.quantityAvailable', 'integer', 0],
  ['store_pack_listings.isUnlimited', 'boolean', false],
  ['store_pack_listings.isActive', 'boolean', true],
  ['store_pack_listings.sortOrder', 'integer', 0],
  ['discord_bot_settings.rewardAmount', 'bigint', 25],
  ['discord_bot_settings.postSchedule', 'jsonb', [6, 12, 18, 24]],
  ['twitch_bot_credentials.scopes', 'text', 'moderator:read:chatters'],
  ['twitch_streams.watchTimeRequired', 'integer', 7200],
  [
    'twitch_streams.completionMessage',
    'text',
    "Congratulations {username}! You've earned a pack for watching!",
  ],
  ['twitch_streams.enableChatMessage', 'boolean', true],
  ['twitch_streams.rewardPackQuantity', 'integer', 1],
  ['twitch_streams.rewardRedCoinAmount', 'bigint', 0],
  ['stream_rewards.packQuantity', 'integer', 1],
  ['stream_rewards.redCoinAmount', 'bigint', 0],
  ['viewer_sessions.totalWatchTime', 'integer', 0],
] as const

describe('defaults', () => {
  it.each(defaults)('%s of type %s is %j when left out', async (field, type, value) => {
    const { table, column } = columnOf(field)
    expect(await typeOf(table, column)).toBe(type)
    const row = await least.add(table)
    expect(row[column]).toEqual(value)
  })

  it('the other defaults the decisions name are set too', async () => {
    const packType = await least.add('pack_types')
    expect([packType['color'], packType['icon']]).toEqual(['#8B5CF6', 'package'])
    expect((await least.add('users'))['total_red_coin_won']).toBe(0)
  })
})

const unique = [
  ['users.twitchId', 'one', 'two'],
  ['users.discordId', 'one', 'two'],
  ['prize_claims.claimId', 'PR-AAAAAAAA', 'PR-BBBBBBBB'],
  ['app_settings.key', 'theme', 'other'],
  ['discord_servers.serverId', '1', '2'],
  ['discord_messages.messageId', '1', '2'],
  ['twitch_streams.twitchChannelId', '1', '2'],
] as const

const uniqueViolation = { code: '23505' }

/** Adds `values`, then `others`, which is allowed, then `values` again, which must not be. */
async function expectUnique(table: string, values: Values, others: readonly Values[]) {
  await least.add(table, values)
  for (const other of others) await least.add(table, { ...values, ...other })
  await expect(least.add(table, values)).rejects.toMatchObject(uniqueViolation)
}

describe('unique values', () => {
  it.each(unique)('%s refuses the same text twice', async (field, value, other) => {
    const { table, column } = columnOf(field)
    expect(await typeOf(table, column)).toBe('text')
    await expectUnique(table, { [column]: value }, [{ [column]: other }])
  })

  it('users: several rows may have no twitchId and no discordId', async () => {
    await least.add('users', { twitch_id: null, discord_id: null })
    const second = await least.add('users', { twitch_id: null, discord_id: null })
    expect([second['twitch_id'], second['discord_id']]).toEqual([null, null])
  })

  it('user_packs: one holding per user and pack type', async () => {
    const pair = await pairOf('users', 'user_id', 'pack_types', 'pack_type_id')
    await expectUnique('user_packs', pair.first, pair.others)
  })

  it('prize_pack_types: a pair of prize and pack type stands once', async () => {
    const pair = await pairOf('prizes', 'prize_id', 'pack_types', 'pack_type_id')
    await expectUnique('prize_pack_types', pair.first, pair.others)
  })

  it('viewer_sessions: one per user, stream and session', async () => {
    const pair = await pairOf('users', 'user_id', 'twitch_streams', 'stream_id')
    await expectUnique('viewer_sessions', { ...pair.first, stream_session_id: 'a' }, [
      ...pair.others,
      { stream_session_id: 'b' },
    ])
  })

  it('watch_completions: one per user, stream and session', async () => {
    const pair = await pairOf('users', 'user_id', 'twitch_streams', 'stream_id')
    await expectUnique('watch_completions', { ...pair.first, stream_session_id: 'a' }, [
      ...pair.others,
      { stream_session_id: 'b' },
    ])
  })
})

/** Two new rows as one pair of references, and the pairs that share one side with it. */
async function pairOf(leftTable: string, left: string, rightTable: string, right: string) {
  const idIn = async (table: string) => (await least.add(table))['id']
  const first = { [left]: await idIn(leftTable), [right]: await idIn(rightTable) }
  const others = [{ [left]: await idIn(leftTable) }, { [right]: await idIn(rightTable) }]
  return { first, others }
}

describe('prize_pack_types', () => {
  it('loses its rows with the prize, and only those', async () => {
    const [gone, kept] = [await least.add('prize_pack_types'), await least.add('prize_pack_types')]
    await deps.rows('DELETE FROM prizes WHERE id = $1', [gone['prize_id']])
    expect(await deps.rows('SELECT id FROM prize_pack_types')).toEqual([{ id: kept['id'] }])
  })

  it('loses its rows with the pack type, and only those', async () => {
    const [gone, kept] = [await least.add('prize_pack_types'), await least.add('prize_pack_types')]
    await deps.rows('DELETE FROM pack_types WHERE id = $1', [gone['pack_type_id']])
    expect(await deps.rows('SELECT id FROM prize_pack_types')).toEqual([{ id: kept['id'] }])
  })
})

describe('values of their own kind', () => {
  it('prizes.imageData holds base64 of any length whole', async () => {
    const base64 = Buffer.alloc(300_000, 'picture').toString('base64')
    expect(await typeOf('prizes', 'image_data')).toBe('text')
    await least.add('prizes', { image_hash: await deps.image(base64) })
    await least.add('prizes')
    expect(await deps.rows('SELECT p.image_data FROM prizes p ORDER BY id')).toEqual([
      { image_data: base64 },
      { image_data: null },
    ])
  })

  it('prizes.imageType has at most 50 characters, in requests and in the column', async () => {
    const [longest, tooLong] = ['image/'.padEnd(50, 'x'), 'image/'.padEnd(51, 'x')]
    const form = { name: 'Cap', description: 'A cap', packTypeIds: [1] }
    expect(CreatePrizeRequest.safeParse({ ...form, imageType: longest }).success).toBe(true)
    expect(CreatePrizeRequest.safeParse({ ...form, imageType: tooLong }).success).toBe(false)
    await least.add('prizes', { image_hash: await deps.image('QUJD') })
    await deps.rows('UPDATE images SET type = $1', [longest])
    expect(await deps.rows('SELECT p.image_type FROM prizes p')).toEqual([{ image_type: longest }])
    await expect(deps.rows('UPDATE images SET type = $1', [tooLong])).rejects.toMatchObject({
      code: '22001',
    })
  })

  it('prize_claims.contactInfo is json', async () => {
    const contact = { name: 'Ana', size: ['M', 'L'] }
    expect(await typeOf('prize_claims', 'contact_info')).toBe('jsonb')
    const row = await least.add('prize_claims', { contact_info: JSON.stringify(contact) })
    expect(row['contact_info']).toEqual(contact)
  })

  it('watch_completions.rewardsGiven is json', async () => {
    const rewards = [{ packTypeId: 1, packQuantity: 2, redCoinAmount: 0 }]
    expect(await typeOf('watch_completions', 'rewards_given')).toBe('jsonb')
    const row = await least.add('watch_completions', { rewards_given: JSON.stringify(rewards) })
    expect(row['rewards_given']).toEqual(rewards)
  })
})

describe('through the API', () => {
  // Requests run in transactions of their own.
  beforeEach(() => deps.db.script('ROLLBACK'))
  afterEach(() => emptyDatabase(deps.db))

  it('prizes.inventoryQuantity of null never runs out', async () => {
    const gold = await deps.packType('Gold')
    const cap = await deps.prize('Cap', { packTypeIds: [gold], winFrequency: 1, totalPacks: 1 })
    const ana = await deps.person('ana', { packs: { [gold]: 100 } })
    for (const _request of [1, 2]) {
      const answer = await ana.send('POST', '/api/packs/open', { packTypeId: gold, quantity: 50 })
      const { results } = answer.json<{ results: { prizeId: number | null }[] }>()
      expect(results.map(({ prizeId }) => prizeId)).toEqual(Array(50).fill(cap))
    }
    expect(await deps.rows('SELECT inventory_quantity FROM prizes')).toEqual([
      { inventory_quantity: null },
    ])
  })
})
