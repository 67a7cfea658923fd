// An event night on one process: open pages, viewers who watch, openings and a ranking on screen.

import { Agent, request as httpRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { atShare } from './load.ts'
import { writeResults } from './results.ts'
import { addWatchers, prepareScene, type Scene, watchedStream } from './scene.ts'
import { processorSeconds, residentBytes, startServer } from './server-process.ts'

const port = 3902
const seconds = Number(process.env['BENCH_SECONDS'] ?? 20)
const socketsWanted = Number(process.env['BENCH_SOCKETS'] ?? 10_000)
const watching = 5_000
const beatSeconds = 30

/** Calls a second of each kind, on a clock of their own: a slow answer holds no later call back. */
const rates = { opening: 100, ranking: 20, heartbeat: watching / beatSeconds } as const
type Kind = keyof typeof rates

const agent = new Agent({ keepAlive: true, maxSockets: 256 })

interface Answered {
  readonly status: number
  readonly millis: number
}

function call(method: string, path: string, cookie: string, body?: object): Promise<Answered> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const started = performance.now()
  return new Promise((resolve) => {
    const failed = () => resolve({ status: 0, millis: performance.now() - started })
    const headers = {
      cookie,
      ...(text !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      }),
    }
    const request = httpRequest(
      { agent, host: '127.0.0.1', port, method, path, headers, timeout: 30_000 },
      (response) => {
        response.resume()
        response.once('end', () =>
          resolve({ status: response.statusCode ?? 0, millis: performance.now() - started }),
        )
        response.once('error', failed)
      },
    )
    request.once('error', failed)
    request.once('timeout', () => request.destroy(new Error('No answer within 30 s')))
    request.end(text)
  })
}

interface Page {
  readonly socket: Socket
  frames: number
}

/** Opens a page's socket by hand: a client library would cost more than the server it asks. */
function openPage(cookie: string): Promise<Page> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const page: Page = { socket, frames: 0 }
    socket.once('error', reject)
    socket.write(
      [
        'GET /api/realtime HTTP/1.1',
        `host: 127.0.0.1:${port}`,
        `origin: http://127.0.0.1:${port}`,
        `cookie: ${cookie}`,
        'connection: Upgrade',
        'upgrade: websocket',
        'sec-websocket-version: 13',
        'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
        '\r\n',
      ].join('\r\n'),
    )
    socket.once('data', (head: Buffer) => {
      if (!head.toString('latin1').startsWith('HTTP/1.1 101')) {
        reject(new Error(head.toString('latin1').split('\r\n')[0]))
        return
      }
      socket.on('data', (chunk: Buffer) => countFrames(page, chunk))
      resolve(page)
    })
  })
}

/** Frames of the server are short and unmasked (RFC 6455, 5.2): two bytes and the text. */
function countFrames(page: Page, chunk: Buffer): void {
  for (let at = 0; at + 2 <= chunk.length; at += 2 + ((chunk[at + 1] ?? 0) & 127)) {
    const opcode = (chunk[at] ?? 0) & 15
    if (opcode === 1) page.frames += 1
    // A ping is answered with an empty, masked pong.
    if (opcode === 9) page.socket.write(Buffer.from([0x8a, 0x80, 0, 0, 0, 0]))
  }
}

async function openPages(scene: Scene): Promise<Page[]> {
  const pages: Page[] = []
  while (pages.length < socketsWanted) {
    const next = Array.from({ length: Math.min(50, socketsWanted - pages.length) }, (_, index) =>
      openPage(scene.cookie(pages.length + index)),
    )
    pages.push(...(await Promise.all(next)))
  }
  return pages
}

const calls: Readonly<Record<Kind, (scene: Scene, count: number) => Promise<Answered>>> = {
  opening: (scene, count) =>
    call('POST', '/api/packs/open', scene.cookie((count * 7919) % 10_000), {
      packTypeId: scene.packTypeId,
      quantity: 1,
    }),
  ranking: (scene, count) =>
    call('GET', '/api/redcoin/leaderboard?limit=100', scene.cookie(count % 10_000)),
  heartbeat: (scene, count) =>
    call('POST', '/api/twitch/heartbeat', scene.cookie(count % watching), watchedStream),
}

/** Makes calls of one kind at their rate for the whole time and waits for the last answer. */
async function play(scene: Scene, kind: Kind): Promise<Answered[]> {
  const answers: Promise<Answered>[] = []
  const started = performance.now()
  for (;;) {
    const elapsed = (performance.now() - started) / 1000
    if (elapsed >= seconds) break
    while (answers.length < elapsed * rates[kind]) {
      answers.push(calls[kind](scene, answers.length))
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return Promise.all(answers)
}

function summary(answers: readonly Answered[]) {
  const waits = answers.map(({ millis }) => millis)
  const at = (share: number) => Math.round(atShare(waits, share))
  const failed = answers.filter(({ status }) => status !== 200).length
  return { calls: answers.length, failed, p50Millis: at(0.5), p99Millis: at(0.99) }
}

const scene = await prepareScene()
await addWatchers(scene, watching)
const server = await startServer(scene.url, port)
try {
  // The odds table gets its row and the statements their plans before anything counts.
  for (let count = 0; count < 200; count += 1) await calls.opening(scene, count)
  const before = residentBytes(server)
  const pages = await openPages(scene)
  const bytesPerSocket = Math.round((residentBytes(server) - before) / pages.length)
  const framesBefore = pages.reduce((sum, { frames }) => sum + frames, 0)
  const processorBefore = processorSeconds(server)
  const kinds = Object.keys(rates) as Kind[]
  const played = await Promise.all(kinds.map((kind) => play(scene, kind)))
  const frames = pages.reduce((sum, page) => sum + page.frames, 0) - framesBefore
  const figures = {
    sockets: pages.length,
    closed: pages.filter(({ socket }) => socket.destroyed).length,
    bytesPerSocket,
    framesPerSocketAndSecond: Number((frames / pages.length / seconds).toFixed(2)),
    processorShare: Number(((processorSeconds(server) - processorBefore) / seconds).toFixed(2)),
    ...Object.fromEntries(kinds.map((kind, index) => [kind, summary(played[index] ?? [])])),
  }
  console.log(JSON.stringify(figures, null, 2))
  const answers = played.flat()
  const share = (part: number, whole: number) => Number((part / Math.max(1, whole)).toFixed(3))
  await writeResults('event-night', figures, {
    'pages that stay open': share(figures.sockets - figures.closed, figures.sockets),
    'calls that are answered': share(
      answers.filter(({ status }) => status === 200).length,
      answers.length,
    ),
  })
  for (const { socket } of pages) socket.destroy()
} finally {
  server.kill()
  agent.destroy()
  await scene.drop()
}
