// Runs simulations in a separate thread: one at a time, with a time limit.

import { Worker, type WorkerOptions } from 'node:worker_threads'
import type { RunSimulation, SimulationCounts, SimulationInput } from '../../rules/simulation.ts'
import { DomainError, Unavailable } from '../../shared/domain-error.ts'

const timeoutMillis = 20_000
const memoryMegabytesMax = 256

// The bundle stands beside its worker. Where sources are run, a thread has to learn to read them.
const isSource = import.meta.url.endsWith('.ts')

function startWorker(input: SimulationInput): Worker {
  const options: WorkerOptions = {
    workerData: input,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: memoryMegabytesMax },
  }
  if (!isSource) return new Worker(new URL('./simulation-worker.js', import.meta.url), options)
  const file = JSON.stringify(new URL('./simulation-worker.ts', import.meta.url).href)
  const start = `import('tsx/esm/api').then(({ register }) => (register(), import(${file})))`
  return new Worker(start, { ...options, eval: true })
}

/**
 * The runner of simulations. It refuses with wrong_state while one is under way and is Unavailable
 * after 20 seconds.
 */
export function openSimulator(): RunSimulation {
  let isRunning = false
  return async (input) => {
    if (isRunning) throw new DomainError('wrong_state', 'A simulation is already running')
    isRunning = true
    try {
      return await inThread(input)
    } finally {
      isRunning = false
    }
  }
}

function inThread(input: SimulationInput): Promise<SimulationCounts> {
  return new Promise((resolve, reject) => {
    const worker = startWorker(input)
    const timer = setTimeout(() => {
      reject(new Unavailable('The simulation took too long'))
      void worker.terminate()
    }, timeoutMillis)
    worker.once('message', (counts: SimulationCounts) => {
      resolve(counts)
    })
    worker.once('error', (cause) => {
      reject(new Unavailable('The simulation could not be run', { cause }))
    })
    worker.once('exit', () => {
      clearTimeout(timer)
      reject(new Unavailable('The simulation ended without a result'))
    })
  })
}
