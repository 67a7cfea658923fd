// Half-sent calls: counted by address before their body is waited for, ended when they are late.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useTestDeps } from '../../../test/deps.ts'
import { freePort } from '../../../test/product-process.ts'
import { HttpListener } from '../../process/http-listener.ts'
import { unfinishedPerAddressMax } from './json-body.ts'
import { createHttpServer } from './server.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })
const callsMax = 150
let port: number
let listener: HttpListener
let app: Awaited<ReturnType<typeof createHttpServer>>
let sockets: Socket[]

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval', 'performance'] })
  sockets = []
  port = await freePort()
  listener = new HttpListener({ host: '127.0.0.1', port }, { callsMax })
  app = await createHttpServer(t.deps, listener.serverFactory)
  app.post('/echo', { config: { access: 'public' } }, async ({ body }) => ({ body }))
  await listener.listen()
  await app.ready()
  listener.open()
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await listener.close(100)
  await app.close()
})

/** Sends the headers of a call and one byte of its body, from an address that a proxy names. */
async function sendHalf(from: string, path = '/echo'): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  await once(socket, 'connect')
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nx-forwarded-for: ${from}\r\n` +
      'content-type: application/json\r\ncontent-length: 8\r\n\r\n{',
  )
  return socket
}

async function sendHalves(count: number, from: (index: number) => string): Promise<Socket[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => sendHalf(from(index))))
}

const whole = async (from = '192.0.2.9') => {
  const answer = await fetch(`http://127.0.0.1:${port}/echo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: '{"a":1}',
  })
  return [answer.status, await answer.text()]
}

async function answered(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString()
  })
  await once(socket, 'close')
  return text
}

describe('half-sent calls', () => {
  it('of one address are refused beyond a number, and others are served', async () => {
    await sendHalves(unfinishedPerAddressMax, () => '192.0.2.1')
    const refused = await answered(await sendHalf('192.0.2.1'))
    expect(refused).toContain('429 Too Many Requests')
    expect(refused).toContain('Too many unfinished requests, try again in a moment')
    expect(await whole('192.0.2.1')).toEqual([429, expect.stringContaining('rate_limited')])
    expect(await whole()).toEqual([200, '{"body":{"a":1}}'])
  })

  it('of many addresses keep nobody out, however many there are', async () => {
    await sendHalves(callsMax + 20, (index) => `198.51.100.${index}`)
    expect(await whole()).toEqual([200, '{"body":{"a":1}}'])
  })

  it('end after ten seconds, and are then forgotten', async () => {
    const halves = await sendHalves(unfinishedPerAddressMax, () => '192.0.2.1')
    const answers = Promise.all(halves.map(answered))
    // Until all of them are counted.
    const status = async () => (await whole('192.0.2.1'))[0]
    await expect.poll(status).toBe(429)
    vi.advanceTimersByTime(9_000)
    for (const _ of [1, 2, 3]) expect(await status()).toBe(429)
    expect(halves.filter(({ closed }) => closed)).toEqual([])
    vi.advanceTimersByTime(2_000)
    expect((await answers).filter((text) => !text.includes('408 Request Timeout'))).toEqual([])
    expect(await whole('192.0.2.1')).toEqual([200, '{"body":{"a":1}}'])
  })

  it('may be finished', async () => {
    const half = await sendHalf('192.0.2.1')
    half.write('"a":12}')
    const [chunk] = await once(half, 'data')
    expect(String(chunk)).toContain('{"body":{"a":12}}')
  })
})
