// A Redis of a scenario's own, which may be killed, hung and started again.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { isAccepting } from '../local-server.ts'
import { freePort } from '../product-process.ts'

/** True when a Redis server is installed on this machine. */
export const hasRedisServer = spawnSync('redis-server', ['--version']).status === 0

export interface OwnRedis {
  readonly url: string
  /** Ends it at once; its port stays its own. */
  kill(): Promise<void>
  /** Connections stay open and nothing is answered, until `wake`. */
  hang(): void
  wake(): void
  /** Starts it again on the same port, empty. */
  start(): Promise<void>
}

const startMillisMax = 10_000

/** A running Redis that keeps nothing on the disk. The caller kills it in the end. */
export async function ownRedis(): Promise<OwnRedis> {
  const port = await freePort()
  let child: ChildProcess | undefined
  const redis: OwnRedis = {
    url: `redis://127.0.0.1:${port}`,
    async kill() {
      const ending = child
      child = undefined
      if (ending === undefined || ending.exitCode !== null) return
      const ended = once(ending, 'exit')
      ending.kill('SIGKILL')
      await ended
    },
    hang: () => void child?.kill('SIGSTOP'),
    wake: () => void child?.kill('SIGCONT'),
    async start() {
      const words = ['--port', String(port), '--bind', '127.0.0.1', '--save', '']
      child = spawn('redis-server', [...words, '--appendonly', 'no'], { stdio: 'ignore' })
      await answering(port)
    },
  }
  await redis.start()
  return redis
}

async function answering(port: number): Promise<void> {
  const deadline = Date.now() + startMillisMax
  while (!(await isAccepting(port))) {
    if (Date.now() > deadline) throw new Error('The Redis of the scenario did not start')
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
