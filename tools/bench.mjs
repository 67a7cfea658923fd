// `npm run bench`: every benchmark by itself. Words after `--` choose among them by name.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { install, root } from './install.mjs'

process.chdir(root)
install()
const { runNode } = await import('./steps.mjs')

const folder = join(root, 'bench')
const chosen = process.argv.slice(2)
// A benchmark is a file that writes results; the others are what benchmarks share.
const benchmarks = readdirSync(folder)
  .filter((name) => name.endsWith('.ts') && name !== 'results.ts')
  .filter((name) => /^import .*\bwriteResults\b/m.test(readFileSync(join(folder, name), 'utf8')))
  .filter((name) => chosen.length === 0 || chosen.some((word) => name.includes(word)))
  .sort()
if (benchmarks.length === 0) {
  console.error(`No benchmark of that name: ${chosen.join(' ')}`)
  process.exit(1)
}
const failed = benchmarks.filter((name) => {
  console.log(`\n== ${name}`)
  return !runNode(['--import', 'tsx', `bench/${name}`])
})
for (const name of failed) console.log(`Failed: ${name}`)
process.exit(failed.length === 0 ? 0 : 1)
