// A product of its own for those who look at it: started, waited for, and stopped.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { keeper } from './support.ts'

/** How long a start and an end may take, in milliseconds. */
export const startMillisMax = 90_000
export const stopMillisMax = 10_000

export interface ProductStart {
  /** Days that the demo's story tells; few, so that journeys begin soon. */
  readonly demoDays?: number
  /** Words for Node itself. */
  readonly words?: readonly string[]
}

/** Starts the built product in sandbox mode, with the data of a folder. */
export function startProduct(
  port: number,
  folder: string,
  { demoDays = 4, words = [] }: ProductStart = {},
): ChildProcess {
  return spawn(process.execPath, [...words, 'server/dist/main.js'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: folder,
      SANDBOX: 'on',
      DEMO_DAYS: String(demoDays),
      RATE_LIMITS: 'off',
      LOCAL_ADMIN_USERNAME: keeper.username,
      LOCAL_ADMIN_PASSWORD: keeper.password,
      LOG_LEVEL: 'warn',
      DATABASE_URL: '',
      REDIS_URL: '',
    },
  })
}

/**
 * Waits until the product answers.
 * @returns its address
 */
export async function readyAt(product: ChildProcess, port: number): Promise<string> {
  const url = `http://127.0.0.1:${port}`
  const deadline = Date.now() + startMillisMax
  while (Date.now() < deadline) {
    if (product.exitCode !== null) throw new Error(`The product ended with ${product.exitCode}`)
    const answer = await fetch(`${url}/health/ready`).catch(() => undefined)
    if (answer?.ok) return url
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('The product did not get ready')
}

/** Ends the product, by force when it does not end by itself in time. */
export async function stop(product: ChildProcess): Promise<void> {
  if (product.exitCode !== null) return
  const exit = once(product, 'exit')
  const impatience = setTimeout(() => product.kill('SIGKILL'), stopMillisMax)
  product.kill('SIGTERM')
  await exit
  clearTimeout(impatience)
}
