// How this process is doing, as the operating system and Node count it.

import { totalmem } from 'node:os'
import { cpuUsage, memoryUsage, platform, uptime, version } from 'node:process'

export interface ServerHealth {
  /** Seconds since the start. */
  readonly uptime: number
  /** Megabytes: resident memory of the process, memory of the machine. */
  readonly memoryUsage: { readonly used: number; readonly total: number }
  readonly nodeVersion: string
  readonly platform: string
  /** Milliseconds of processor time. */
  readonly cpuUsage: { readonly user: number; readonly system: number }
}

const megabyte = 1024 * 1024

export function serverHealth(): ServerHealth {
  const cpu = cpuUsage()
  return {
    uptime: Math.floor(uptime()),
    memoryUsage: {
      used: Math.round(memoryUsage().rss / megabyte),
      total: Math.round(totalmem() / megabyte),
    },
    nodeVersion: version,
    platform,
    // Node counts microseconds.
    cpuUsage: { user: Math.round(cpu.user / 1000), system: Math.round(cpu.system / 1000) },
  }
}
