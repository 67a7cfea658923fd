import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { testBegin } from '../../../../tools/test-clock.ts'
import { FolderInUse, lockFolder } from './lock.ts'

const root = mkdtempSync(join(tmpdir(), 'redpack-lock-'))
const program = join(root, 'hold-folder.mjs')
const children: ChildProcess[] = []
let folder: string
let count = 0

beforeAll(() => {
  buildSync({
    entryPoints: [fileURLToPath(new URL('../../../test/hold-folder.ts', import.meta.url))],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
  })
})

beforeEach(() => {
  count += 1
  folder = join(root, String(count))
  mkdirSync(folder)
})

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Starts a process that wants the lock; answers it with the line it printed. */
async function contender(...more: string[]): Promise<{ child: ChildProcess; line: string }> {
  const child = spawn(process.execPath, [program, folder, ...more], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const [output] = (await once(child.stdout!, 'data')) as [Buffer]
  return { child, line: output.toString().trim() }
}

describe('the lock on the data folder', () => {
  it('turns a second process away and names the holder', async () => {
    const first = await contender()
    expect(first.line).toBe('held')
    const second = await contender()
    expect(second.line).toContain(
      `The data folder ${folder} is in use by process ${first.child.pid} on ${hostname()}, started `,
    )
  })

  it('is taken over from a killed process, which leaves nothing behind', async () => {
    const first = await contender()
    first.child.kill('SIGKILL')
    await once(first.child, 'exit')
    expect((await contender()).line).toBe('held')
    expect(readdirSync(folder)).toHaveLength(2)
  })

  it('is never taken from a process whose event loop is blocked', async () => {
    const first = await contender('blocked')
    expect(first.line).toBe('held')
    const others = await Promise.all([contender(), contender()])
    for (const { line } of others) expect(line).toContain(`process ${first.child.pid} on`)
  })

  it('goes to exactly one of many that start at once on a stale lock', async () => {
    const stale = await contender()
    stale.child.kill('SIGKILL')
    await once(stale.child, 'exit')
    const lines = (await Promise.all(Array.from({ length: 6 }, () => contender()))).map(
      ({ line }) => line,
    )
    expect(lines.filter((line) => line === 'held')).toHaveLength(1)
    expect(lines.filter((line) => line.includes('is in use by'))).toHaveLength(5)
  })

  it('is free again after a release, without a trace', async () => {
    const lock = await lockFolder(folder, testBegin)
    await expect(lockFolder(folder, testBegin)).rejects.toThrow(FolderInUse)
    await lock.release()
    expect(readdirSync(folder)).toEqual([])
    await (await lockFolder(folder, testBegin)).release()
  })

  it.runIf(process.platform === 'linux')('works in a folder with a very long path', async () => {
    folder = join(folder, 'x'.repeat(100), 'y'.repeat(100))
    mkdirSync(folder, { recursive: true })
    const first = await contender()
    expect(first.line).toBe('held')
    expect((await contender()).line).toContain(`process ${first.child.pid} on`)
  })
})
