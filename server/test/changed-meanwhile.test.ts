// Two members of staff edit one record: whoever saves second is told, in every form of the panel.

import { beforeEach, describe, expect, it } from 'vitest'
import { type Person, useTestDeps } from './deps.ts'

const t = useTestDeps()
let boss: Person
let gold: number
beforeEach(async () => {
  boss = await t.person('boss', { role: 'admin' })
  gold = await t.packType('Gold')
})

interface Case {
  /** Makes the record. Answers where it is changed. */
  readonly make: () => Promise<string>
  /** The field, what it holds first, what the other one saves, and what the second one sends. */
  readonly field: string
  readonly values: readonly [seen: unknown, theirs: unknown, mine: unknown]
  /** What must be sent beside, and how the refusal calls the field, where they differ. */
  readonly beside?: Record<string, unknown>
  readonly named?: string
  readonly current?: unknown
  readonly method?: 'POST'
}

const made = async (path: string, body: object) => {
  const answer = await boss.send('POST', path, body)
  expect(answer.statusCode, answer.body).toBe(200)
  return `${path}/${answer.json<{ id: number }>().id}`
}
const prize = () => made('/api/admin/prizes', { name: 'Mug', packTypeIds: [gold], totalPacks: 9 })
const listing = () =>
  made('/api/admin/store/listings', { packTypeId: gold, redCoinPrice: 5, quantityAvailable: 9 })
const stream = () =>
  made('/api/admin/twitch/streams', {
    displayName: 'Ana',
    channelName: 'ana',
    twitchChannelId: '4711',
    completionMessage: 'Done',
    scheduledStartTime: '2030-01-01T08:00:00Z',
    scheduledEndTime: '2030-01-01T10:00:00Z',
    rewards: [{ redCoinAmount: 5 }],
  })
const at = (path: string) => async () => path
const coins = (redCoinAmount: number) => [{ redCoinAmount }]
const stored = (redCoinAmount: number) => ({ packTypeId: null, packQuantity: 1, redCoinAmount })
const theme = {
  primaryColor: '#111111',
  secondaryColor: '#222222',
  accentColor: '#333333',
  backgroundPrimary: '#444444',
  backgroundSecondary: '#555555',
  textPrimary: '#666666',
  textSecondary: '#777777',
  borderColor: '#888888',
}
const oldTheme = async () => {
  await boss.send('POST', '/api/admin/settings/theme', theme)
  return '/api/admin/settings/theme'
}
const [ten, noon, late] = ['2030-01-01T10:00:00Z', '2030-01-01T12:00:00Z', '2030-01-01T20:00:00Z']

const cases: Record<string, Case> = {
  'the name of a pack type': {
    make: async () => `/api/admin/pack-types/${gold}`,
    field: 'name',
    values: ['Gold', 'Silver', 'Bronze'],
  },
  'the chance of a prize': { make: prize, field: 'totalPacks', values: [9, 10, 11] },
  'the stock of a prize': {
    make: async () => `${await prize()}/set-inventory`,
    field: 'quantity',
    values: [null, 6, 12],
    method: 'POST',
  },
  'the price of a listing': { make: listing, field: 'redCoinPrice', values: [5, 6, 7] },
  'the stock of a listing': { make: listing, field: 'quantityAvailable', values: [9, 8, 20] },
  'the start of a stream': {
    make: stream,
    field: 'scheduledStartTime',
    // As they are shown, as somebody typed them, in another zone.
    values: ['2030-01-01T08:00:00Z', '2030-01-01T04:00', '2030-01-01T10:30:00+01:00'],
    current: '2030-01-01T09:00:00.000Z',
  },
  'the end of a stream': {
    make: stream,
    field: 'scheduledEndTime',
    values: [ten, noon, late],
    current: '2030-01-01T12:00:00.000Z',
  },
  'the rewards of a stream': {
    make: stream,
    field: 'rewards',
    values: [coins(5), coins(6), coins(7)],
    current: [stored(6)],
  },
  'the watch time of a stream': {
    make: stream,
    field: 'watchTimeRequired',
    values: [120, 60, 30],
    named: 'watchSecondsRequired',
    current: 3_600,
  },
  'the consolation': {
    make: at('/api/admin/settings/economy'),
    field: 'consolationRedCoin',
    values: [0, 6, 7],
  },
  'the sentence of a kind of news': {
    make: at('/api/admin/outbox/kinds/granted'),
    field: 'sentence',
    values: [null, 'Enjoy it!', 'Hello'],
  },
  'the role of a user': {
    make: async () => `/api/admin/users/${(await t.person('ben')).id}/role`,
    field: 'role',
    values: ['user', 'admin', 'super_user'],
  },
  'the hours of the Discord bot': {
    make: at('/api/admin/discord/bot-settings'),
    field: 'postSchedule',
    values: [[], [6], [12]],
  },
  'a color of the theme': {
    make: oldTheme,
    field: 'accentColor',
    values: ['#333333', '#abcdef', '#fedcba'],
    beside: theme,
    method: 'POST',
  },
}

describe.each(Object.entries(cases))('%s', (_name, { make, field, values, ...rest }) => {
  const { beside = {}, method = 'PUT', named = field, current = values[1] } = rest
  const [first, theirs, mine] = values

  it('is not undone unseen: the second one reads both values, and may then insist', async () => {
    const path = await make()
    const before = await boss.get(path)
    const seen = before.statusCode === 200 ? (before.json()[field] ?? first) : first
    const send = (value: unknown, expected?: unknown) => {
      const body = { ...beside, [field]: value, ...(expected !== undefined && { expected }) }
      return boss.send(method, path, body)
    }
    const saved = await send(theirs, { [field]: seen })
    expect(saved.statusCode, saved.body).toBe(200)
    const refused = await send(mine, { [field]: seen })
    expect(refused.statusCode, refused.body).toBe(409)
    expect(refused.json()).toMatchObject({
      code: 'changed_meanwhile',
      message: 'Somebody else has changed this meanwhile',
      errors: [{ path: named, current }],
    })
    expect((await send(theirs, { [field]: seen })).statusCode, 'the same again').toBe(200)
    expect((await send(mine, { [field]: theirs })).statusCode, 'once it was seen').toBe(200)
    expect((await send(theirs)).statusCode, 'the last one wins without a word').toBe(200)
  })
})

it('lets two who change different fields of one record both save', async () => {
  const path = await prize()
  const one = { name: 'Cup', expected: { name: 'Mug' } }
  const other = { totalPacks: 12, expected: { totalPacks: 9, name: 'Mug' } }
  expect((await boss.send('PUT', path, one)).statusCode).toBe(200)
  const answer = await boss.send('PUT', path, other)
  expect(answer.json()).toMatchObject({ name: 'Cup', totalPacks: 12 })
})
