// `npm run test:faults`: plays the faults with real parts and prints fault, promise and what was
// seen; then the tests and journeys of which `npm test` does a part, as long as they are. Words
// after `--` go to Vitest, which then plays only the faults they name.

import { buildWhenChanged } from './build.mjs'
import { install, root } from './install.mjs'
import { longJourneys, longRuns } from './whole-programs.mjs'

process.chdir(root)
install()
const { findChromium, printFailedTests, runFaults, runPlaywright, runVitest } = await import(
  './steps.mjs'
)
buildWhenChanged()
const words = process.argv.slice(2)
const skipped = []
const counts = [runFaults(words)]
if (words.length === 0) {
  const env = { LONG_RUNS: 'on' }
  counts.push(runVitest(longRuns, env))
  if (findChromium() === undefined) skipped.push('screens in every theme: no Chromium')
  else counts.push(runPlaywright(longJourneys, env))
}
printFailedTests()
for (const line of skipped) console.log(`Skipped: ${line}`)
const sum = (key) => counts.reduce((total, count) => total + count[key], 0)
const more = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : ''
console.log(`${sum('passed')} passed, ${sum('failed')} failed${more}`)
process.exit(sum('failed') === 0 ? 0 : 1)
