// A push service for the browsers of tests: it takes messages as they come, sealed for the browser.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { SandboxControls } from './controls.ts'
import { open } from './requests.ts'

/** The newest are kept. */
const pushesMax = 500

export function servePush(app: FastifyInstance, { clock }: SandboxControls): void {
  const pushes: object[] = []
  const gone = new Set<string>()
  const deviceOf = (request: FastifyRequest) => (request.params as { device: string }).device
  app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_, body, done) =>
    done(null, body),
  )
  app.post('/push/:device', open, async (request, reply) => {
    const device = deviceOf(request)
    if (gone.has(device)) return reply.code(410).send()
    const body = (request.body as Buffer).toString('base64url')
    const { authorization, topic, ttl } = request.headers
    pushes.push({ device, body, headers: { authorization, topic, ttl }, at: clock.now() })
    if (pushes.length > pushesMax) pushes.shift()
    return reply.code(201).send()
  })
  app.delete('/push/:device', open, async (request, reply) => {
    gone.add(deviceOf(request))
    return reply.code(204).send()
  })
  app.get('/push.json', open, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send(pushes),
  )
}
