// The product, or what it is compared with, in a process of its own, as benchmarks start it.

import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Starts the product over a database; it listens once this is resolved. */
export function startServer(
  databaseUrl: string,
  port: number,
  environment: Record<string, string> = {},
): Promise<ChildProcess> {
  return start('./bench-server.ts', databaseUrl, port, environment)
}

/** Starts the server that is written the ordinary way, over a database of the product. */
export function startOrdinaryServer(databaseUrl: string, port: number): Promise<ChildProcess> {
  return start('./ordinary-server.ts', databaseUrl, port, {})
}

function start(
  file: string,
  databaseUrl: string,
  port: number,
  environment: Record<string, string>,
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

/** Processor time of a process so far, in seconds; Linux counts in hundredths. */
export function processorSeconds(child: ChildProcess): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}
