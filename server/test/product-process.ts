// The built product as a process of its own, as an operator starts it.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listenLocally } from './local-server.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const buildLock = `${root}node_modules/.cache/redpack/build.lock`
const buildMillisMax = 60_000

/**
 * Builds the server when its sources have changed. Test files that run together build one by one.
 */
export async function buildServer(): Promise<void> {
  mkdirSync(dirname(buildLock), { recursive: true })
  for (const startMillis = performance.now(); ; ) {
    try {
      mkdirSync(buildLock)
      break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      // Left behind by a run that was killed.
      if (performance.now() - startMillis > buildMillisMax) rmSync(buildLock, { recursive: true })
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  try {
    execFileSync(process.execPath, ['tools/build.mjs', 'server'], { cwd: root, stdio: 'inherit' })
  } finally {
    rmSync(buildLock, { recursive: true, force: true })
  }
}

export interface ProductProcess {
  readonly child: ChildProcess
  readonly url: string
  /** Everything printed so far. */
  readonly output: () => string
  readonly errors: () => string
  /** Ends with the exit code. */
  readonly exit: Promise<number | null>
  /**
   * Waits until the product says that it is ready.
   * @throws with what it printed when it ends first
   */
  ready(): Promise<void>
}

/** A port that nobody listens on now. */
export async function freePort(): Promise<number> {
  const { port, close } = await listenLocally(createServer())
  await close()
  return port
}

/** Process ids of those that the process has started and that run. */
export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number)
  } catch {
    return []
  }
}

/** Starts a built program with these settings and no others. */
export function startProgram(
  program: 'main' | 'cli',
  settings: Record<string, string>,
  options: { words?: string[]; cwd?: string; repository?: string; uid?: number } = {},
): ProductProcess {
  const script = join(options.repository ?? root, 'server/dist', `${program}.js`)
  const child = spawn(process.execPath, [script, ...(options.words ?? [])], {
    cwd: options.cwd ?? root,
    env: { PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'warn', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.uid === undefined ? {} : { uid: options.uid }),
  })
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  const exit = once(child, 'close').then(([code]) => code as number | null)
  return {
    child,
    url: `http://127.0.0.1:${settings['PORT'] ?? ''}`,
    output: () => output,
    errors: () => errors,
    exit,
    async ready() {
      let isOver = false
      void exit.then(() => {
        isOver = true
      })
      while (!output.includes('is ready at')) {
        if (isOver) throw new Error(`The product ended: ${output}${errors}`)
        await new Promise((resolve) => setTimeout(resolve, 25))
      }
    },
  }
}
