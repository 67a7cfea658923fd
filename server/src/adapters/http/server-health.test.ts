// The health of the process, held against what Node and the machine say themselves.

import { totalmem } from 'node:os'
import { expect, it } from 'vitest'
import { serverHealth } from './server-health.ts'

it('is in seconds, megabytes and milliseconds', () => {
  const megabyte = 2 ** 20
  const said = serverHealth()
  const { user, system } = process.cpuUsage()
  // Taken a moment later: within 5 seconds, and within 50 megabytes or milliseconds.
  expect(said).toMatchObject({
    uptime: expect.closeTo(process.uptime(), -1),
    memoryUsage: {
      used: expect.closeTo(process.memoryUsage().rss / megabyte, -2),
      total: Math.round(totalmem() / megabyte),
    },
    cpuUsage: {
      user: expect.closeTo(user / 1000, -2),
      system: expect.closeTo(system / 1000, -2),
    },
  })
})
