// Thousands of half-sent calls, directly and through both proxies, while others go on: the headers
// of a webhook or of a path that does not exist, and one byte of the body.

import { Agent, request as httpRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../product-process.ts'
import { usePrograms } from '../programs.ts'
import { tell } from './fault-table.ts'
import { loadSettings, pause } from './keyed-load.ts'
import { haproxy, nginx } from './proxies.ts'

const halves = 2_500
const watchMillis = 14_000
const answerMillisMax = 1_000
const paths = ['/api/twitch/eventsub', '/nothing/here']

const programs = usePrograms('half-sent')
let productPort: number

/** One address each, as a crowd would have it; a proxy puts its own word in their place. */
function sendHalf(port: number, index: number): Socket {
  const socket = connect(port, '127.0.0.1', () =>
    socket.write(
      `POST ${paths[index % paths.length]} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n` +
        `x-forwarded-for: 10.0.${index >> 8}.${index & 255}\r\n` +
        'content-type: application/json\r\ncontent-length: 100\r\n\r\n{',
    ),
  )
  return socket.on('error', () => undefined).resume()
}

interface Seen {
  readonly status: number
  readonly millis: number
}

function call(port: number, agent: Agent): Promise<Seen> {
  const startMillis = performance.now()
  return new Promise((resolve) => {
    const done = (status: number) => resolve({ status, millis: performance.now() - startMillis })
    const headers = { 'content-type': 'application/json', 'content-length': 2 }
    const options = { host: '127.0.0.1', port, path: '/api/auth/logout', method: 'POST' }
    httpRequest({ ...options, agent, headers }, (answer) => {
      answer.resume().once('end', () => done(answer.statusCode ?? 0))
    })
      .once('error', () => done(0))
      .end('{}')
  })
}

beforeAll(async () => {
  productPort = await freePort()
  await programs.start(loadSettings({}, productPort, programs.folder))
})

async function attackedThrough(way: string, port: number): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  const attackers = new Set<Socket>()
  let isOver = false
  let sent = 0
  // Each that is ended comes back, so that there are as many at all times.
  const attack = async () => {
    while (!isOver) {
      for (const socket of attackers) if (socket.destroyed) attackers.delete(socket)
      while (attackers.size < halves && !isOver) {
        attackers.add(sendHalf(port, sent))
        sent += 1
        if (sent % 250 === 0) await pause(10)
      }
      await pause(100)
    }
  }
  const attacking = attack()
  await pause(2_000)
  const seen: Seen[] = []
  for (const until = performance.now() + watchMillis; performance.now() < until; ) {
    seen.push(await call(port, agent))
    await pause(50)
  }
  isOver = true
  await attacking
  for (const socket of attackers) socket.destroy()
  agent.destroy()
  const slowest = Math.max(...seen.map(({ millis }) => millis))
  expect(seen.filter(({ status }) => status !== 200)).toEqual([])
  expect(slowest).toBeLessThan(answerMillisMax)
  tell({
    fault: `${halves} connections keep half of a call under way, ${way}`,
    promise: 'Others are answered within a second',
    seen: `${seen.length} calls, the slowest ${Math.round(slowest)} ms; ${sent} halves were sent`,
  })
}

describe('half-sent calls', () => {
  it('straight at a process keep nobody out', () => attackedThrough('directly', productPort))

  for (const kind of [nginx, haproxy]) {
    it.skipIf(!kind.isInstalled)(`through ${kind.name} keep nobody out`, async () => {
      const port = await freePort()
      const processes = [productPort, await freePort()] as const
      const proxy = await kind.start({ proxy: port, processes })
      try {
        await attackedThrough(`through ${kind.name}`, port)
      } finally {
        await proxy.stop()
      }
    })
  }
})
