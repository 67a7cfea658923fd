// Starts one serving process, or one that supervises several on one port.

import cluster from 'node:cluster'
import { fileURLToPath } from 'node:url'
import { ProcessLink } from '../adapters/processes/process-link.ts'
import { type Config, loadConfig } from '../config/config.ts'
import { freePort } from './listening-address.ts'
import type { ToldProcess } from './serve.ts'
import { linesOf } from './start-lines.ts'

const placeMillisMax = 10_000

try {
  await run()
} catch (error) {
  for (const line of linesOf(error)) process.stderr.write(`${line}\n`)
  process.exit(1)
}

/** Who supervises does not carry what serves. */
async function run(): Promise<void> {
  const settings = await loadSettings()
  if (settings.processes > 1 && cluster.isPrimary) {
    const { supervise } = await import('./supervise.ts')
    return supervise(settings, fileURLToPath(import.meta.url))
  }
  const { serve } = await import('./serve.ts')
  if (cluster.isPrimary) return serve(settings)
  const link = linkToSupervisor()
  const told = (await link.ask('place', undefined, placeMillisMax)) as ToldProcess
  return serve(settings, { ...told, link })
}

/** A port of 0 means any free one; it must be known before addresses are made from it. */
async function loadSettings(): Promise<Config> {
  const config = loadConfig()
  if (config.port !== 0) return config
  return loadConfig({ PORT: String(await freePort(config.host)) })
}

/** When the supervisor dies, Node ends this process; commits are safe. */
function linkToSupervisor(): ProcessLink {
  return new ProcessLink({
    send: (message) => {
      if (process.connected) process.send?.(message, undefined, {}, () => undefined)
    },
    listen: (take) => process.on('message', take),
  })
}
