// Where the services that tests may use stand, and whether Redis answers there.

import { isAccepting } from './local-server.ts'

export const testPostgresUrl =
  process.env['TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'
export const testRedisUrl = process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379'

/** True when something accepts connections at the address of Redis. */
export function isRedisReachable(): Promise<boolean> {
  const { hostname, port } = new URL(testRedisUrl)
  return isAccepting(Number(port || 6379), hostname)
}
