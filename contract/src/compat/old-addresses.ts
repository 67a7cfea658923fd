// Addresses that earlier clients call besides the contract's: same call, same access.

import type { EndpointShape, Method } from '../endpoint.ts'

export interface Address {
  readonly method: Method
  readonly path: `/${string}`
}

/** Keyed by the contract's address. */
const oldAddresses: Readonly<Record<string, readonly Address[]>> = {
  'DELETE /api/admin/prize-claims/{id}': [
    { method: 'DELETE', path: '/api/test/admin-prize-claims/{id}' },
  ],
  'POST /api/admin/bulk-distribute-packs': [{ method: 'POST', path: '/api/admin/bulk-distribute' }],
  'GET /api/admin/twitch/streams': [{ method: 'GET', path: '/api/admin/streams' }],
  'POST /api/admin/twitch/streams': [{ method: 'POST', path: '/api/admin/streams' }],
  'PUT /api/admin/twitch/streams/{id}': [{ method: 'PUT', path: '/api/admin/streams/{id}' }],
  'PUT /api/admin/twitch/streams/{id}/toggle': [
    { method: 'PUT', path: '/api/admin/streams/{id}/toggle' },
  ],
  'DELETE /api/admin/twitch/streams/{id}': [{ method: 'DELETE', path: '/api/admin/streams/{id}' }],
  'POST /api/admin/twitch/streams/{id}/restore': [
    { method: 'POST', path: '/api/admin/streams/{id}/restore' },
  ],
  'GET /api/admin/twitch/streams/{id}/rewards': [
    { method: 'GET', path: '/api/admin/streams/{id}/rewards' },
  ],
  'GET /api/admin/users-with-packs': [
    { method: 'GET', path: '/api/admin/users' },
    { method: 'GET', path: '/api/test/admin-users' },
  ],
  'GET /api/admin/users/{id}/prizes': [
    { method: 'GET', path: '/api/test/admin-users/{id}/prizes' },
  ],
  'PUT /api/admin/users/{id}/role': [{ method: 'PUT', path: '/api/test/admin-users/{id}/role' }],
  'GET /api/auth/emergency-logout': [{ method: 'POST', path: '/api/auth/emergency-logout' }],
  'GET /api/user/packs': [{ method: 'GET', path: '/api/user/inventory' }],
  'GET /api/packs/types': [{ method: 'GET', path: '/api/pack-types' }],
}

/** Every address that an endpoint answers under: its own first, then its aliases and old ones. */
export function addressesOf(endpoint: EndpointShape): readonly [Address, ...Address[]] {
  const { method, path, aliases = [] } = endpoint
  return [{ method, path }, ...aliases, ...(oldAddresses[`${method} ${path}`] ?? [])]
}
