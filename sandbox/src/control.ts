// Control calls on time and chance, for tests and demonstrations on this machine.

import type { FastifyInstance } from 'fastify'
import type { SandboxControls } from './controls.ts'
import { jsonOf, open, refuseControl } from './requests.ts'

const advanceSecondsMax = 20 * 366 * 24 * 3_600
const seedsMax = 10_000
const seedPattern = /^[0-9a-f]{64}$/i

export function serveControl(app: FastifyInstance, controls: SandboxControls): void {
  app.addHook('onRequest', async (request, reply) => {
    if (controls.isLoopback(request)) return undefined
    return refuseControl(reply, 'Control calls are answered on this machine only', 403)
  })
  const now = () => ({ now: controls.clock.now().toISOString() })

  app.get('/control/clock', open, async () => now())
  app.post('/control/clock', open, async (request, reply) => {
    const { advanceSeconds } = jsonOf(request)
    if (
      typeof advanceSeconds !== 'number' ||
      !(advanceSeconds >= 0 && advanceSeconds <= advanceSecondsMax)
    ) {
      return refuseControl(reply, `advanceSeconds must be a number from 0 to ${advanceSecondsMax}`)
    }
    controls.clock.advance(advanceSeconds)
    await controls.runDueJobs()
    return now()
  })

  app.post('/control/dice', open, async (request, reply) => {
    const { serverSeeds, reset } = jsonOf(request)
    if (reset === true) {
      controls.dice.reset()
      return { loaded: 0 }
    }
    if (!isSeedList(serverSeeds)) {
      return refuseControl(reply, 'serverSeeds must be a list of texts of 64 hexadecimal digits')
    }
    controls.dice.load(serverSeeds.map((seed) => Buffer.from(seed, 'hex')))
    return { loaded: serverSeeds.length }
  })
}

function isSeedList(value: unknown): value is string[] {
  return (
    Array.isArray(value) &&
    value.length <= seedsMax &&
    value.every((seed) => typeof seed === 'string' && seedPattern.test(seed))
  )
}
