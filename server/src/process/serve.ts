// One serving process: data folder, port, database, routes, jobs; and its graceful stop.

import type { FastifyInstance } from 'fastify'
import type { MovableClock } from '../adapters/clock/clock.ts'
import type { DataFolder } from '../adapters/data-folder/data-folder.ts'
import type { StandInsAddress } from '../adapters/http/stand-ins-forwarding.ts'
import { createScheduler, type Scheduler } from '../adapters/jobs/scheduler.ts'
import { openLog } from '../adapters/log/log.ts'
import type { ProcessLink } from '../adapters/processes/process-link.ts'
import { type ProcessPlace, siblingsOver } from '../adapters/processes/sibling-processes.ts'
import { systemRandom } from '../adapters/random/random.ts'
import { scriptedRandom } from '../adapters/random/scripted-random.ts'
import { buildApp } from '../app.ts'
import type { Config } from '../config/config.ts'
import { productJobs } from '../jobs.ts'
import { siteFolder } from '../paths.ts'
import { HttpListener } from './http-listener.ts'
import { refuseUsedPort } from './listening-address.ts'
import { completeConfig, type OpenedDeps, openDeps, takeDataFolder } from './open-deps.ts'
import { diceFolderIn } from './stand-ins.ts'
import { readyLines } from './start-lines.ts'
import { endOnFaults, stopMillis, stopOnSignals } from './stop-on-signals.ts'

const requestsMillisMax = 4_000
/** A process that still waits for its database after this time listens, so that it is seen live. */
const quietMillisMax = 10_000
const readyMillisMax = 5_000

/** What is open so far; closed from the last to the first. */
interface Running {
  config?: Config
  listener?: HttpListener
  app?: FastifyInstance
  opened?: OpenedDeps
  scheduler?: Scheduler
  folder?: DataFolder
}

/** What a process is told by the one that supervises it. */
export interface ToldProcess {
  readonly place: ProcessPlace
  readonly aheadSeconds: number
  /** The process that has the stand-ins of a sandbox. */
  readonly standIns: StandInsAddress | undefined
}

/** A process that serves beside others on one port. */
export interface AmongOthers extends ToldProcess {
  readonly link: ProcessLink
}

/**
 * Serves until a signal ends the program. `others` when the port is shared with further processes.
 * @throws errors whose message is one line for whoever started the program
 */
export async function serve(settings: Config, others?: AmongOthers): Promise<void> {
  const running: Running = {}
  try {
    await start(running, settings, others)
  } catch (error) {
    await stop(running).catch(() => undefined)
    throw error
  }
}

async function start(running: Running, settings: Config, others?: AmongOthers): Promise<void> {
  // The folder comes first: who starts a second time on the same data is told who holds it.
  running.folder = await takeDataFolder(settings)
  const { config, passwordFile } = completeConfig(settings)
  running.config = config
  const log = openLog(config)
  stopOnSignals({
    run: () => stop(running).then(() => true),
    millisMax: () => stopMillis(drainMillis(running)),
  })
  endOnFaults(log)
  const listener = new HttpListener(config)
  running.listener = listener
  await takePort(listener, config, others)
  running.opened = await openDeps(
    config,
    running.folder,
    log,
    (lastWords) => {
      log.fatal({ lastWords }, 'the embedded database has stopped; a new start recovers it')
      process.exit(1)
    },
    others && scriptedRandom(diceFolderIn(config.dataDir), systemRandom),
  )
  const { deps } = running.opened
  const scheduler = createScheduler(deps, productJobs())
  running.scheduler = scheduler
  const { serverFactory } = listener
  running.app = await buildApp(deps, {
    runDueJobs: () => scheduler.runDueJobs(),
    siteFolder,
    serverFactory,
    siblings: others && siblingsOver(others.link, others.place),
    standIns: others?.standIns,
  })
  await running.app.ready()
  if (others !== undefined && config.sandbox) {
    followClock(others, deps.clock as MovableClock, scheduler)
  }
  listener.open()
  await listener.listen()
  scheduler.start()
  if (others !== undefined) await others.link.ask('ready', undefined, readyMillisMax)
  // At once, so that whoever waits for the first line has the others as well.
  else process.stdout.write(`${readyLines(config, passwordFile).join('\n')}\n`)
}

/**
 * Finds out first whether the port can be had. Alone on its database the process listens at once,
 * and who comes too early waits. With PostgreSQL other processes may serve meanwhile: a proxy that
 * is refused here turns to them, so this one listens when it can answer. Where the port is shared,
 * the process that supervises has looked at it.
 */
async function takePort(
  listener: HttpListener,
  config: Config,
  others?: AmongOthers,
): Promise<void> {
  if (config.databaseUrl === undefined) return listener.listen()
  if (others === undefined) await refuseUsedPort(config)
  // Should the port be taken by then, the end of the start says so.
  setTimeout(() => listener.listen().catch(() => undefined), quietMillisMax).unref()
}

/** The clock of a sandbox is moved for all processes at once, and each then does what is due. */
function followClock({ link, aheadSeconds }: AmongOthers, clock: MovableClock, jobs: Scheduler) {
  let ahead = 0
  const follow = (seconds: unknown) => {
    // Told twice it is moved once.
    const further = Math.max(0, Number(seconds) - ahead)
    clock.advance(further)
    ahead += further
  }
  follow(aheadSeconds)
  link.on('clock', follow)
  link.on('run_due_jobs', () => jobs.runDueJobs())
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
  const { app, listener, opened, scheduler, folder } = running
  const jobsEnd = scheduler?.stop()
  listener?.leave()
  opened?.interrupt()
  await new Promise((resolve) => setTimeout(resolve, drainMillis(running)))
  await listener?.close(requestsMillisMax)
  await app?.close()
  await jobsEnd
  await opened?.close()
  await folder?.release()
}
