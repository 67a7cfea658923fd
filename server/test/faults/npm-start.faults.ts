// `npm start` as supervisors, terminals and scripts end it: the product stops with grace, and npm
// ends after it with its code.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { freePort } from '../product-process.ts'
import { tell } from './fault-table.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'redpack-npm-'))
const started: ChildProcess[] = []

interface Started {
  readonly child: ChildProcess
  readonly dataDir: string
  readonly port: number
  readonly exit: Promise<number | null>
}

afterEach(() => {
  for (const { pid } of started.splice(0)) {
    try {
      process.kill(-pid!, 'SIGKILL')
    } catch {
      // The whole group has ended, as it should.
    }
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Starts it in a process group of its own, as a terminal does, and waits until it is ready. */
async function startNpm(program: string, words: string[]): Promise<Started> {
  const dataDir = mkdtempSync(join(folder, 'data-'))
  const port = await freePort()
  const env = { ...process.env, NODE_ENV: '', PORT: String(port), DATA_DIR: dataDir }
  const child = spawn(program, words, {
    cwd: root,
    env: { ...env, SEED_DEMO: 'off', LOG_LEVEL: 'warn' },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  const exit = once(child, 'exit').then(([code]) => code as number | null)
  while (!output.includes('is ready at')) {
    if (child.exitCode !== null) throw new Error(`npm start ended: ${output}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return { child, dataDir, port, exit }
}

/** The last dump is written and the lock is gone: what a stop does, and a kill does not. */
async function expectGrace({ dataDir, port, exit }: Started): Promise<void> {
  expect(await exit).toBe(0)
  await expect(fetch(`http://127.0.0.1:${port}/health/live`)).rejects.toThrow()
  expect(readdirSync(join(dataDir, 'dumps'))).toHaveLength(1)
  expect(existsSync(join(dataDir, 'lock'))).toBe(false)
}

describe.skipIf(process.platform === 'win32')('npm start', () => {
  it('passes SIGTERM on and ends after the product with its code', async () => {
    const product = await startNpm('npm', ['start'])
    product.child.kill('SIGTERM')
    await expectGrace(product)
    tell({
      fault: 'A supervisor sends SIGTERM to npm start, which runs the product',
      promise: 'The product stops with grace, npm waits for it and ends with its code',
      seen: 'code 0, the last dump written, the lock released, nothing left running',
    })
  })

  it('takes a Ctrl-C that reaches the whole group, and comes along npm again, as one', async () => {
    const product = await startNpm('npm', ['start'])
    process.kill(-product.child.pid!, 'SIGINT')
    await expectGrace(product)
  })

  it('stops as a child of a shell that passes the signal on', async () => {
    const script = 'npm start & child=$!; trap "kill -TERM $child" TERM; wait $child; wait $child'
    const product = await startNpm('sh', ['-c', script])
    product.child.kill('SIGTERM')
    await expectGrace(product)
  })
})
