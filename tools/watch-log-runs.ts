// Runs of the watcher for its tests.

import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { repositoryRoot } from './tidy/repository-files.ts'

export interface Watched {
  readonly code: number | null
  readonly out: string
  readonly alarm: string
}

const running = new Set<ChildProcess | Worker>()
const script = join(repositoryRoot, 'tools/watch-log.mjs')

/** What the program says until it ends, wherever it runs. */
function heard(program: ChildProcess | Worker, last: 'close' | 'exit'): Promise<Watched> {
  return new Promise((resolve, reject) => {
    running.add(program)
    let [out, alarm] = ['', '']
    program.stdout?.on('data', (text: Buffer) => {
      out += String(text)
    })
    program.stderr?.on('data', (text: Buffer) => {
      alarm += String(text)
    })
    program.on('error', reject)
    program.on(last, (code: number | null) => {
      running.delete(program)
      resolve({ code, out, alarm })
    })
  })
}

/** Runs the program as a stranger does. */
export const watchAsStranger = (url: string, state: string) =>
  heard(spawn(process.execPath, [script, url, '--once', '--state', state]), 'close')

/** In a thread it begins sooner, and what it waits for comes ten times as soon. */
const hurried = `
  const timers = require('node:timers/promises')
  const wait = timers.setTimeout
  timers.setTimeout = (millis) => wait(millis / 10)
  require('node:module').syncBuiltinESMExports()
  import(require('node:worker_threads').workerData)
`

/** Runs the program in this process. */
export const watch = (url: string, state: string, ...more: string[]) =>
  heard(
    new Worker(hurried, {
      eval: true,
      workerData: pathToFileURL(script).href,
      argv: [url, '--once', '--state', state, ...more],
      stdout: true,
      stderr: true,
    }),
    'exit',
  )

/** Ends what still runs. */
export async function endWatching(): Promise<void> {
  for (const program of running) {
    if (program instanceof Worker) await program.terminate()
    else program.kill()
  }
}
