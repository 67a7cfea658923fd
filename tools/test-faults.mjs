// `npm run test:faults`: plays faults with real parts and prints fault, promise and result; then
// runs in full the tests and journeys that `npm test` runs in part. Words after `--` go to Vitest,
// which then plays only the faults that they name.

import { buildWhenChanged } from './build.mjs'
import { install, root } from './install.mjs'
import { longJourneys, longRuns } from './whole-programs.mjs'

process.chdir(root)
install()
const { endTests, findChromium, runFaults, runNode, runPlaywright, runVitest } = await import(
  './steps.mjs'
)

/** New seeds for ten minutes, and the planted faults. */
async function runSimulation() {
  const seed = String(Math.floor(Date.now() / 1000))
  const size = ['--days', '4', '--viewers', '20', '--faults', 'harsh', '--minutes', '10']
  const script = ['--import', 'tsx', 'simulation/main.ts', '--seed', seed, ...size]
  const planted = ['--import', 'tsx', 'simulation/main.ts', '--planted', '']
  const isClean = [await runNode(script), await runNode(planted)]
  const passed = isClean.filter(Boolean).length
  return { passed, failed: isClean.length - passed, skipped: 0 }
}

buildWhenChanged()
const words = process.argv.slice(2)
const skipped = []
const counts = [await runFaults(words)]
if (words.length === 0) {
  counts.push(await runSimulation())
  const env = { LONG_RUNS: 'on' }
  counts.push(await runVitest(longRuns, env))
  const chromium = findChromium()
  if (chromium === undefined) skipped.push('screens in every theme: no Chromium')
  else counts.push(await runPlaywright(longJourneys, { ...env, CHROMIUM_PATH: chromium }))
}
endTests(counts, skipped)
