import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import websocket from '@fastify/websocket'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { beginTime } from '../../../tools/test-clock.ts'
import { freePort } from '../../test/product-process.ts'
import { HttpListener } from './http-listener.ts'
import { refuseUsedPort, UnusableAddress } from './listening-address.ts'

let port: number
let listener: HttpListener
let app: FastifyInstance
let agent: Agent
/** Lets the answers of `/slow` go. */
let release: () => void
/** More than the system takes for somebody who reads nothing. */
const large = Buffer.alloc(32 * 1024 * 1024)
/** Makes the listener and the application anew. */
let build: (options?: ConstructorParameters<typeof HttpListener>[1]) => void

beforeEach(async () => {
  port = await freePort()
  agent = new Agent({ keepAlive: true, maxSockets: 50 })
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  build = (options) => {
    listener = new HttpListener({ host: '127.0.0.1', port }, options)
    app = Fastify({ serverFactory: listener.serverFactory })
    app.get('/quick', async () => 'quick')
    app.get('/large', async () => large)
    app.post('/echo', async ({ body }) => body)
    app.get('/health/ready', async () => 'ready')
    app.get('/slow', async () => {
      await released
      return 'slow'
    })
  }
  build()
})
afterEach(async () => {
  beginTime()
  release()
  await listener.close(100)
  await app.close()
  agent.destroy()
})

interface Seen {
  readonly status: number
  readonly connection: string | undefined
  readonly retryAfter: string | undefined
  readonly body: string
}

function ask(path: string): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, path, agent }, (answer: IncomingMessage) => {
      let body = ''
      answer.setEncoding('utf8').on('data', (chunk) => {
        body += chunk
      })
      answer.on('end', () => {
        const { connection, 'retry-after': retryAfter } = answer.headers
        resolve({ status: answer.statusCode ?? 0, connection, retryAfter, body })
      })
    })
    request.on('error', reject)
  })
}

/** Sends calls on a connection of its own, one right after the other. */
function send(path: string, count = 1): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(count))
  return socket
}

async function openAll(): Promise<void> {
  await listener.listen()
  await app.ready()
  listener.open()
}

/** Waits until the calls of `count` requests have reached the server. */
async function arrived(count: number): Promise<void> {
  const sockets = () => Object.values(agent.sockets).flat().length
  await expect.poll(sockets).toBe(count)
  // Answered after what was sent before it on this machine.
  await ask('/health/live')
}

describe('more calls than a process takes', () => {
  it('are told to come back, while health is told, until some have ended', async () => {
    build({ callsMax: 10 })
    await openAll()
    const slow = Array.from({ length: 10 }, () => ask('/slow'))
    await arrived(10)
    const refused = await ask('/quick')
    expect([refused.status, JSON.parse(refused.body).code]).toEqual([503, 'service_unavailable'])
    expect(refused.retryAfter).toBe('5')
    expect(await ask('/health/ready')).toMatchObject({ status: 200, body: 'ready' })
    release()
    expect((await Promise.all(slow)).map(({ body }) => body)).toEqual(Array(10).fill('slow'))
    expect(await ask('/quick')).toMatchObject({ status: 200, body: 'quick' })
  })

  it('are not those that wait behind another on their connection, which may be few', async () => {
    build({ callsMax: 10 })
    await openAll()
    const sockets = [send('/slow', 30), send('/slow', 30)]
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    expect(await ask('/quick')).toMatchObject({ status: 200, body: 'quick' })
    release()
    let text = ''
    sockets[0]!.on('data', (chunk) => {
      text += chunk
    })
    const statuses = () => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
    const expected = [...Array(10).fill('200'), ...Array(20).fill('503')]
    await expect.poll(statuses).toEqual(expected)
    for (const socket of sockets) socket.destroy()
  })

  it('leave their place with who hangs up, whatever waited', async () => {
    build({ callsMax: 1 })
    await openAll()
    const socket = send('/slow', 3)
    await expect.poll(() => ask('/quick')).toMatchObject({ status: 503 })
    socket.destroy()
    await expect.poll(() => ask('/quick')).toMatchObject({ status: 200 })
  })

  it('leave their place when nobody reads their answer, however long one may take', async () => {
    build({ callsMax: 1, stalledMillis: 300 })
    await openAll()
    const socket = send('/large').pause()
    await expect.poll(() => ask('/quick')).toMatchObject({ status: 503 })
    await expect.poll(() => ask('/quick'), { timeout: 5_000 }).toMatchObject({ status: 200 })
    socket.destroy()
    const late = ask('/slow')
    setTimeout(release, 700)
    expect(await late).toMatchObject({ status: 200, body: 'slow' })
  })

  it('leave it also when who was refused because of them has gone', async () => {
    build({ callsMax: 2, stalledMillis: 300 })
    await openAll()
    const arrived = once(app.server, 'connection')
    const parked = send('/large').pause()
    const [far] = (await arrived) as [Socket]
    const gone = once(far, 'close')
    const slow = ask('/slow')
    await expect.poll(() => ask('/quick')).toMatchObject({ status: 503 })
    release()
    await slow
    await gone
    const next = send('/large').pause()
    expect(await ask('/quick')).toMatchObject({ status: 200 })
    parked.destroy()
    next.destroy()
  })

  it('keep it while there are others', async () => {
    build({ callsMax: 2, stalledMillis: 300 })
    await openAll()
    const socket = send('/large').pause()
    await new Promise((passed) => setTimeout(passed, 1_000))
    socket.resume()
    let length = 0
    socket.on('data', (chunk: Buffer) => {
      length += chunk.length
    })
    await expect.poll(() => length, { timeout: 5_000 }).toBeGreaterThan(large.length)
    socket.destroy()
  })
})

describe('an offer of another protocol', () => {
  const offer = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: \r\n'

  it('changes nothing about a call', async () => {
    await app.register(websocket)
    await openAll()
    const socket = connect(port, '127.0.0.1')
    socket.write(
      `POST /echo HTTP/1.1\r\nHost: a\r\n${offer}Content-Type: text/plain\r\n` +
        'Content-Length: 5\r\n\r\nhello',
    )
    const [echo] = (await once(socket, 'data')) as [Buffer]
    expect(echo.toString()).toMatch(/^HTTP\/1\.1 200 [\s\S]*hello$/)
    socket.write(`GET /quick HTTP/1.1\r\nHost: a\r\n${offer}\r\n`)
    const [quick] = (await once(socket, 'data')) as [Buffer]
    expect(quick.toString()).toMatch(/^HTTP\/1\.1 200 [\s\S]*quick$/)
    socket.write('GET /quick HTTP/1.1\r\nHost: a\r\n\r\n')
    const [again] = (await once(socket, 'data')) as [Buffer]
    expect(again.toString()).toMatch(/^HTTP\/1\.1 200 [\s\S]*quick$/)
    socket.destroy()
  })

  it('gets past no limit', async () => {
    build({ callsMax: 1 })
    await app.register(websocket)
    await openAll()
    const slow = ask('/slow')
    await arrived(1)
    const socket = connect(port, '127.0.0.1')
    socket.write(`GET /quick HTTP/1.1\r\nHost: a\r\n${offer}\r\n`)
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    expect(chunk.toString()).toMatch(/^HTTP\/1\.1 503 /)
    socket.destroy()
    release()
    await slow
  })
})

describe('before the product is built', () => {
  it('says that the process lives and is not ready', async () => {
    await listener.listen()
    expect(await ask('/health/live?a=1')).toMatchObject({ status: 200, body: '{"status":"ok"}' })
    const ready = await ask('/health/ready')
    expect(ready.status).toBe(503)
    expect(JSON.parse(ready.body).code).toBe('service_unavailable')
  })

  it('lets calls wait and serves them all on the same socket', async () => {
    await listener.listen()
    const early = Array.from({ length: 20 }, () => ask('/quick'))
    await arrived(20)
    await app.ready()
    listener.open()
    expect((await Promise.all(early)).map(({ body }) => body)).toEqual(Array(20).fill('quick'))
  })

  it('lets nobody wait longer than 5 s', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    await listener.listen()
    const late = ask('/quick')
    let isOver = false
    void late.finally(() => {
      isOver = true
    })
    await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0), { interval: 10 })
    await vi.advanceTimersByTimeAsync(4_900)
    expect(isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(200)
    expect((await late).status).toBe(503)
  })

  it('refuses a page socket, which asks again by itself', async () => {
    await listener.listen()
    const socket = connect(port, '127.0.0.1')
    socket.write(
      'GET /api/realtime HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    )
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    expect(chunk.toString()).toMatch(/^HTTP\/1\.1 503 /)
    socket.destroy()
  })

  it('shows a person a page that asks again by itself', async () => {
    await listener.listen()
    const address = `http://127.0.0.1:${port}/health/ready`
    const answer = await fetch(address, { headers: { accept: 'text/html,*/*;q=0.8' } })
    expect(answer.status).toBe(503)
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
    const page = await answer.text()
    expect(page).toContain('The service is starting, please try again in a moment.')
    expect(page).toContain('<meta http-equiv="refresh" content="5">')
  })

  it('answers who waits when the start is given up', async () => {
    await listener.listen()
    const early = ask('/quick')
    await arrived(1)
    await listener.close(1_000)
    expect((await early).status).toBe(503)
  })
})

describe('a process that leaves', () => {
  it('is not ready, serves on, and closes each connection with its answer', async () => {
    await openAll()
    expect(await ask('/health/ready')).toMatchObject({ status: 200, connection: 'keep-alive' })
    const underWay = ask('/slow')
    await arrived(1)
    listener.leave()
    expect(await ask('/health/ready')).toMatchObject({ status: 503, connection: 'close' })
    expect(await ask('/quick')).toEqual({ status: 200, connection: 'close', body: 'quick' })
    release()
    expect(await underWay).toEqual({ status: 200, connection: 'close', body: 'slow' })
  })

  it('takes no more connections, and waits for the calls under way', async () => {
    await openAll()
    const underWay = ask('/slow')
    await arrived(1)
    let isClosed = false
    const closed = listener.close(4_000).finally(() => {
      isClosed = true
    })
    await expect.poll(() => ask('/quick').catch(({ code }) => code)).toBe('ECONNREFUSED')
    expect(isClosed).toBe(false)
    release()
    expect((await underWay).body).toBe('slow')
    await closed
  })

  it('serves who connected while it was at work, right before it takes no more', async () => {
    await openAll()
    // Another thread connects and sends its call while this one does nothing else.
    const state = new Int32Array(new SharedArrayBuffer(4))
    const caller = new Worker(
      `const { workerData } = require('node:worker_threads')
       const { connect } = require('node:net')
       const socket = connect(workerData.port, '127.0.0.1', () => {
         socket.write('GET /quick HTTP/1.1\\r\\nhost: x\\r\\n\\r\\n', () => {
           Atomics.store(workerData.state, 0, 1)
           Atomics.notify(workerData.state, 0)
         })
       })
       let heard = ''
       socket.on('data', (data) => { heard += data })
       socket.on('error', (error) => { heard += error.code })
       socket.on('close', () => require('node:worker_threads').parentPort.postMessage(heard))`,
      { eval: true, workerData: { port, state } },
    )
    const heard = once(caller, 'message')
    setImmediate(() => Atomics.wait(state, 0, 0, 5_000))
    await listener.close(2_000)
    expect(String(await heard)).toMatch(/^HTTP\/1\.1 200 OK.*quick$/s)
    await caller.terminate()
  })

  it('serves a call on a connection that was taken before, and ends it', async () => {
    await openAll()
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    await ask('/quick')
    const closed = listener.close(4_000)
    await expect.poll(() => ask('/quick').catch(({ code }) => code)).toBe('ECONNREFUSED')
    socket.write('GET /quick HTTP/1.1\r\nHost: a\r\n\r\n')
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    expect(chunk.toString()).toMatch(/^HTTP\/1\.1 200 [\s\S]*quick$/)
    await Promise.all([once(socket, 'close'), closed])
  })

  it('waits for a call no longer than it is told to', async () => {
    await openAll()
    const underWay = ask('/slow').catch(({ code }) => code)
    await arrived(1)
    await listener.close(200)
    expect(await underWay).toBe('ECONNRESET')
  })

  it('does not wait long for connections on which nothing comes', async () => {
    await openAll()
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    await ask('/quick')
    await listener.close(30_000)
    socket.destroy()
  }, 20_000)
})

describe('the port', () => {
  it('is refused when another program listens on it', async () => {
    const other = createServer().listen(port, '127.0.0.1')
    await once(other, 'listening')
    const address = { host: '127.0.0.1', port }
    await expect(refuseUsedPort(address)).rejects.toThrow('another program uses it')
    await expect(refuseUsedPort({ ...address, host: '0.0.0.0' })).rejects.toThrow(UnusableAddress)
    await expect(listener.listen()).rejects.toThrow('another program uses it')
    other.close()
    await once(other, 'close')
    await refuseUsedPort(address)
    await listener.listen()
    expect((await ask('/health/live')).status).toBe(200)
  })
})
