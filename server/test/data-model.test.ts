// The stored data model, row by row, against a migrated database: names, types, defaults, unique
// rules.

import { CreatePrizeRequest } from '@redpack/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { shownClaimId } from '../src/rules/claim-id.ts'
import { LeastRows, type Values } from './least-rows.ts'
import { embeddedTestDatabase } from './test-database.ts'
import { createTestWorld, emptyDatabase, type TestWorld } from './world.ts'

let world: TestWorld
const least = new LeastRows((sql, values) => world.rows(sql, values))

/** `users.twitchId` of the specification is the column `twitch_id` of the table `users`. */
function columnOf(field: string): { table: string; column: string } {
  const [table = '', name = ''] = (field.split(' ')[0] ?? '').split('.')
  return { table, column: name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) }
}

async function typeOf(table: string, column: string): Promise<string | undefined> {
  const rows = await world.rows<{ data_type: string }>(
    `SELECT data_type FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = $1 AND column_name = $2`,
    [table, column],
  )
  return rows[0]?.data_type
}

beforeAll(async () => {
  world = await createTestWorld(await embeddedTestDatabase())
}, 60_000)
afterAll(() => world.close())

// Every test leaves the database as it found it.
beforeEach(() => world.db.script('BEGIN'))
afterEach(() => world.db.script('ROLLBACK'))

const fields = [
  ['users.username [D-003]', 'text'],
  ['users.displayName [D-004]', 'text'],
  ['users.email [D-005]', 'text'],
  ['users.avatar [D-006]', 'text'],
  ['users.bio [D-007]', 'text'],
  ['users.country [D-008]', 'text'],
  ['users.timezone [D-009]', 'text'],
  ['users.totalRedCoinWon [D-013]', 'bigint'],
  ['users.solanaWallet [D-014]', 'text'],
  ['users.discordUsername [D-016]', 'text'],
  ['users.discordAvatar [D-017]', 'text'],
  ['users.createdAt [D-018]', 'timestamp with time zone'],
  ['pack_types.name [D-021]', 'text'],
  ['pack_types.description [D-022]', 'text'],
  ['pack_types.color [D-023]', 'text'],
  ['pack_types.icon [D-024]', 'text'],
  ['pack_types.imageUrl [D-025]', 'text'],
  ['pack_types.imageData [D-026]', 'text'],
  ['pack_types.imageType [D-027]', 'character varying'],
  ['pack_types.createdAt [D-028]', 'timestamp with time zone'],
  ['user_packs.userId [D-030]', 'integer'],
  ['user_packs.packTypeId [D-031]', 'integer'],
  ['user_packs.updatedAt [D-033]', 'timestamp with time zone'],
  ['prizes.name [D-036]', 'text'],
  ['prizes.description [D-037]', 'text'],
  ['prizes.claimInstructions [D-038]', 'text'],
  ['prizes.packTypeId [D-042]', 'integer'],
  ['prizes.createdAt [D-048]', 'timestamp with time zone'],
  ['prize_pack_types.prizeId [D-049]', 'integer'],
  ['prize_pack_types.packTypeId [D-050]', 'integer'],
  ['red_coin_transactions.userId [D-055]', 'integer'],
  ['red_coin_transactions.amount [D-056]', 'bigint'],
  ['red_coin_transactions.type [D-057]', 'text'],
  ['red_coin_transactions.description [D-058]', 'text'],
  ['red_coin_transactions.prizeId [D-059]', 'integer'],
  ['red_coin_transactions.packOpeningId [D-060]', 'bigint'],
  ['red_coin_transactions.createdAt [D-061]', 'timestamp with time zone'],
  ['prize_claims.userId [D-063]', 'integer'],
  ['prize_claims.prizeId [D-064]', 'integer'],
  ['prize_claims.createdAt [D-068]', 'timestamp with time zone'],
  ['prize_claims.updatedAt [D-069]', 'timestamp with time zone'],
  ['pack_openings.userId [D-072]', 'integer'],
  ['pack_openings.packTypeId [D-073]', 'integer'],
  ['pack_openings.prizeId [D-074]', 'integer'],
  ['pack_openings.createdAt [D-075]', 'timestamp with time zone'],
  ['store_pack_listings.packTypeId [D-077]', 'integer'],
  ['store_pack_listings.redCoinPrice [D-078]', 'bigint'],
  ['store_pack_listings.customImage [D-079]', 'text'],
  ['store_pack_listings.createdAt [D-084]', 'timestamp with time zone'],
  ['store_pack_listings.updatedAt [D-085]', 'timestamp with time zone'],
  ['store_purchases.userId [D-086]', 'integer'],
  ['store_purchases.storePackListingId [D-087]', 'integer'],
  ['store_purchases.quantity [D-088]', 'integer'],
  ['store_purchases.redCoinCost [D-089]', 'bigint'],
  ['store_purchases.createdAt [D-090]', 'timestamp with time zone'],
  ['app_settings.value [D-092]', 'jsonb'],
  ['discord_servers.serverName [D-095]', 'text'],
  ['discord_servers.channelId [D-096]', 'text'],
  ['discord_servers.channelName [D-097]', 'text'],
  ['discord_servers.isActive [D-098]', 'boolean'],
  ['discord_bot_settings.isActive [D-100]', 'boolean'],
  ['discord_bot_settings.lastPostTimes [D-102]', 'jsonb'],
  ['discord_messages.channelId [D-104]', 'text'],
  ['discord_messages.serverId [D-105]', 'text'],
  ['discord_messages.postedAt [D-106]', 'timestamp with time zone'],
  ['discord_messages.expiresAt [D-107]', 'timestamp with time zone'],
  ['discord_messages.rewardAmount [D-108]', 'bigint'],
  ['discord_messages.isActive [D-109]', 'boolean'],
  ['discord_reward_claims.userId [D-110]', 'integer'],
  ['discord_reward_claims.discordServerId [D-111]', 'text'],
  ['discord_reward_claims.messageId [D-112]', 'text'],
  ['discord_reward_claims.redCoinAmount [D-113]', 'bigint'],
  ['discord_reward_claims.claimedAt [D-114]', 'timestamp with time zone'],
  ['twitch_bot_credentials.botUsername [D-115]', 'text'],
  ['twitch_bot_credentials.botUserId [D-116]', 'text'],
  ['twitch_bot_credentials.accessToken [D-117]', 'text'],
  ['twitch_bot_credentials.refreshToken [D-118]', 'text'],
  ['twitch_bot_credentials.clientId [D-119]', 'text'],
  ['twitch_bot_credentials.expiresAt [D-120]', 'timestamp with time zone'],
  ['twitch_bot_credentials.isActive [D-122]', 'boolean'],
  ['twitch_streams.channelName [D-124]', 'text'],
  ['twitch_streams.displayName [D-125]', 'text'],
  ['twitch_streams.channelUrl [D-126]', 'text'],
  ['twitch_streams.isActive [D-127]', 'boolean'],
  ['twitch_streams.scheduledStartTime [D-131]', 'timestamp with time zone'],
  ['twitch_streams.scheduledEndTime [D-132]', 'timestamp with time zone'],
  ['twitch_streams.autoScheduleEnabled [D-133]', 'boolean'],
  ['twitch_streams.rewardPackTypeId [D-134]', 'integer'],
  ['twitch_streams.isLive [D-137]', 'boolean'],
  ['twitch_streams.currentStreamId [D-138]', 'text'],
  ['twitch_streams.streamStartedAt [D-139]', 'timestamp with time zone'],
  ['twitch_streams.streamEndedAt [D-140]', 'timestamp with time zone'],
  ['stream_rewards.streamId [D-141]', 'integer'],
  ['stream_rewards.packTypeId [D-142]', 'integer'],
  ['viewer_sessions.userId [D-145]', 'integer'],
  ['viewer_sessions.streamId [D-146]', 'integer'],
  ['viewer_sessions.streamSessionId [D-147]', 'text'],
  ['viewer_sessions.lastActiveAt [D-149]', 'timestamp with time zone'],
  ['viewer_sessions.isCompleted [D-150]', 'boolean'],
  ['viewer_sessions.completedAt [D-151]', 'timestamp with time zone'],
  ['watch_completions.userId [D-153]', 'integer'],
  ['watch_completions.streamId [D-154]', 'integer'],
  ['watch_completions.streamSessionId [D-155]', 'text'],
  ['watch_completions.watchTimeCompleted [D-156]', 'integer'],
  ['watch_completions.completedAt [D-158]', 'timestamp with time zone'],
] as const

describe('fields', () => {
  it.each(fields)('%s exists as %s', async (field, type) => {
    const { table, column } = columnOf(field)
    expect(await typeOf(table, column)).toBe(type)
  })

  it('app_settings has both timestamps, set on insert [D-093]', async () => {
    expect(await typeOf('app_settings', 'created_at')).toBe('timestamp with time zone')
    expect(await typeOf('app_settings', 'updated_at')).toBe('timestamp with time zone')
    const row = await least.add('app_settings')
    expect(row['created_at']).toBeInstanceOf(Date)
    expect(row['updated_at']).toBeInstanceOf(Date)
  })
})

const keys = [
  ['users.id [D-001]'],
  ['pack_types.id [D-020]'],
  ['user_packs.id [D-029]'],
  ['prizes.id [D-035]'],
  ['red_coin_transactions.id [D-054]'],
  ['prize_claims.id [D-062]'],
  ['pack_openings.id [D-071]'],
  ['store_pack_listings.id [D-076]'],
] as const

describe('primary keys', () => {
  it.each(keys)('%s is a whole number that the database counts', async (field) => {
    const { table } = columnOf(field)
    const columns = await world.rows<{ attname: string }>(
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
  ['users.notifications [D-010]', 'jsonb', { email: true, prizes: true }],
  ['users.role [D-011]', 'text', 'user'],
  ['users.redCoinBalance [D-012]', 'bigint', 0],
  ['user_packs.quantity [D-032]', 'integer', 0],
  ['prizes.winFrequency [D-039]', 'integer', 1],
  ['prizes.totalPacks [D-040]', 'integer', 100],
  ['prizes.redCoinAmount [D-041]', 'bigint', 0],
  ['prizes.packQuantity [D-043]', 'integer', 0],
  ['prizes.isActive [D-047]', 'boolean', true],
  ['prize_claims.status [D-066]', 'text', 'pending'],
  ['store_pack_listings.quantityAvailable [D-080]', 'integer', 0],
  ['store_pack_listings.isUnlimited [D-081]', 'boolean', false],
  ['store_pack_listings.isActive [D-082]', 'boolean', true],
  ['store_pack_listings.sortOrder [D-083]', 'integer', 0],
  ['discord_bot_settings.rewardAmount [D-099]', 'bigint', 25],
  ['discord_bot_settings.postSchedule [D-101]', 'jsonb', [6, 12, 18, 24]],
  ['twitch_bot_credentials.scopes [D-121]', 'text', 'moderator:read:chatters'],
  ['twitch_streams.watchTimeRequired [D-128]', 'integer', 7200],
  [
    'twitch_streams.completionMessage [D-129]',
    'text',
    "Congratulations {username}! You've earned a pack for watching!",
  ],
  ['twitch_streams.enableChatMessage [D-130]', 'boolean', true],
  ['twitch_streams.rewardPackQuantity [D-135]', 'integer', 1],
  ['twitch_streams.rewardRedCoinAmount [D-136]', 'bigint', 0],
  ['stream_rewards.packQuantity [D-143]', 'integer', 1],
  ['stream_rewards.redCoinAmount [D-144]', 'bigint', 0],
  ['viewer_sessions.totalWatchTime [D-148]', 'integer', 0],
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
  ['users.twitchId [D-002]', 'one', 'two'],
  ['users.discordId [D-015]', 'one', 'two'],
  ['prize_claims.claimId [D-065]', 'PR-AAAAAAAA', 'PR-BBBBBBBB'],
  ['app_settings.key [D-091]', 'theme', 'other'],
  ['discord_servers.serverId [D-094]', '1', '2'],
  ['discord_messages.messageId [D-103]', '1', '2'],
  ['twitch_streams.twitchChannelId [D-123]', '1', '2'],
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

  it('users: several rows may have no twitchId and no discordId [D-019]', async () => {
    await least.add('users', { twitch_id: null, discord_id: null })
    const second = await least.add('users', { twitch_id: null, discord_id: null })
    expect([second['twitch_id'], second['discord_id']]).toEqual([null, null])
  })

  it('user_packs: one holding per user and pack type [D-034]', async () => {
    const pair = await pairOf('users', 'user_id', 'pack_types', 'pack_type_id')
    await expectUnique('user_packs', pair.first, pair.others)
  })

  it('prize_pack_types: a pair of prize and pack type stands once [D-051]', async () => {
    const pair = await pairOf('prizes', 'prize_id', 'pack_types', 'pack_type_id')
    await expectUnique('prize_pack_types', pair.first, pair.others)
  })

  it('viewer_sessions: one per user, stream and session [D-152]', async () => {
    const pair = await pairOf('users', 'user_id', 'twitch_streams', 'stream_id')
    await expectUnique('viewer_sessions', { ...pair.first, stream_session_id: 'a' }, [
      ...pair.others,
      { stream_session_id: 'b' },
    ])
  })

  it('watch_completions: one per user, stream and session [D-159]', async () => {
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
  it('loses its rows with the prize, and only those [D-052]', async () => {
    const [gone, kept] = [await least.add('prize_pack_types'), await least.add('prize_pack_types')]
    await world.rows('DELETE FROM prizes WHERE id = $1', [gone['prize_id']])
    expect(await world.rows('SELECT id FROM prize_pack_types')).toEqual([{ id: kept['id'] }])
  })

  it('loses its rows with the pack type, and only those [D-053]', async () => {
    const [gone, kept] = [await least.add('prize_pack_types'), await least.add('prize_pack_types')]
    await world.rows('DELETE FROM pack_types WHERE id = $1', [gone['pack_type_id']])
    expect(await world.rows('SELECT id FROM prize_pack_types')).toEqual([{ id: kept['id'] }])
  })
})

describe('values of their own kind', () => {
  it('prizes.imageData holds base64 of any length whole [D-044]', async () => {
    const base64 = Buffer.alloc(300_000, 'picture').toString('base64')
    expect(await typeOf('prizes', 'image_data')).toBe('text')
    expect((await least.add('prizes', { image_data: base64 }))['image_data']).toBe(base64)
    expect((await least.add('prizes'))['image_data']).toBeNull()
  })

  it('prizes.imageType has at most 50 characters, in requests and in the column [D-045]', async () => {
    const [longest, tooLong] = ['x'.repeat(50), 'x'.repeat(51)]
    const form = { name: 'Cap', description: 'A cap', packTypeIds: [1] }
    expect(CreatePrizeRequest.safeParse({ ...form, imageType: longest }).success).toBe(true)
    expect(CreatePrizeRequest.safeParse({ ...form, imageType: tooLong }).success).toBe(false)
    expect((await least.add('prizes', { image_type: longest }))['image_type']).toBe(longest)
    await expect(least.add('prizes', { image_type: tooLong })).rejects.toMatchObject({
      code: '22001',
    })
  })

  it('prize_claims.contactInfo is json [D-067]', async () => {
    const contact = { name: 'Ana', size: ['M', 'L'] }
    expect(await typeOf('prize_claims', 'contact_info')).toBe('jsonb')
    const row = await least.add('prize_claims', { contact_info: JSON.stringify(contact) })
    expect(row['contact_info']).toEqual(contact)
  })

  it('watch_completions.rewardsGiven is json [D-157]', async () => {
    const rewards = [{ packTypeId: 1, packQuantity: 2, redCoinAmount: 0 }]
    expect(await typeOf('watch_completions', 'rewards_given')).toBe('jsonb')
    const row = await least.add('watch_completions', { rewards_given: JSON.stringify(rewards) })
    expect(row['rewards_given']).toEqual(rewards)
  })
})

describe('through the API', () => {
  // Requests run in transactions of their own.
  beforeEach(() => world.db.script('ROLLBACK'))
  afterEach(() => emptyDatabase(world.db))

  it('prizes.inventoryQuantity of null never runs out [D-046]', async () => {
    const gold = await world.packType('Gold')
    const cap = await world.prize('Cap', { packTypeIds: [gold], winFrequency: 1, totalPacks: 1 })
    const ana = await world.person('ana', { packs: { [gold]: 100 } })
    for (const _request of [1, 2]) {
      const answer = await ana.send('POST', '/api/packs/open', { packTypeId: gold, quantity: 50 })
      const { results } = answer.json<{ results: { prizeId: number | null }[] }>()
      expect(results.map(({ prizeId }) => prizeId)).toEqual(Array(50).fill(cap))
    }
    expect(await world.rows('SELECT inventory_quantity FROM prizes')).toEqual([
      { inventory_quantity: null },
    ])
  })

  it('prize_claims: a claim without claimId is shown as PR-{id} [D-070]', async () => {
    expect(shownClaimId(null, 12)).toBe('PR-12')
    expect(shownClaimId('PR-ABCDEFGH', 12)).toBe('PR-ABCDEFGH')
    const ana = await world.person('ana')
    await least.add('prize_claims', { id: 12, user_id: ana.id, claim_id: null })
    const answer = await ana.get('/api/user/prize-claims/paginated')
    expect(answer.json().claims).toMatchObject([{ id: 12, claimId: 'PR-12' }])
  })
})
