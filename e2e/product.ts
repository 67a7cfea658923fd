// The product that the journeys of one Playwright worker drive: a process, a port, a database and
// a clock of its own, so that workers cannot disturb each other.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base } from '@playwright/test'
import { keeper } from './support.ts'

const firstPort = Number(process.env['E2E_PORT'] ?? 3217)
const startMillisMax = 90_000
const stopMillisMax = 10_000

/** Playwright's `test`, with addresses that lead to the worker's own product. */
export const test = base.extend<object, { productUrl: string }>({
  productUrl: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the pattern
    async ({}, use, { parallelIndex }) => {
      const port = firstPort + parallelIndex
      const folder = await mkdtemp(join(tmpdir(), 'redpack-e2e-'))
      const product = startProduct(port, folder)
      try {
        await use(await readyAt(product, port))
      } finally {
        await stop(product)
        await rm(folder, { recursive: true, force: true })
      }
    },
    { scope: 'worker', timeout: startMillisMax + stopMillisMax },
  ],
  baseURL: ({ productUrl }, use) => use(productUrl),
})

function startProduct(port: number, folder: string): ChildProcess {
  return spawn(process.execPath, ['server/dist/main.js'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: folder,
      SANDBOX: 'on',
      DEMO_DAYS: '4',
      RATE_LIMITS: 'off',
      LOCAL_ADMIN_USERNAME: keeper.username,
      LOCAL_ADMIN_PASSWORD: keeper.password,
      LOG_LEVEL: 'warn',
      DATABASE_URL: '',
      REDIS_URL: '',
    },
  })
}

async function readyAt(product: ChildProcess, port: number): Promise<string> {
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

async function stop(product: ChildProcess): Promise<void> {
  if (product.exitCode !== null) return
  const exit = once(product, 'exit')
  const impatience = setTimeout(() => product.kill('SIGKILL'), stopMillisMax)
  product.kill('SIGTERM')
  await exit
  clearTimeout(impatience)
}
