// Starts the product: settings, data folder, port, database, routes; and stops it with grace.

import type { FastifyInstance } from 'fastify'
import type { DataFolder } from './adapters/data-folder/data-folder.ts'
import { createScheduler, type Scheduler } from './adapters/jobs/scheduler.ts'
import { openLog } from './adapters/log/log.ts'
import { withoutCredentials } from './adapters/log/told-error.ts'
import { buildApp } from './app.ts'
import { type Config, loadConfig } from './config.ts'
import { productJobs } from './jobs.ts'
import { completeConfig, type OpenedWorld, openWorld, takeDataFolder } from './open-world.ts'
import { siteFolder } from './paths.ts'
import { readyLines } from './ready-lines.ts'
import { BadSettings } from './settings.ts'
import { freePort, openWaitingServer, unusableAddress } from './waiting-server.ts'

const stopMillisMax = 9_500
const requestsMillisMax = 4_000

/** What is open so far; closed from the last to the first. */
interface Running {
  app?: FastifyInstance
  opened?: OpenedWorld
  scheduler?: Scheduler
  folder?: DataFolder
}

await main()

async function main(): Promise<void> {
  const running: Running = {}
  try {
    await start(running)
  } catch (error) {
    for (const line of linesOf(error)) process.stderr.write(`${line}\n`)
    await stop(running).catch(() => undefined)
    process.exit(1)
  }
}

async function start(running: Running): Promise<void> {
  const settings = await loadSettings()
  // The folder comes first: who starts a second time on the same data is told who holds it.
  running.folder = await takeDataFolder(settings)
  const { config, passwordFile } = completeConfig(settings)
  const log = openLog(config)
  stopOnSignals(running)
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, 'the program has a fault and stops')
      process.exit(1)
    })
  }
  const waiting = await openWaitingServer(config)
  running.opened = await openWorld(config, running.folder, log, (lastWords) => {
    log.fatal({ lastWords }, 'the embedded database has stopped; a new start recovers it')
    process.exit(1)
  })
  const { world } = running.opened
  const scheduler = createScheduler(world, productJobs())
  running.scheduler = scheduler
  running.app = await buildApp(world, () => scheduler.runDueJobs(), siteFolder)
  await waiting.close()
  await listen(running.app, config)
  scheduler.start()
  for (const line of readyLines(config, passwordFile)) process.stdout.write(`${line}\n`)
}

/** A port of 0 means any free one; it must be known before addresses are made from it. */
async function loadSettings(): Promise<Config> {
  const config = loadConfig()
  if (config.port !== 0) return config
  return loadConfig({ PORT: String(await freePort(config.host)) })
}

async function listen(app: FastifyInstance, config: Config): Promise<void> {
  try {
    await app.listen({ host: config.host, port: config.port })
  } catch (error) {
    throw unusableAddress(config, error)
  }
}

function linesOf(error: unknown): readonly string[] {
  if (error instanceof BadSettings) return error.lines
  const [line = ''] = String((error as Error | null)?.message ?? error).split('\n', 1)
  return [withoutCredentials(line) || 'The start failed']
}

function stopOnSignals(running: Running): void {
  let isStopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // Who asks twice does not want to wait. Commits are safe: only the last dump is missing then.
      if (isStopping) process.exit(1)
      isStopping = true
      setTimeout(() => process.exit(1), stopMillisMax).unref()
      stop(running).then(
        () => process.exit(0),
        (error) => {
          process.stderr.write(`The stop failed: ${linesOf(error).join()}\n`)
          process.exit(1)
        },
      )
    })
  }
}

/** Takes no more requests, lets those under way finish, and closes what is open. */
async function stop({ app, opened, scheduler, folder }: Running): Promise<void> {
  const jobsEnd = scheduler?.stop()
  if (app !== undefined) {
    const impatience = setTimeout(() => app.server.closeAllConnections(), requestsMillisMax)
    await app.close()
    clearTimeout(impatience)
  }
  await jobsEnd
  await opened?.close()
  await folder?.release()
}
