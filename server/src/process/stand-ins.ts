// The stand-ins of Twitch and Discord for several serving processes: the supervising process hosts
// them, so that codes, tokens, channels and messages are the same for all.

import { randomBytes, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import Fastify from 'fastify'
import { movableClock } from '../adapters/clock/clock.ts'
import { standInsPassHeader } from '../adapters/http/stand-ins-forwarding.ts'
import { systemRandom } from '../adapters/random/random.ts'
import { scriptedRandom } from '../adapters/random/scripted-random.ts'
import type { Config } from '../config/config.ts'
import { mountStandIns } from './sandbox-mount.ts'

/** The processes, as far as the stand-ins move them. */
export interface MovedProcesses {
  /** Tells every process by how many seconds the clock is ahead now. */
  moveClock(aheadSeconds: number): void
  /** Lets every process run the jobs that are due, and waits for them. */
  runDueJobs(): Promise<void>
}

export type StandIns = Awaited<ReturnType<typeof startStandIns>>

const diceFolder = 'sandbox-dice'
const passBytes = 32

/** Where the seeds lie that the sandbox's dice are to show next. */
export function diceFolderIn(dataDir: string): string {
  return join(dataDir, diceFolder)
}

/**
 * Listens on a free port of this machine. Nobody is answered who does not carry the pass: the
 * processes do, and they let in whom the product lets in.
 */
export async function startStandIns(config: Config, processes: MovedProcesses) {
  const clock = movableClock()
  const dice = scriptedRandom(diceFolderIn(config.dataDir), systemRandom)
  dice.reset()
  const pass = randomBytes(passBytes)
  const app = Fastify({ bodyLimit: 1024 * 1024, forceCloseConnections: true })
  app.addHook('onRequest', async (request, reply) => {
    const shown = Buffer.from(String(request.headers[standInsPassHeader]), 'hex')
    if (shown.length === pass.length && timingSafeEqual(shown, pass)) return undefined
    return reply.code(403).send()
  })
  const aheadSeconds = () => (clock.now().getTime() - Date.now()) / 1000
  await mountStandIns(app, config, {
    clock: {
      ...clock,
      advance(seconds) {
        clock.advance(seconds)
        processes.moveClock(aheadSeconds())
      },
    },
    dice,
    runDueJobs: () => processes.runDueJobs(),
  })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    address: { port: Number(new URL(origin).port), pass: pass.toString('hex') },
    aheadSeconds,
    close: () => app.close(),
  }
}
