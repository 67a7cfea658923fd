// `npm run bench`: runs every benchmark briefly, one after the other, ten minutes in all, and
// compares their ratios with the stored ones. Words after `--` choose some by name: these run in
// full, and their results are stored.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { install, root } from './install.mjs'

process.chdir(root)
install()
const { findHeadlessShell, runNode } = await import('./steps.mjs')

const folder = join(root, 'bench')
const chosen = process.argv.slice(2)
// A benchmark is a file that writes results; other files are shared by benchmarks.
const benchmarks = readdirSync(folder)
  .filter((name) => name.endsWith('.ts') && name !== 'results.ts')
  .filter((name) => /^import .*\bwriteResults\b/m.test(readFileSync(join(folder, name), 'utf8')))
  .filter((name) => chosen.length === 0 || chosen.some((word) => name.includes(word)))
  .sort()
if (benchmarks.length === 0) {
  console.error(`No benchmark of that name: ${chosen.join(' ')}`)
  process.exit(1)
}
const short = {
  BENCH_SHORT: 'on',
  BENCH_SECONDS: '1',
  BENCH_ROUNDS: '3',
  BENCH_OPENINGS: '40000',
}
const browser = { CHROMIUM_PATH: findHeadlessShell() ?? '' }
const environment = { ...(chosen.length === 0 && short), ...browser, ...process.env }

async function isDone(name) {
  const startedAt = performance.now()
  console.log(`\n== ${name}`)
  const done = await runNode(['--import', 'tsx', `bench/${name}`], environment)
  console.log(`${name} took ${Math.round((performance.now() - startedAt) / 1000)} s`)
  return done
}

async function failedOf(names) {
  const failed = []
  for (const name of names) if (!(await isDone(name))) failed.push(name)
  return failed
}

// A ratio of a short run may be off once; the cost of a change shows the second time too.
const failed = await failedOf(await failedOf(benchmarks))
for (const name of failed) console.log(`Failed twice: ${name}`)
process.exit(failed.length === 0 ? 0 : 1)
