// What work takes of the processor, in this process and in PostgreSQL on the same machine.

import { readdirSync, readFileSync } from 'node:fs'
import type { Database } from '../server/src/adapters/db/database.ts'

export interface Measured {
  /** By the clock. */
  readonly seconds: number
  /** Of the processor, in this process and in PostgreSQL. */
  readonly processorSeconds: number
  /** Of the processor, in this process alone. */
  readonly processSeconds: number
}

/** What `work` takes. What others ask of PostgreSQL meanwhile counts as well. */
export async function measured(db: Database, work: () => Promise<unknown>): Promise<Measured> {
  const [before, serverBefore] = [process.cpuUsage(), serverSeconds(db)]
  const started = performance.now()
  await work()
  const seconds = (performance.now() - started) / 1000
  const { user, system } = process.cpuUsage(before)
  const processSeconds = (user + system) / 1e6
  const ofServer = serverSeconds(db) - serverBefore
  const rounded = (value: number) => Number(value.toFixed(2))
  return {
    seconds: rounded(seconds),
    processorSeconds: rounded(processSeconds + ofServer),
    processSeconds: rounded(processSeconds),
  }
}

const ticksPerSecond = 100

/** All processes of PostgreSQL, ended ones with their parents; 0 for the embedded one. */
function serverSeconds(db: Database): number {
  if (db.kind === 'embedded') return 0
  let ticks = 0
  for (const pid of readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name))) {
    for (const field of timesOf(pid)) ticks += Number(field)
  }
  return ticks / ticksPerSecond
}

/** Ticks of a process of PostgreSQL and of its ended children; none for any other. */
function timesOf(pid: string): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    if (!stat.includes('(postgres)')) return []
    return stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15)
  } catch {
    // It has ended meanwhile.
    return []
  }
}
