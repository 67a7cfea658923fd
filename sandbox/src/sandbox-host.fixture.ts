// A bare host for testing the stand-ins: no product, only a clock, dice and a port.

import { createServer } from 'node:net'
import Fastify from 'fastify'
import { testNow } from '../../tools/test-clock.ts'
import type { SandboxControls } from './controls.ts'
import { mountSandbox } from './index.ts'

export type SandboxHost = Awaited<ReturnType<typeof sandboxHost>>

export async function sandboxHost() {
  const app = Fastify()
  const port = await freePort()
  const host = {
    app,
    origin: `http://127.0.0.1:${port}`,
    /** What the control calls did, in order. */
    calls: [] as string[],
    isLoopback: true,
    advance(seconds: number) {
      aheadMillis += seconds * 1000
    },
  }
  let aheadMillis = 0
  const controls: SandboxControls = {
    publicUrl: host.origin,
    twitchClient: { clientId: 'sandbox-twitch', clientSecret: 'twitch-secret' },
    discordClient: { clientId: 'sandbox-discord', clientSecret: 'discord-secret' },
    discordBotToken: 'bot-token',
    viewers: [
      { id: '990000001', login: 'pixelotter', displayName: 'PixelOtter', avatar: '/art/a.svg' },
    ],
    liveChannelIds: ['990100001'],
    clock: {
      now: () => new Date(testNow() + aheadMillis),
      advance(seconds) {
        host.calls.push(`advance ${seconds}`)
        host.advance(seconds)
      },
    },
    dice: {
      load: (seeds) => void host.calls.push(`load ${seeds.map((seed) => seed.toString('hex'))}`),
      reset: () => void host.calls.push('reset'),
    },
    runDueJobs: async () => void host.calls.push('jobs'),
    isLoopback: () => host.isLoopback,
    isOwnOrigin: (_request, origin) => origin === host.origin,
  }
  await mountSandbox(app, controls)
  await app.listen({ port, host: '127.0.0.1' })
  return host
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
