// Answers whose shape the specification does not show: each has the form and the fields of our wire
// table, and none is empty (docs/decisions-on-the-specification.md).

import { allEndpoints } from '@redpack/contract'
import { describe, expect, it } from 'vitest'
import { type Person, useTestDeps } from './deps.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })

type Form = 'list' | 'bare' | 'action'
/** The row, the call, the form of its answer, and fields that are never missing. */
type Row = readonly [
  wire: string,
  call: string,
  form: Form,
  fields: string,
  body?: (scene: Scene) => Promise<object> | object,
]

interface Scene {
  readonly boss: Person
  readonly ana: Person
  readonly gold: number
  readonly spare: number
  readonly prize: number
  readonly listing: number
  readonly stream: number
  readonly claim: number
  readonly discordServer: number
}

const packs = 'processedCount username newQuantity removedQuantity errors'
const redCoin = 'processedCount username newBalance errors'
const bulk = 'processedCount failedCount errors'
const user = 'id username displayName email avatar redCoinBalance role createdAt userPacks'
const claim = 'id claimId status contactInfo createdAt user prize prizeName username redCoinAmount'
const prize = `id name description claimInstructions winFrequency totalPacks redCoinAmount
  packTypeId packQuantity imageData imageType inventoryQuantity isActive packTypes packTypeIds`
const packType = 'id name description color icon imageUrl hasImage'
const listing = `id packTypeId redCoinPrice quantityAvailable isUnlimited isActive sortOrder packType`
const stream = `id displayName channelName twitchChannelName watchTimeRequired
  watchTimeRequiredSeconds isActive isLive rewards packRewards`
const theme = `primaryColor secondaryColor accentColor backgroundPrimary backgroundSecondary
  textPrimary textSecondary borderColor`
const server = 'id serverName serverId channelId channelName isActive'
const settings = 'rewardAmount isActive postSchedule isDefault'
const stats = 'totalUsers activeUsers totalPackOpenings recentOpenings serverHealth'

const newPrize = ({ gold }: Scene) => ({ name: 'Pin', packTypeIds: [gold] })
const newStream = () => ({
  displayName: 'C',
  channelName: 'cc',
  twitchChannelId: '77',
  watchTimeRequired: 30,
  completionMessage: 'Done',
})

const rows: readonly Row[] = [
  ['W-026', 'GET /api/admin/stats', 'bare', stats],
  ['W-027', 'POST /api/admin/reset-pack-openings', 'action', 'deletedCount'],
  ['W-028', 'GET /api/admin/prizes', 'list', prize],
  ['W-029', 'POST /api/admin/prizes', 'bare', prize, newPrize],
  ['W-030', 'PUT /api/admin/prizes/{prize}', 'bare', prize, () => ({ name: 'Other' })],
  ['W-032', 'POST /api/admin/prizes/{prize}/add-inventory', 'bare', prize, () => ({ quantity: 1 })],
  ['W-033', 'POST /api/admin/prizes/{prize}/set-inventory', 'bare', prize, () => ({ quantity: 2 })],
  ['W-031', 'DELETE /api/admin/prizes/{prize}', 'action', ''],
  ['W-034', 'GET /api/admin/pack-types', 'list', packType],
  ['W-035', 'POST /api/admin/pack-types', 'bare', packType, () => ({ name: 'Iron' })],
  ['W-036', 'PUT /api/admin/pack-types/{spare}', 'bare', packType, () => ({ name: 'Tin' })],
  ['W-037', 'DELETE /api/admin/pack-types/{spare}', 'action', ''],
  ['W-038', 'GET /api/admin/pack-types/{gold}/image', 'bare', 'imageUrl imageData imageType'],
  ['W-040', 'GET /api/admin/store/listings', 'list', listing],
  [
    'W-041',
    'POST /api/admin/store/listings',
    'bare',
    listing,
    ({ gold }) => ({ packTypeId: gold, redCoinPrice: 5, quantityAvailable: 3 }),
  ],
  [
    'W-042',
    'PUT /api/admin/store/listings/{listing}',
    'bare',
    listing,
    () => ({ isActive: false }),
  ],
  ['W-043', 'DELETE /api/admin/store/listings/{listing}', 'action', ''],
  ['W-044', 'GET /api/admin/users', 'list', user],
  ['W-044', 'GET /api/admin/users-with-packs', 'list', user],
  ['W-044', 'GET /api/test/admin-users', 'list', user],
  ['W-045', 'GET /api/admin/users/{ana}/prizes', 'list', 'id claimId status createdAt prize'],
  ['W-045', 'GET /api/test/admin-users/{ana}/prizes', 'list', 'id claimId status createdAt prize'],
  ['W-046', 'PUT /api/admin/users/{ana}/role', 'bare', user, () => ({ role: 'admin' })],
  ['W-046', 'PUT /api/test/admin-users/{ana}/role', 'bare', user, () => ({ role: 'user' })],
  ['W-047', 'GET /api/admin/prize-claims', 'list', claim],
  [
    'W-048',
    'GET /api/admin/prize-claims?status=all',
    'bare',
    'claims searchMode total totalPages page limit',
  ],
  [
    'W-049',
    'PATCH /api/admin/prize-claims/{claim}',
    'bare',
    claim,
    () => ({ status: 'processing' }),
  ],
  ['W-050', 'DELETE /api/admin/prize-claims/{claim}', 'action', ''],
  ['W-050', 'DELETE /api/test/admin-prize-claims/{claim}', 'action', ''],
  ['W-051', 'DELETE /api/admin/prize-claims', 'action', 'deletedCount'],
  [
    'W-052',
    'POST /api/admin/distribute-packs',
    'action',
    packs,
    ({ ana, gold }) => ({ userId: ana.id, packTypeId: gold, quantity: 1 }),
  ],
  [
    'W-053',
    'POST /api/admin/distribute-redcoin',
    'action',
    redCoin,
    () => ({ usernames: ['ana', 'nobody'], amount: 1 }),
  ],
  [
    'W-056',
    'POST /api/admin/remove-user-packs',
    'action',
    'removedQuantity username',
    ({ ana, gold }) => ({ userId: ana.id, packTypeId: gold, quantity: 1 }),
  ],
  [
    'W-057',
    'POST /api/admin/remove-user-redcoin',
    'action',
    'removedAmount newBalance username',
    ({ ana }) => ({ userId: ana.id, amount: 1 }),
  ],
  ['W-058', 'POST /api/admin/remove-all-redcoin', 'action', 'totalRemoved usersAffected'],
  ['W-059', 'POST /api/admin/remove-all-packs', 'action', 'totalRemoved usersAffected'],
  ['W-060', 'GET /api/admin/streams', 'list', stream],
  ['W-060', 'GET /api/admin/twitch/streams', 'list', stream],
  ['W-061', 'POST /api/admin/streams', 'bare', stream, newStream],
  ['W-062', 'PUT /api/admin/twitch/streams/{stream}', 'bare', stream, () => ({ isActive: false })],
  ['W-063', 'PUT /api/admin/streams/{stream}/toggle', 'bare', stream, () => ({ isActive: true })],
  ['W-065', 'GET /api/admin/twitch/streams/{stream}/rewards', 'list', ''],
  ['W-064', 'DELETE /api/admin/streams/{stream}', 'action', ''],
  ['W-070', 'GET /api/admin/discord/servers', 'list', server],
  ['W-072', 'DELETE /api/admin/discord/servers/{discordServer}', 'action', ''],
  ['W-073', 'GET /api/admin/discord/bot-settings', 'bare', settings],
  ['W-074', 'PUT /api/admin/discord/bot-settings', 'bare', settings, () => ({ rewardAmount: 5 })],
  [
    'W-076',
    'POST /api/admin/settings/theme',
    'bare',
    theme,
    async ({ boss }) => await boss.read('/api/admin/settings/theme'),
  ],
  ['W-077', 'GET /api/admin/settings/theme', 'bare', theme],
]

const csvRows: readonly Row[] = [
  ['W-054', 'POST /api/admin/bulk-distribute', 'action', bulk],
  ['W-054', 'POST /api/admin/bulk-distribute-packs', 'action', bulk],
  ['W-055', 'POST /api/admin/bulk-distribute-redcoin', 'action', bulk],
]

/** The other rows with the calls that answer them, which the tests of their features play. */
const elsewhere = `
  W-001 auth.me W-002 auth.logout W-003 auth.emergencyLogout W-004 auth.twitch
  W-004 auth.twitchCallback W-005 auth.local W-006 auth.discord W-006 auth.discordCallback
  W-007 auth.discordDisconnect W-008 packs.stats W-009 packs.openings W-010 packs.holdings
  W-011 packs.types W-012 packs.open W-013 claims.list W-014 store.listings W-015 store.purchase
  W-016 users.profile W-017 users.updateProfile W-018 users.updateWallet W-019 coins.leaderboard
  W-020 watch.streams W-021 watch.sessions W-022 watch.startSession W-023 watch.completions
  W-024 watch.heartbeat W-025 theme.theme W-039 adminPackTypes.upload W-066 adminStreams.setLive
  W-067 adminBots.credentials W-068 adminBots.saveCredentials W-069 adminBots.deleteCredentials
  W-071 adminBots.addServer W-075 adminBots.testClaim`

async function scene(): Promise<Scene> {
  const id = async (sql: string, values: unknown[] = []) =>
    await t.value<number>(`${sql} RETURNING id`, values)
  const gold = await t.packType('Gold')
  const spare = await t.packType('Spare')
  const boss = await t.person('boss', { role: 'admin', coins: 5 })
  const ana = await t.person('ana', { coins: 100, packs: { [gold]: 3 } })
  const prizeId = await t.prize('Mug', { packTypeIds: [gold], totalPacks: 1, stock: 5 })
  await ana.open(gold)
  const [won] = await t.rows<{ id: number }>('SELECT id FROM prize_claims')
  return {
    boss,
    ana,
    gold,
    spare,
    prize: prizeId,
    claim: won!.id,
    listing: await t.listing(gold),
    stream: await id(
      `INSERT INTO twitch_streams (twitch_channel_id, channel_name, display_name)
       VALUES ('9', 'c', 'C')`,
    ),
    discordServer: await id(
      `INSERT INTO discord_servers (server_id, server_name, channel_id, channel_name)
       VALUES ('1', 'S', '2', 'general')`,
    ),
  }
}

function pathOf(path: string, made: Scene): string {
  return path.replace(/\{(\w+)\}/g, (_, name: keyof Scene) => {
    const value = made[name]
    return String(typeof value === 'number' ? value : value.id)
  })
}

function expectForm(answer: unknown, form: Form, fields: string): void {
  const names = fields.split(/\s+/).filter((name) => name !== '')
  expect(Array.isArray(answer)).toBe(form === 'list')
  const objects = form === 'list' ? (answer as object[]) : [answer as object]
  if (names.length > 0) expect(objects.length).toBeGreaterThan(0)
  for (const object of objects) expect(Object.keys(object)).toEqual(expect.arrayContaining(names))
  if (form !== 'action') return
  expect(answer).toMatchObject({ success: true, message: expect.stringMatching(/\S/) })
}

const named = ([wire, call, form, fields, body]: Row) => ({ wire, call, form, fields, body })

describe('an answer of our wire table', () => {
  it('is looked at for every row but the rule for unknown paths, W-078', () => {
    const [calls, played] = [elsewhere.match(/\w+\.\w+/g), elsewhere.match(/W-\d+/g)]
    const wires = [...rows, ...csvRows].map(([wire]) => wire).concat(played ?? [])
    const all = Array.from({ length: 77 }, (_, index) => `W-${String(index + 1).padStart(3, '0')}`)
    expect([...new Set(wires)].toSorted()).toEqual(all)
    const names = allEndpoints.map(({ name }): string => name)
    expect(calls?.filter((name) => !names.includes(name))).toEqual([])
  })

  it.each(rows.map(named))('$wire: $call, $form', async ({ call, form, fields, body }) => {
    const made = await scene()
    const [method, path] = call.split(' ') as ['GET' | 'POST', string]
    const url = pathOf(path, made)
    const answer =
      method === 'GET'
        ? await made.boss.get(url)
        : await made.boss.send(method, url, await body?.(made))
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      200,
      'application/json; charset=utf-8',
    ])
    expectForm(answer.json(), form, fields)
  })

  it.each(csvRows.map(named))('$wire: $call, $form, of a file', async ({ call, form, fields }) => {
    const { boss, gold } = await scene()
    const file = ['username,quantity,amount', 'ana,1,1', 'nobody,1,1', ''].join('\n')
    const payload = [
      '--b\r\ncontent-disposition: form-data; name="packTypeId"\r\n\r\n',
      `${gold}\r\n--b\r\n`,
      'content-disposition: form-data; name="any"; filename="a.csv"\r\n',
      `content-type: text/csv\r\n\r\n${file}\r\n--b--\r\n`,
    ].join('')
    const answer = await t.visitor.send('POST', call.split(' ')[1]!, payload, {
      cookie: boss.cookie,
      'content-type': 'multipart/form-data; boundary=b',
    })
    expect([answer.statusCode, answer.json()]).toEqual([200, expect.anything()])
    expectForm(answer.json(), form, fields)
  })
})
