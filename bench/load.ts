// A small closed-loop HTTP client: fixed connections, one request in flight on each, least own
// cost.

import { connect, type Socket } from 'node:net'

export interface Load {
  readonly port: number
  readonly connections: number
  readonly seconds: number
  readonly next: (connection: number) => string | Buffer
}

/** Text of an HTTP/1.1 request with keep-alive. */
export function requestText(
  method: string,
  path: string,
  cookie: string,
  body: string | undefined,
): string {
  const lines = [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1', `cookie: ${cookie}`]
  if (body !== undefined) {
    lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`)
  }
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

/** Runs the load and answers its rate over the whole time. */
export async function runLoad(load: Load) {
  const state = { done: 0, others: {} as Record<string, number>, millis: [] as number[] }
  const until = performance.now() + load.seconds * 1000
  const started = performance.now()
  await Promise.all(
    Array.from({ length: load.connections }, (_, connection) =>
      lane(load, connection, until, state),
    ),
  )
  const seconds = (performance.now() - started) / 1000
  const failed = Object.values(state.others).reduce((sum, count) => sum + count, 0)
  return {
    /** Answers in all. */
    done: state.done,
    requestsPerSecond: state.done / seconds,
    /** Those of them that succeeded: what failed did nothing. */
    succeededPerSecond: (state.done - failed) / seconds,
    /** Answers whose status was not 200, by status. */
    others: state.others,
    p50Millis: atShare(state.millis, 0.5),
    p99Millis: atShare(state.millis, 0.99),
  }
}

interface LoadState {
  done: number
  readonly others: Record<string, number>
  readonly millis: number[]
}

function lane(load: Load, connection: number, until: number, state: LoadState): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(load.port, '127.0.0.1')
    socket.setNoDelay(true)
    let sentAt = 0
    let pending = Buffer.alloc(0)
    const send = () => {
      if (performance.now() >= until) {
        socket.end()
        return
      }
      sentAt = performance.now()
      socket.write(load.next(connection))
    }
    socket.on('connect', send)
    socket.on('data', (chunk) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      const status = completeStatus(pending)
      if (status === undefined) return
      pending = Buffer.alloc(0)
      state.millis.push(performance.now() - sentAt)
      state.done += 1
      if (status !== '200') state.others[status] = (state.others[status] ?? 0) + 1
      send()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve())
  })
}

const headEnd = Buffer.from('\r\n\r\n')

/** The status of a complete answer with a content-length; undefined while bytes are missing. */
function completeStatus(bytes: Buffer): string | undefined {
  const end = bytes.indexOf(headEnd)
  if (end < 0) return undefined
  const head = bytes.toString('latin1', 0, end)
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
  return bytes.length >= end + 4 + length ? head.slice(9, 12) : undefined
}

/** The figure below which such a share of them lies; 0 of none. */
export function atShare(figures: readonly number[], share: number): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length * share)] ?? 0
}

/** The middle of several figures. */
export const median = (figures: readonly number[]): number => atShare(figures, 0.5)
