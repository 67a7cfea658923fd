// `npm test`: checks everything that this machine can, and prints a count at the end.

import { buildWhenChanged } from './build.mjs'
import { install, root } from './install.mjs'
import { checkScriptBudgets } from './script-budgets.mjs'

process.chdir(root)
install()
const {
  endTests,
  findChromium,
  hasPython,
  isReachable,
  printTimes,
  quickSteps,
  runPlaywright,
  runSteps,
  runVitest,
  timed,
} = await import('./steps.mjs')

const postgresUrl = process.env['TEST_POSTGRES_URL'] ?? 'postgres://127.0.0.1:5432'
const redisUrl = process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379'
const skipped = [
  (await isReachable(postgresUrl, 5432))
    ? undefined
    : 'races and restores on PostgreSQL: no server at TEST_POSTGRES_URL',
  (await isReachable(redisUrl, 6379))
    ? undefined
    : 'events and limits through Redis: no server at TEST_REDIS_URL',
  findChromium() === undefined
    ? 'browser journeys: no Chromium (apt-get install chromium, or set CHROMIUM_PATH)'
    : undefined,
  hasPython() ? undefined : 'draws replayed by a second implementation: no python3 of 3.9 or later',
].filter((line) => line !== undefined)
for (const line of skipped) console.log(`Skipped: ${line}`)

// Tests wait for databases, locks and processes, and leave a processor idle every now and then.
const shown = []
const beside = runSteps(quickSteps(), { lanes: 1, show: (text) => shown.push(text) })
const counts = [await timed('Architecture, unit and API tests', () => runVitest())]
const failedSteps = await beside
for (const text of shown) console.log(text)
await timed('Build', buildWhenChanged)
if (!(await timed('Scripts that screens load', checkScriptBudgets))) {
  failedSteps.push('Scripts that screens load')
}
if (findChromium() !== undefined) {
  counts.push(await timed('Browser journeys', () => runPlaywright()))
}

console.log('')
printTimes()
endTests(counts, skipped, failedSteps)
