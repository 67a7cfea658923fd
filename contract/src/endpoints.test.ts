// The list of endpoints as a whole: nothing twice, nothing forgotten, nothing unguarded.

import { describe, expect, it } from 'vitest'
import {
  addressesOf,
  adminClaimsContract,
  allEndpoints,
  type EndpointShape,
  storeContract,
} from './index.ts'

const places = allEndpoints.flatMap((endpoint) =>
  addressesOf(endpoint).map(({ method, path }) => ({ method, path, endpoint })),
)

describe('all endpoints', () => {
  it('share no method and path', () => {
    // A parameter's name does not part two routes.
    const keys = places.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`)
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
  })

  it('have names of their own', () => {
    const names = allEndpoints.map((endpoint) => endpoint.name)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toContain('packs.open')
  })

  it.each([
    ['GET /api/user/inventory', 'packs.holdings'],
    ['GET /api/pack-types', 'packs.types'],
    ['POST /api/auth/emergency-logout', 'auth.emergencyLogout'],
    ['GET /api/admin/users', 'adminUsers.list'],
    ['GET /api/test/admin-users', 'adminUsers.list'],
    ['GET /api/test/admin-users/{id}/prizes', 'adminUsers.prizes'],
    ['PUT /api/test/admin-users/{id}/role', 'adminUsers.changeRole'],
    ['DELETE /api/test/admin-prize-claims/{id}', 'adminClaims.remove'],
    ['POST /api/admin/bulk-distribute', 'adminGrants.bulkPacks'],
    ['GET /api/admin/streams', 'adminStreams.list'],
    ['POST /api/admin/streams', 'adminStreams.create'],
    ['PUT /api/admin/streams/{id}', 'adminStreams.update'],
    ['PUT /api/admin/streams/{id}/toggle', 'adminStreams.toggle'],
    ['DELETE /api/admin/streams/{id}', 'adminStreams.remove'],
    ['GET /api/admin/streams/{id}/rewards', 'adminStreams.rewards'],
  ])('answer %s with the handler of %s', (place, name) => {
    const found = places.find(({ method, path }) => `${method} ${path}` === place)
    expect(found?.endpoint.name).toBe(name)
  })

  it('are for staff exactly under /api/admin and /api/test, and for the image upload', () => {
    for (const { path, endpoint } of places) {
      const isStaffPath =
        path.startsWith('/api/admin/') ||
        path.startsWith('/api/test/') ||
        path === '/api/upload/image'
      expect([path, endpoint.access === 'staff']).toEqual([path, isStaffPath])
    }
  })

  it('are public only where the decisions say so', () => {
    const open = places.filter(({ endpoint }) => endpoint.access === 'public')
    expect(open.map(({ path }) => path).toSorted()).toEqual([
      '/api/auth/discord',
      '/api/auth/discord/callback',
      '/api/auth/emergency-logout',
      '/api/auth/emergency-logout',
      '/api/auth/local',
      '/api/auth/logout',
      '/api/auth/twitch',
      '/api/auth/twitch/callback',
      '/api/fairness/deliveries',
      '/api/fairness/observed',
      '/api/fairness/tables/{hash}',
      '/api/notifications/push-key',
      '/api/notifications/unsubscribe',
      '/api/notifications/unsubscribe',
      '/api/notifications/verify',
      '/api/notifications/verify',
      '/api/openapi.json',
      '/api/redcoin/leaderboard',
      '/api/settings/theme',
      '/health/live',
      '/health/ready',
      '/log/checkpoint',
      '/log/key',
      '/log/tile/{level}/{part1}',
      '/log/tile/{level}/{part1}/{part2}',
      '/log/tile/{level}/{part1}/{part2}/{part3}',
      '/log/tile/{level}/{part1}/{part2}/{part3}/{part4}',
    ])
  })

  it('take a key against repeats wherever value or stock moves', () => {
    const keyed = allEndpoints.filter((endpoint) => endpoint.idempotent === true)
    expect(keyed.map((endpoint) => endpoint.name).toSorted()).toEqual([
      'adminBatches.reverse',
      'adminClaims.changeMany',
      'adminGrants.bulkPacks',
      'adminGrants.bulkRedCoin',
      'adminGrants.distributePacks',
      'adminGrants.distributeRedCoin',
      'adminGrants.removeAllPacks',
      'adminGrants.removeAllRedCoin',
      'adminGrants.removeUserPacks',
      'adminGrants.removeUserRedCoin',
      'adminOutbox.again',
      'adminOutbox.saveSentence',
      'adminPrizes.addCodes',
      'adminPrizes.addInventory',
      'adminPrizes.create',
      'adminPrizes.setInventory',
      'adminPrizes.update',
      'adminShipments.addCourier',
      'adminShipments.applyFile',
      'adminShipments.change',
      'adminShipments.removeCourier',
      'adminStore.create',
      'adminStore.update',
      'packs.open',
      'shipments.decline',
      'shipments.received',
      'standing.answer',
      'standing.endSuspension',
      'standing.restoreName',
      'standing.showName',
      'standing.suspend',
      'store.purchase',
    ])
    expect(keyed.every((endpoint) => endpoint.method !== 'GET')).toBe(true)
  })

  it('declare a schema for every parameter in their paths', () => {
    for (const { path, endpoint } of places) {
      expect([path, endpoint.params !== undefined]).toEqual([path, path.includes('{')])
    }
  })

  it('have a body exactly where their kind of body says so', () => {
    for (const { name, body, bodyKind, file, method } of allEndpoints) {
      const hasNone = bodyKind === 'none' || bodyKind === 'raw'
      expect([name, body === undefined && file === undefined]).toEqual([name, hasNone])
      // Leaving is confirmed by typing the own name; an endpoint of push is a secret.
      if (['privacy.deleteAccount', 'notifications.forgetDevice'].includes(name)) continue
      if (method === 'GET' || method === 'DELETE') expect([name, bodyKind]).toEqual([name, 'none'])
    }
  })

  it('that write say what they change, and those that read change nothing', () => {
    const unsaid = ({ method, changes }: EndpointShape) => (method === 'GET') !== !changes
    expect(allEndpoints.filter(unsaid).map(({ name }) => name)).toEqual([])
    expect(unsaid({ ...storeContract.purchase, changes: undefined })).toBe(true)
    expect(unsaid({ ...storeContract.listings, changes: ['listings'] })).toBe(true)
    // What is deleted is taken from the counts of staff.
    const { remove, changeMany, removeAll, restore } = adminClaimsContract
    for (const { changes } of [remove, changeMany, removeAll, restore]) {
      expect(changes).toContain('overview')
    }
  })

  it('that change something only at times name a field of their answer', () => {
    for (const { name, changesWhen, response } of allEndpoints) {
      if (changesWhen === undefined || changesWhen === 'refused') continue
      const shape = (response as unknown as { readonly shape: object }).shape
      expect([name, changesWhen in shape]).toEqual([name, true])
    }
  })
})
