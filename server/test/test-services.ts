// Where the services that tests may use stand, and whether Redis answers there.

import { connect } from 'node:net'

export const testPostgresUrl =
  process.env['TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'
export const testRedisUrl = process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379'

/** True when something accepts connections at the address of Redis. */
export function isRedisReachable(): Promise<boolean> {
  const { hostname, port } = new URL(testRedisUrl)
  return new Promise((resolve) => {
    const socket = connect(Number(port || 6379), hostname)
    const finish = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(2_000, () => finish(false))
    socket.once('connect', () => finish(true)).once('error', () => finish(false))
  })
}
