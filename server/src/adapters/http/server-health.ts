// The health of this process, as measured by the operating system and Node.

import { hostname, totalmem } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { cpuUsage, memoryUsage, pid, platform, uptime, version } from 'node:process'
import type { AdminStats } from '@redpack/contract'
import manifest from '../../../package.json' with { type: 'json' }
import type { ProcessFigures } from '../../rules/server-figures.ts'
import type { ProcessPlace } from '../processes/sibling-processes.ts'

const megabyte = 1024 * 1024

export function serverHealth(): AdminStats['serverHealth'] {
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

const lagResolutionMillis = 20
const lagWindowMillis = 30_000
const nanosPerSecond = 1e9

/** Watches the event loop of this process until it is stopped. */
export function watchProcess(place?: ProcessPlace): { figures(): ProcessFigures; stop(): void } {
  const startedAt = new Date(Date.now() - uptime() * 1000)
  const lag = monitorEventLoopDelay({ resolution: lagResolutionMillis })
  lag.enable()
  const measured = () => ({
    // Its own interval is no delay.
    p50: delaySeconds(lag.percentile(50)),
    p99: delaySeconds(lag.percentile(99)),
    max: delaySeconds(lag.max),
  })
  // Of whole windows, so that it does not matter who looks how often.
  let last: ProcessFigures['loopLagSeconds'] | undefined
  const timer = setInterval(() => {
    last = measured()
    lag.reset()
  }, lagWindowMillis).unref()
  return {
    figures: () => ({
      name: `${hostname()} ${pid}${place ? `, ${place.number} of ${place.count}` : ''}`,
      version: manifest.version,
      startedAt,
      residentBytes: memoryUsage.rss(),
      loopLagSeconds: last ?? measured(),
    }),
    stop() {
      clearInterval(timer)
      lag.disable()
    },
  }
}

function delaySeconds(nanos: number): number {
  return Math.max(0, nanos / nanosPerSecond - lagResolutionMillis / 1000)
}
