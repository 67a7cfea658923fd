// How many processes serve on one port.

import { availableParallelism } from 'node:os'
import type { Settings } from './settings.ts'

const processesMax = 64

/**
 * Reads PROCESSES: a number, or `auto` for one a core. With the embedded database there is one, and
 * more are refused: it has one connection and one owner.
 */
export function readProcesses(settings: Settings, databaseUrl: string | undefined): number {
  const value = settings.text('PROCESSES')
  if (value === undefined) return 1
  const isEmbedded = databaseUrl === undefined
  if (value === 'auto') return isEmbedded ? 1 : Math.min(availableParallelism(), processesMax)
  const count = Number(value)
  if (!/^\d{1,2}$/.test(value) || count < 1 || count > processesMax) {
    settings.refuse(
      'PROCESSES',
      `must be auto or a number from 1 to ${processesMax}, not "${value}"`,
    )
    return 1
  }
  if (isEmbedded && count > 1) {
    settings.refuse(
      'PROCESSES',
      'must be 1 with the embedded database, which one process alone can open; for several set ' +
        'DATABASE_URL',
    )
  }
  return count
}
