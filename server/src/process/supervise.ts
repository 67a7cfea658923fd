// Several processes on one port: this one starts and watches them and passes signals on. It serves
// nothing itself except, in sandbox mode, the stand-ins that all of them share.

import cluster from 'node:cluster'
import { RateLimiterClusterMaster } from 'rate-limiter-flexible'
import { openLog } from '../adapters/log/log.ts'
import { ProcessLink } from '../adapters/processes/process-link.ts'
import type { FiguresOfOthers } from '../adapters/processes/sibling-processes.ts'
import type { Config } from '../config/config.ts'
import { refuseUsedPort } from './listening-address.ts'
import { completeConfig, takeDataFolder } from './open-deps.ts'
import type { ToldProcess } from './serve.ts'
import { type StandIns, startStandIns } from './stand-ins.ts'
import { readyLines } from './start-lines.ts'
import { endOnFaults, stopMillis, stopOnSignals } from './stop-on-signals.ts'
import { endOf, endUntaken, type StartedProcess, Supervisor } from './supervisor.ts'

const figuresMillisMax = 1_500
const jobsMillisMax = 30_000
/** The processes end themselves in time; what hangs even so is killed this much later. */
const graceMillis = 500

/**
 * Serves with as many processes as the settings say until a signal ends the program. `program` is
 * the file that each process runs.
 * @throws errors whose message is one line for whoever started the program
 */
export async function supervise(settings: Config, program: string): Promise<void> {
  await takeDataFolder(settings)
  // Made here once, so that all processes find the same keys.
  const { config, passwordFile } = completeConfig(settings)
  const log = openLog(config)
  endOnFaults(log)
  await refuseUsedPort(config)
  let standIns: StandIns | undefined
  // Counts the limits against guessing and hoarding for all of them.
  new RateLimiterClusterMaster()
  const supervisor: Supervisor = new Supervisor({
    count: config.processes,
    log,
    start: (place) => startProcess(supervisor, place, config, standIns),
    onGivenUp: (why) => {
      process.stderr.write(`${why}\n`)
      process.exit(1)
    },
  })
  if (config.sandbox) standIns = await startStandIns(config, movedBy(supervisor))
  const drainMillis = config.drainSeconds * 1_000
  stopOnSignals({
    run: () => supervisor.stop(stopMillis(drainMillis) + graceMillis),
    millisMax: () => stopMillis(drainMillis) + 3 * graceMillis,
    onImpatience: () => {
      for (const process of supervisor.running()) process.kill('SIGKILL')
    },
  })
  const execArgv = new Set([...process.execArgv, '--enable-source-maps'])
  cluster.setupPrimary({ exec: program, execArgv: [...execArgv] })
  try {
    await supervisor.start()
  } catch (error) {
    await supervisor.stop(stopMillis(0))
    await standIns?.close()
    throw error
  }
  process.stdout.write(`${readyLines(config, passwordFile).join('\n')}\n`)
}

function movedBy(supervisor: Supervisor): Parameters<typeof startStandIns>[1] {
  return {
    moveClock(aheadSeconds) {
      for (const { link } of supervisor.running()) {
        link.ask('clock', aheadSeconds, jobsMillisMax).catch(() => undefined)
      }
    },
    async runDueJobs() {
      const asked = supervisor
        .serving()
        .map(({ link }) => link.ask('run_due_jobs', 0, jobsMillisMax))
      await Promise.allSettled(asked)
    },
  }
}

function startProcess(
  supervisor: Supervisor,
  place: number,
  config: Config,
  standIns: StandIns | undefined,
): StartedProcess {
  // A port of 0 has become a number by now.
  const worker = cluster.fork({ PORT: config.port })
  endUntaken(worker)
  const link = new ProcessLink({
    send: (message) => {
      if (worker.isConnected()) worker.send(message, () => undefined)
    },
    listen: (take) => worker.on('message', take),
  })
  const ready = new Promise<void>((resolve) => {
    link.on('ready', () => resolve())
  })
  link.on(
    'place',
    (): ToldProcess => ({
      place: { number: place, count: config.processes },
      aheadSeconds: standIns?.aheadSeconds() ?? 0,
      standIns: standIns?.address,
    }),
  )
  link.on('metrics_of_all', () => figuresBeside(supervisor, link))
  return {
    pid: worker.process.pid ?? 0,
    link,
    ready,
    end: endOf(worker),
    kill: (signal) => worker.process.kill(signal),
  }
}

/** The figures of every process but the one that asks. */
async function figuresBeside(
  supervisor: Supervisor,
  asking: ProcessLink,
): Promise<FiguresOfOthers> {
  const serving = supervisor.serving()
  const others = serving.filter(({ link }) => link !== asking)
  const answers = await Promise.allSettled(
    others.map(({ link }) => link.ask('metrics', undefined, figuresMillisMax)),
  )
  const texts = answers.flatMap((answer) =>
    answer.status === 'fulfilled' ? [String(answer.value)] : [],
  )
  const { wanted, restarts } = supervisor
  return { counts: { wanted, serving: serving.length, restarts }, texts }
}
