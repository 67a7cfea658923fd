// Control calls on time and chance, for tests and demonstrations on this machine.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SandboxControls } from './controls.ts'

const advanceSecondsMax = 20 * 366 * 24 * 3_600
const seedsMax = 10_000
const seedPattern = /^[0-9a-f]{64}$/i

export function serveControl(app: FastifyInstance, controls: SandboxControls): void {
  const config = { access: 'public' as const }
  app.addHook('onRequest', async (request, reply) => {
    if (controls.isLoopback(request)) return undefined
    return refuse(reply, 403, 'Control calls are answered on this machine only')
  })
  const now = () => ({ now: controls.clock.now().toISOString() })

  app.get('/control/clock', { config }, async () => now())
  app.post('/control/clock', { config }, async (request, reply) => {
    const { advanceSeconds } = bodyOf(request)
    if (typeof advanceSeconds !== 'number' || !isWithin(advanceSeconds, 0, advanceSecondsMax)) {
      return refuse(reply, 400, `advanceSeconds must be a number from 0 to ${advanceSecondsMax}`)
    }
    controls.clock.advance(advanceSeconds)
    await controls.runDueJobs()
    return now()
  })

  app.post('/control/dice', { config }, async (request, reply) => {
    const { serverSeeds, reset } = bodyOf(request)
    if (reset === true) {
      controls.dice.reset()
      return { loaded: 0 }
    }
    if (!isSeedList(serverSeeds)) {
      return refuse(reply, 400, 'serverSeeds must be a list of texts of 64 hexadecimal digits')
    }
    controls.dice.load(serverSeeds.map((seed) => Buffer.from(seed, 'hex')))
    return { loaded: serverSeeds.length }
  })
}

function bodyOf(request: FastifyRequest): Record<string, unknown> {
  const { body } = request
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}

function isWithin(value: number, min: number, max: number): boolean {
  return value >= min && value <= max
}

function isSeedList(value: unknown): value is string[] {
  return (
    Array.isArray(value) &&
    value.length <= seedsMax &&
    value.every((seed) => typeof seed === 'string' && seedPattern.test(seed))
  )
}

function refuse(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).send({ message, error: message })
}
