// What is done to one row stays with it: every act by id, with a row before it and one after it.

import type { AdminStream } from '@redpack/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Person, useTestDeps } from './deps.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })
const triple = ['one', 'two', 'three'] as const

/** The rows that belong to each thing, by the column that names it. */
const rowsOf = {
  users: { users: 'id', user_packs: 'user_id', staff_notes: 'user_id' },
  pack_types: { pack_types: 'id' },
  prizes: { prizes: 'id', prize_pack_types: 'prize_id', prize_codes: 'prize_id' },
  store_pack_listings: { store_pack_listings: 'id' },
  twitch_streams: { twitch_streams: 'id', stream_rewards: 'stream_id' },
  prize_claims: { prize_claims: 'id', shipments: 'id' },
  discord_servers: { discord_servers: 'id' },
  couriers: { couriers: 'id' },
  staff_notes: { staff_notes: 'id' },
} as const
type Kind = keyof typeof rowsOf

let boss: Person
let gold: number
let ids: Record<Kind, number[]>
beforeEach(async () => {
  boss = await t.person('boss', { role: 'super_user' })
  gold = await t.packType('Gold')
  const inTurn = async (make: (name: string, index: number) => Promise<number>) => {
    const made: number[] = []
    for (const [index, name] of triple.entries()) made.push(await make(name, index))
    return made
  }
  const people: Person[] = []
  for (const name of triple) people.push(await t.person(name, { coins: 50, packs: { [gold]: 5 } }))
  await t.prize('Mug', { packTypeIds: [gold], winFrequency: 1, totalPacks: 1 })
  for (const person of people) await person.open(gold)
  const twitch_streams = await inTurn(async (name, index) => {
    const stream = { displayName: name, channelName: name, watchTimeRequired: 60 }
    const packRewards = [{ packTypeId: gold, quantity: index + 1 }]
    const more = { twitchChannelId: `${4711 + index}`, completionMessage: 'Done', packRewards }
    const answer = await boss.send('POST', '/api/admin/twitch/streams', { ...stream, ...more })
    return answer.json().id
  })
  const packs = await inTurn((name) => t.packType(name))
  ids = {
    users: people.map(({ id }) => id),
    pack_types: packs,
    prizes: await inTurn((name, index) =>
      t.prize(name, { packTypeIds: [packs[index] ?? 0], stock: 4 }),
    ),
    store_pack_listings: await inTurn((_, index) => t.listing(packs[index] ?? 0, { stock: 4 })),
    twitch_streams,
    prize_claims: await t.column<number>('SELECT id FROM prize_claims ORDER BY id'),
    discord_servers: await inTurn((name, index) =>
      t.insert('discord_servers', {
        server_id: `91${index}`,
        server_name: name,
        channel_id: `92${index}`,
        channel_name: name,
      }),
    ),
    couriers: await inTurn((name) =>
      t.insert('couriers', { name, tracking_url_template: `https://${name}.test/{number}` }),
    ),
    staff_notes: await inTurn((name, index) =>
      t.insert('staff_notes', {
        user_id: people[index]?.id,
        author_id: boss.id,
        body: name,
        created_at: t.clock.now(),
      }),
    ),
  }
})

/** The rows of one thing, or of all others of its kind. */
async function rows(kind: Kind, id: number, which: '=' | '<>') {
  const tables: Record<string, string[]> = {}
  for (const [table, column] of Object.entries(rowsOf[kind])) {
    const sql = `SELECT to_jsonb(r)::text FROM ${table} r WHERE ${column} ${which} $1 ORDER BY 1`
    tables[table] = await t.column<string>(sql, [id])
  }
  return tables
}

const acts: readonly [string, Kind, 'POST' | 'PUT' | 'PATCH' | 'DELETE', string, object?][] = [
  ['a role', 'users', 'PUT', 'users/ID/role', { role: 'admin' }],
  ['an earning block', 'users', 'PUT', 'users/ID/earning-block', { isBlocked: true }],
  ['a note', 'users', 'POST', 'users/ID/notes', { body: 'Kind' }],
  ['a name to show', 'users', 'PUT', 'users/ID/shown-name', { name: 'Somebody', reason: 'rude' }],
  ['a suspension', 'users', 'PUT', 'users/ID/suspension', { until: null, reason: 'spam' }],
  ['RedCoin that is taken', 'users', 'POST', 'remove-user-redcoin', { userId: 'ID', amount: 1 }],
  [
    'packs that are taken',
    'users',
    'POST',
    'remove-user-packs',
    { userId: 'ID', packTypeId: 'GOLD', quantity: 1 },
  ],
  ['a removed note', 'staff_notes', 'DELETE', 'notes/ID'],
  ['a pack type', 'pack_types', 'PUT', 'pack-types/ID', { name: 'New' }],
  ['a prize', 'prizes', 'PUT', 'prizes/ID', { name: 'New', winFrequency: 7 }],
  ['a deleted prize', 'prizes', 'DELETE', 'prizes/ID'],
  ['added stock', 'prizes', 'POST', 'prizes/ID/add-inventory', { quantity: 3 }],
  ['a new stock', 'prizes', 'POST', 'prizes/ID/set-inventory', { quantity: 3 }],
  ['a listing', 'store_pack_listings', 'PUT', 'store/listings/ID', { redCoinPrice: 7 }],
  ['a deleted listing', 'store_pack_listings', 'DELETE', 'store/listings/ID'],
  [
    'a stream and its rewards',
    'twitch_streams',
    'PUT',
    'twitch/streams/ID',
    { displayName: 'New', packRewards: [] },
  ],
  [
    'a stream that is switched off',
    'twitch_streams',
    'PUT',
    'twitch/streams/ID/toggle',
    { isActive: false },
  ],
  ['a stream that is live', 'twitch_streams', 'POST', 'twitch/streams/ID/live', { isLive: true }],
  ['a deleted stream', 'twitch_streams', 'DELETE', 'twitch/streams/ID'],
  ['a claim in processing', 'prize_claims', 'PATCH', 'prize-claims/ID', { status: 'processing' }],
  ['a completed claim', 'prize_claims', 'PATCH', 'prize-claims/ID', { status: 'completed' }],
  ['a deleted claim', 'prize_claims', 'DELETE', 'prize-claims/ID'],
  ['a removed Discord server', 'discord_servers', 'DELETE', 'discord/servers/ID'],
  ['a removed courier', 'couriers', 'DELETE', 'couriers/ID'],
]

describe('what staff do to one of several', () => {
  it.each(acts)('leaves the others as they were: %s', async (_, kind, method, path, body) => {
    const id = ids[kind][1] ?? 0
    const filled = (text: string) => text.replace(/"ID"|ID/, `${id}`).replace('"GOLD"', `${gold}`)
    const [own, others] = [await rows(kind, id, '='), await rows(kind, id, '<>')]
    const sent = body && JSON.parse(filled(JSON.stringify(body)))
    const answer = await boss.send(method, `/api/admin/${filled(path)}`, sent)
    expect(answer.statusCode, answer.body).toBe(200)
    expect(await rows(kind, id, '=')).not.toEqual(own)
    expect(await rows(kind, id, '<>')).toEqual(others)
  })

  it('shows each stream with its own rewards', async () => {
    for (const path of ['/api/admin/twitch/streams', '/api/twitch/active-streams']) {
      const shown = await boss.read<Pick<AdminStream, 'rewards'>[]>(path)
      const quantities = shown
        .flatMap(({ rewards }) => rewards)
        .map((reward) => reward.packQuantity)
      expect(quantities.toSorted(), path).toEqual([1, 2, 3])
    }
  })
})
