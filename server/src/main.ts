// Starts the product: settings, data folder, port, database, routes; and stops it with grace.

import type { FastifyInstance } from 'fastify'
import type { DataFolder } from './adapters/data-folder/data-folder.ts'
import { createScheduler, type Scheduler } from './adapters/jobs/scheduler.ts'
import { openLog } from './adapters/log/log.ts'
import { withoutCredentials } from './adapters/log/told-error.ts'
import { buildApp } from './app.ts'
import { type Config, loadConfig } from './config.ts'
import { Entrance } from './entrance.ts'
import { productJobs } from './jobs.ts'
import { freePort, refuseUsedPort } from './listening-address.ts'
import { completeConfig, type OpenedDeps, openDeps, takeDataFolder } from './open-deps.ts'
import { siteFolder } from './paths.ts'
import { readyLines } from './ready-lines.ts'
import { BadSettings } from './settings.ts'

/** A stop takes at most this long, and as much longer as more than 5 s are asked for the drain. */
const stopMillisMax = 9_500
const drainMillisWithin = 5_000
const requestsMillisMax = 4_000
/** Signals within this time are one that came along two ways. */
const sameSignalMillis = 1_500
/** A process that still waits for its database after this time listens, so that it is seen live. */
const quietMillisMax = 10_000

/** What is open so far; closed from the last to the first. */
interface Running {
  config?: Config
  entrance?: Entrance
  app?: FastifyInstance
  opened?: OpenedDeps
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
  running.config = config
  const log = openLog(config)
  stopOnSignals(running)
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, 'the program has a fault and stops')
      process.exit(1)
    })
  }
  const entrance = new Entrance(config)
  running.entrance = entrance
  await takePort(entrance, config)
  running.opened = await openDeps(config, running.folder, log, (lastWords) => {
    log.fatal({ lastWords }, 'the embedded database has stopped; a new start recovers it')
    process.exit(1)
  })
  const { deps } = running.opened
  const scheduler = createScheduler(deps, productJobs())
  running.scheduler = scheduler
  const { serverFactory } = entrance
  running.app = await buildApp(deps, {
    runDueJobs: () => scheduler.runDueJobs(),
    siteFolder,
    serverFactory,
  })
  await running.app.ready()
  entrance.open()
  await entrance.listen()
  scheduler.start()
  // At once, so that whoever waits for the first line has the others as well.
  process.stdout.write(`${readyLines(config, passwordFile).join('\n')}\n`)
}

/** A port of 0 means any free one; it must be known before addresses are made from it. */
async function loadSettings(): Promise<Config> {
  const config = loadConfig()
  if (config.port !== 0) return config
  return loadConfig({ PORT: String(await freePort(config.host)) })
}

/**
 * Finds out first whether the port can be had. Alone on its database the process listens at once,
 * and who comes too early waits. With PostgreSQL other processes may serve meanwhile: a proxy that
 * is refused here turns to them, so this one listens when it can answer.
 */
async function takePort(entrance: Entrance, config: Config): Promise<void> {
  if (config.databaseUrl === undefined) return entrance.listen()
  await refuseUsedPort(config)
  // Should the port be taken by then, the end of the start says so.
  setTimeout(() => entrance.listen().catch(() => undefined), quietMillisMax).unref()
}

function linesOf(error: unknown): readonly string[] {
  if (error instanceof BadSettings) return error.lines
  const [line = ''] = String((error as Error | null)?.message ?? error).split('\n', 1)
  return [withoutCredentials(line) || 'The start failed']
}

function stopOnSignals(running: Running): void {
  let askedAtMillis: number | undefined
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (askedAtMillis !== undefined) {
        // Who asks twice does not want to wait. Commits are safe: only the last dump is missing
        // then. A terminal asks the whole group, and npm passes on what it got: that is once.
        if (performance.now() - askedAtMillis > sameSignalMillis) process.exit(1)
        return
      }
      askedAtMillis = performance.now()
      const longer = Math.max(0, drainMillis(running) - drainMillisWithin)
      setTimeout(() => process.exit(1), stopMillisMax + longer).unref()
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

/** Nothing was sent here by a proxy before the product was built. */
function drainMillis({ app, config }: Running): number {
  return app === undefined ? 0 : (config?.drainSeconds ?? 0) * 1_000
}

/**
 * Is ready no more but serves on for the drain, so that proxies have turned away before it takes no
 * more; then lets what is under way finish, and closes what is open.
 */
async function stop(running: Running): Promise<void> {
  const { app, entrance, opened, scheduler, folder } = running
  const jobsEnd = scheduler?.stop()
  entrance?.leave()
  await new Promise((resolve) => setTimeout(resolve, drainMillis(running)))
  await entrance?.close(requestsMillisMax)
  await app?.close()
  await jobsEnd
  await opened?.close()
  await folder?.release()
}
