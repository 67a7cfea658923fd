// The product, or what it is compared with, in a process of its own, and what processes take.

import { type ChildProcess, fork } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Database } from '../server/src/adapters/db/database.ts'

/**
 * Starts the product over a database, or the server that is written the ordinary way; it listens
 * once this is resolved.
 */
export function startServer(
  databaseUrl: string,
  port: number,
  environment: Record<string, string> = {},
  file: './bench-server.ts' | './ordinary-server.ts' = './bench-server.ts',
): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      RATE_LIMITS: 'off',
      NODE_ENV: 'test',
      ...environment,
    },
    execArgv: ['--import', 'tsx'],
  })
  return new Promise((resolve, reject) => {
    child.once('message', () => resolve(child))
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}`)))
  })
}

/** Memory of a process in bytes, as Linux counts what is resident. */
export function residentBytes(child: ChildProcess): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'latin1')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024
}

/** Processor time of a process so far, in seconds. */
export function processorSeconds(child: ChildProcess): number {
  return secondsIn(statOf(child.pid ?? 0), 2)
}

/** What `work` takes. What others ask of PostgreSQL meanwhile counts as well. */
export async function measured(db: Database, work: () => Promise<unknown>) {
  const [before, serverBefore] = [process.cpuUsage(), databaseSeconds(db)]
  const started = performance.now()
  await work()
  const seconds = (performance.now() - started) / 1000
  const { user, system } = process.cpuUsage(before)
  const processSeconds = (user + system) / 1e6
  const ofServer = databaseSeconds(db) - serverBefore
  const rounded = (value: number) => Number(value.toFixed(2))
  return {
    /** By the clock. */
    seconds: rounded(seconds),
    /** Of the processor, in this process and in PostgreSQL. */
    processorSeconds: rounded(processSeconds + ofServer),
    /** Of the processor, in this process alone. */
    processSeconds: rounded(processSeconds),
  }
}

/** All processes of PostgreSQL, ended ones with their parents; 0 for the embedded one. */
function databaseSeconds(db: Database): number {
  if (db.kind === 'embedded') return 0
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .map((pid) => statOf(Number(pid)))
    .reduce((sum, stat) => sum + (stat.startsWith('(postgres)') ? secondsIn(stat, 4) : 0), 0)
}

/** What Linux says of a process, from its name on; nothing when it has ended meanwhile. */
function statOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.indexOf('('))
  } catch {
    return ''
  }
}

const ticksPerSecond = 100

/** Its own time of user and system, and with four figures that of its ended children. */
function secondsIn(stat: string, figures: 2 | 4): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = fields.slice(11, 11 + figures).reduce((sum, field) => sum + Number(field), 0)
  return ticks / ticksPerSecond
}
