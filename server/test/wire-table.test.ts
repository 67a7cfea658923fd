// Answers whose shape the specification does not show: each has the form and the fields of our wire
// table, as its schema in the contract says (docs/decisions-on-the-specification.md). That what is
// served fits these schemas, other tests ask of every call.

import { addressesOf, allEndpoints } from '@redpack/contract'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'

type Form = 'list' | 'bare' | 'action'
/** The row, the call, the form of its answer, and fields that are never missing. */
type Row = readonly [wire: string, call: string, form: Form, fields: string]

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

const rows: readonly Row[] = [
  ['W-026', 'GET /api/admin/stats', 'bare', stats],
  ['W-027', 'POST /api/admin/reset-pack-openings', 'action', 'deletedCount'],
  ['W-028', 'GET /api/admin/prizes', 'list', prize],
  ['W-029', 'POST /api/admin/prizes', 'bare', prize],
  ['W-030', 'PUT /api/admin/prizes/{id}', 'bare', prize],
  ['W-032', 'POST /api/admin/prizes/{id}/add-inventory', 'bare', prize],
  ['W-033', 'POST /api/admin/prizes/{id}/set-inventory', 'bare', prize],
  ['W-031', 'DELETE /api/admin/prizes/{id}', 'action', ''],
  ['W-034', 'GET /api/admin/pack-types', 'list', packType],
  ['W-035', 'POST /api/admin/pack-types', 'bare', packType],
  ['W-036', 'PUT /api/admin/pack-types/{id}', 'bare', packType],
  ['W-037', 'DELETE /api/admin/pack-types/{id}', 'action', ''],
  ['W-038', 'GET /api/admin/pack-types/{id}/image', 'bare', 'imageUrl imageData imageType'],
  ['W-040', 'GET /api/admin/store/listings', 'list', listing],
  ['W-041', 'POST /api/admin/store/listings', 'bare', listing],
  ['W-042', 'PUT /api/admin/store/listings/{id}', 'bare', listing],
  ['W-043', 'DELETE /api/admin/store/listings/{id}', 'action', ''],
  ['W-044', 'GET /api/admin/users', 'list', user],
  ['W-044', 'GET /api/admin/users-with-packs', 'list', user],
  ['W-044', 'GET /api/test/admin-users', 'list', user],
  ['W-045', 'GET /api/admin/users/{id}/prizes', 'list', 'id claimId status createdAt prize'],
  ['W-045', 'GET /api/test/admin-users/{id}/prizes', 'list', 'id claimId status createdAt prize'],
  ['W-046', 'PUT /api/admin/users/{id}/role', 'bare', user],
  ['W-046', 'PUT /api/test/admin-users/{id}/role', 'bare', user],
  ['W-047', 'GET /api/admin/prize-claims', 'list', claim],
  ['W-048', 'GET /api/admin/prize-claims', 'bare', 'claims searchMode total totalPages page limit'],
  ['W-049', 'PATCH /api/admin/prize-claims/{id}', 'bare', claim],
  ['W-050', 'DELETE /api/admin/prize-claims/{id}', 'action', ''],
  ['W-050', 'DELETE /api/test/admin-prize-claims/{id}', 'action', ''],
  ['W-051', 'DELETE /api/admin/prize-claims', 'action', 'deletedCount'],
  ['W-052', 'POST /api/admin/distribute-packs', 'action', packs],
  ['W-053', 'POST /api/admin/distribute-redcoin', 'action', redCoin],
  ['W-056', 'POST /api/admin/remove-user-packs', 'action', 'removedQuantity username'],
  ['W-057', 'POST /api/admin/remove-user-redcoin', 'action', 'removedAmount newBalance username'],
  ['W-058', 'POST /api/admin/remove-all-redcoin', 'action', 'totalRemoved usersAffected'],
  ['W-059', 'POST /api/admin/remove-all-packs', 'action', 'totalRemoved usersAffected'],
  ['W-060', 'GET /api/admin/streams', 'list', stream],
  ['W-060', 'GET /api/admin/twitch/streams', 'list', stream],
  ['W-061', 'POST /api/admin/streams', 'bare', stream],
  ['W-062', 'PUT /api/admin/twitch/streams/{id}', 'bare', stream],
  ['W-063', 'PUT /api/admin/streams/{id}/toggle', 'bare', stream],
  ['W-065', 'GET /api/admin/twitch/streams/{id}/rewards', 'list', ''],
  ['W-064', 'DELETE /api/admin/streams/{id}', 'action', ''],
  ['W-070', 'GET /api/admin/discord/servers', 'list', server],
  ['W-072', 'DELETE /api/admin/discord/servers/{id}', 'action', ''],
  ['W-073', 'GET /api/admin/discord/bot-settings', 'bare', settings],
  ['W-074', 'PUT /api/admin/discord/bot-settings', 'bare', settings],
  ['W-076', 'POST /api/admin/settings/theme', 'bare', theme],
  ['W-077', 'GET /api/admin/settings/theme', 'bare', theme],
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

interface Schema {
  readonly type?: string
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, { readonly const?: unknown }>>
}

/** What a call answers; some answer one of several shapes. */
function answersOf(call: string): readonly Schema[] {
  const endpoint = allEndpoints.find((one) =>
    addressesOf(one).some(({ method, path }) => `${method} ${path}` === call),
  )
  const schema = z.toJSONSchema(endpoint?.response as z.ZodMiniType, { unrepresentable: 'any' })
  const { anyOf = [schema as Schema] } = schema as Schema
  return anyOf
}

describe('an answer of our wire table', () => {
  it('is looked at for every row but the rule for unknown paths, W-078', () => {
    const [calls, played] = [elsewhere.match(/\w+\.\w+/g), elsewhere.match(/W-\d+/g)]
    const wires = rows.map(([wire]) => wire).concat(played ?? [])
    const all = Array.from({ length: 77 }, (_, index) => `W-${String(index + 1).padStart(3, '0')}`)
    expect([...new Set(wires)].toSorted()).toEqual(all)
    const names = allEndpoints.map(({ name }): string => name)
    expect(calls?.filter((name) => !names.includes(name))).toEqual([])
  })

  it.each(rows)('%s: %s, %s', (_wire, call, form, fields) => {
    const ofForm = answersOf(call).filter(({ type }) => (type === 'array') === (form === 'list'))
    expect(ofForm).toHaveLength(1)
    const { required, properties } = ofForm[0]?.items ?? ofForm[0] ?? {}
    const names = fields.split(/\s+/).filter((name) => name !== '')
    const ofAction = form === 'action' ? ['success', 'message'] : []
    expect(required).toEqual(expect.arrayContaining([...ofAction, ...names]))
    if (form === 'action') expect(properties?.['success']?.const).toBe(true)
  })
})
