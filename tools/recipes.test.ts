// A newcomer who follows CONTRIBUTING.md to the letter gets what it says: in a copy of the
// repository everything still compiles, keeps the rules, and its tests pass.

import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recipeSteps, takeStep } from './recipes/steps.ts'
import { cruiseTree } from './tidy/arrows.ts'
import { repositoryFiles, repositoryRoot } from './tidy/repository-files.ts'
import { faultsOf, isReadable } from './tidy/text-rules.ts'

const run = promisify(execFile)
const steps = recipeSteps(readFileSync(join(repositoryRoot, 'CONTRIBUTING.md'), 'utf8'))
const written = [...new Set(steps.map(({ path }) => path))]

let copy: string
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'redpack-recipes-'))
  for (const path of repositoryFiles()) {
    cpSync(join(repositoryRoot, path), join(copy, path), { recursive: true })
  }
  linkInstalled()
  for (const step of steps) takeStep(copy, step)
}, 60_000)
afterAll(() => rmSync(copy, { recursive: true, force: true }))

/** What is installed is the same; the workspaces are those of the copy. */
function linkInstalled(): void {
  const own = '@redpack'
  const workspaces = join(copy, 'node_modules', own)
  mkdirSync(workspaces, { recursive: true })
  for (const name of readdirSync(join(repositoryRoot, 'node_modules'))) {
    if (name === own || name === '.cache') continue
    symlinkSync(join(repositoryRoot, 'node_modules', name), join(copy, 'node_modules', name))
  }
  for (const name of ['contract', 'fair', 'server', 'web', 'sandbox']) {
    symlinkSync(join(copy, name), join(workspaces, name))
    const nested = join(repositoryRoot, name, 'node_modules')
    if (existsSync(nested)) symlinkSync(nested, join(copy, name, 'node_modules'))
  }
}

const tool = (script: string, ...options: string[]) =>
  run(join(repositoryRoot, 'node_modules', script), options, { cwd: copy }).then(
    () => '',
    (error: { stdout?: string; stderr?: string }) => `${error.stdout}${error.stderr}`,
  )

describe('the recipes', () => {
  it('say what to write, for a call, a screen, a job, a field and a kind of news', () => {
    expect(steps.length).toBeGreaterThan(12)
    expect(written.map((path) => dirname(path))).toEqual(
      expect.arrayContaining(['contract/src', 'server/src/features/packs', 'web/src/screens']),
    )
  })

  it('write what keeps the rules of text, format and lint', async () => {
    const faults = written
      .filter(isReadable)
      .flatMap((path) => faultsOf(path, readFileSync(join(copy, path), 'utf8')))
    expect(faults).toEqual([])
    expect(await tool('.bin/biome', 'ci', ...written)).toBe('')
  }, 120_000)

  it('keep the arrows', async () => {
    const { violations } = await cruiseTree(copy, ['contract', 'server', 'web'])
    expect(violations).toEqual([])
  }, 240_000)

  it('compile on both sides', async () => {
    for (const side of ['server', 'web']) {
      const project = `${side}/tsconfig.json`
      expect(await tool('typescript-native/bin/tsc', '-p', project, '--noEmit')).toBe('')
    }
  }, 300_000)

  it('have tests that pass', async () => {
    const tests = written.filter((path) => /\.test\.tsx?$/.test(path))
    expect(tests).toHaveLength(5)
    expect(await tool('.bin/vitest', 'run', ...tests, 'tools/job-words.test.ts')).toBe('')
  }, 300_000)
})
