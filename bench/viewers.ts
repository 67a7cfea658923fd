// Viewers who have Watch Rewards open on one process: its polls and heartbeats on their clocks,
// with what the browser knows of the last answer.

import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { writeResults } from './results.ts'
import { addWatchers, prepareScene, sceneCookie, usersCount, watchedStream } from './scene.ts'
import { processorSeconds, startServer } from './server-process.ts'

const port = 3905
const seconds = Number(process.env['BENCH_SECONDS'] ?? 30)
const viewersMost = Number(process.env['BENCH_VIEWERS'] ?? 20_000)
const connectionsCount = 500
/** As the page of the product asks. */
const polls = [
  { path: '/api/twitch/active-streams', everySeconds: 30 },
  { path: '/api/twitch/watch-sessions', everySeconds: 10 },
  { path: '/api/twitch/watch-completions', everySeconds: 30 },
  { path: '/api/auth/me', everySeconds: 30 },
] as const
const beatEverySeconds = 60
const beat = JSON.stringify(watchedStream)

interface Asked {
  readonly dueAt: number
  readonly viewer: number
  /** Which of the polls it is; the number after the last of them is a heartbeat. */
  readonly kind: number
}

interface Sums {
  readonly millis: number[]
  readonly statuses: Record<string, number>
}

/** What each viewer's browser knows of the last answer of each kind. */
const known = new Map<string, string>()
const nameOf = ({ viewer, kind }: Asked) => `${viewer}-${kind}`

function textOf(asked: Asked): string {
  const poll = polls[asked.kind]
  const lines = [
    poll === undefined ? 'POST /api/twitch/heartbeat HTTP/1.1' : `GET ${poll.path} HTTP/1.1`,
    'host: 127.0.0.1',
    `cookie: ${sceneCookie(asked.viewer % usersCount)}`,
  ]
  const etag = known.get(nameOf(asked))
  if (etag !== undefined) lines.push(`if-none-match: ${etag}`)
  if (poll !== undefined) return `${lines.join('\r\n')}\r\n\r\n`
  lines.push('content-type: application/json', `content-length: ${beat.length}`)
  return `${lines.join('\r\n')}\r\n\r\n${beat}`
}

/** One connection: what is asked of it waits in line, and its time counts from when it was due. */
function lane(sums: Sums): { readonly socket: Socket; readonly ask: (asked: Asked) => void } {
  const socket = connect(port, '127.0.0.1')
  socket.setNoDelay(true)
  const waiting: Asked[] = []
  let running: Asked | undefined
  let bytes: Buffer = Buffer.alloc(0)
  const next = () => {
    running = waiting.shift()
    if (running !== undefined) socket.write(textOf(running))
  }
  socket.on('data', (chunk: Buffer) => {
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk])
    const end = bytes.indexOf('\r\n\r\n')
    if (end < 0 || running === undefined) return
    const head = bytes.toString('latin1', 0, end)
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (bytes.length < end + 4 + length) return
    bytes = Buffer.alloc(0)
    const status = head.slice(9, 12)
    sums.statuses[status] = (sums.statuses[status] ?? 0) + 1
    sums.millis.push(performance.now() - running.dueAt)
    const etag = /etag: (\S+)/i.exec(head)?.[1]
    if (etag !== undefined) known.set(nameOf(running), etag)
    next()
  })
  return {
    socket,
    ask(asked) {
      waiting.push(asked)
      if (running === undefined) next()
    },
  }
}

/** Everything that so many viewers ask within the time, in the order in which it is due. */
function plan(viewers: number): { readonly atMillis: number; viewer: number; kind: number }[] {
  const asked = []
  for (let viewer = 0; viewer < viewers; viewer += 1) {
    const clocks = [...polls.map(({ everySeconds }) => everySeconds), beatEverySeconds]
    for (const [kind, every] of clocks.entries()) {
      // Pages were opened at any time.
      const first = Math.random() * every
      for (let at = first; at < seconds; at += every) {
        asked.push({ atMillis: at * 1000, viewer, kind })
      }
    }
  }
  return asked.sort((a, b) => a.atMillis - b.atMillis)
}

async function watch(viewers: number, processor: () => number) {
  const sums: Sums = { millis: [], statuses: {} }
  const lanes = Array.from({ length: connectionsCount }, () => lane(sums))
  const planned = plan(viewers)
  const before = processor()
  const started = performance.now()
  for (const { atMillis, viewer, kind } of planned) {
    while (performance.now() - started < atMillis) await pause(2)
    // A viewer's polls go over one connection, as a browser's do.
    lanes[viewer % connectionsCount]?.ask({ dueAt: started + atMillis, viewer, kind })
  }
  const deadline = performance.now() + 30_000
  while (sums.millis.length < planned.length && performance.now() < deadline) await pause(20)
  const spent = processor() - before
  for (const { socket } of lanes) socket.destroy()
  const sorted = sums.millis.toSorted((a, b) => a - b)
  const percentile = (share: number) =>
    Number((sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(1))
  const { 200: changed = 0, 304: unchanged = 0, ...failed } = sums.statuses
  return {
    viewers,
    asked: planned.length,
    callsPerSecond: Math.round(planned.length / seconds),
    unanswered: planned.length - sums.millis.length,
    ...{ changed, unchanged, failed },
    ...{ p50Millis: percentile(0.5), p99Millis: percentile(0.99) },
    serverMillisPerCall: Number(((spent * 1000) / planned.length).toFixed(3)),
  }
}

const scene = await prepareScene()
await addWatchers(scene, usersCount)
const server = await startServer(scene.url, port)
const rows = []
try {
  const processor = () => processorSeconds(server)
  // The first run fills what browsers and the process remember, and does not count.
  await watch(viewersMost, processor)
  for (const share of [0.5, 1]) {
    const row = await watch(Math.round(viewersMost * share), processor)
    console.log(JSON.stringify(row))
    rows.push(row)
  }
} finally {
  server.kill()
  await scene.drop()
}
// A short run has fewer viewers, and is compared all the same.
const answered = rows.map(({ viewers, changed, unchanged, asked }) => [
  `calls of ${viewers === viewersMost ? 'all' : 'half of the'} viewers that are answered`,
  Number(((changed + unchanged) / asked).toFixed(3)),
])
await writeResults('viewers', { seconds, rows }, Object.fromEntries(answered))
process.exit()
