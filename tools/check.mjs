// `npm run check`: checks what a change touches, within a minute or so: format, lint, types,
// architecture, and the nearest tests. It prints how many lines the change adds to product and
// tests, by room, and what is left to `npm test`. Words after `--` go to Vitest.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { addedLines, baseCommit, changedFiles } from './check/lines.mjs'
import { broughtAlong, fitInto, reachedTests, readImporters } from './check/related-tests.mjs'
import { readTestTimes } from './check/test-times.mjs'
import { install, root } from './install.mjs'

/** What is left of the minute after the first half of this command. */
const testMillisMax = 20_000
/** Style and arrows of the whole repository, whatever changed; needs no server. */
const styleTests = { file: 'tools/tidy.test.ts', names: '^(?!.*are registered)' }

process.chdir(root)
install()
const { printTimes, quickSteps, runSteps, runVitest, timed } = await import('./steps.mjs')

const changed = changedFiles()
console.log(
  changed === undefined
    ? 'No git here: everything counts as unchanged; npm test runs the tests'
    : `${changed.length} files differ from ${baseCommit().slice(0, 8)} (CHECK_BASE names another)`,
)
const failedSteps = await runSteps(quickSteps(changed))
const sum = { passed: 0, failed: failedSteps.length }
function count({ passed, failed }) {
  sum.passed += passed
  sum.failed += failed
}
const signed = (lines) => `${lines > 0 ? '+' : ''}${lines}`
const style = () => runVitest([styleTests.file, '-t', styleTests.names])
count(await timed('Style and arrows', style))

const times = readTestTimes()
const reached = reachedTests(readImporters(root), changed ?? []).filter(
  (file) => file !== styleTests.file && existsSync(join(root, file)),
)
const edited = reached.filter((file) => changed?.includes(file))
const always = [...new Set([...edited, ...broughtAlong(changed ?? [])])]
const { chosen, left } = fitInto(reached, (file) => times[file], testMillisMax, { always })
if (chosen.length > 0) {
  const nearest = () => runVitest([...chosen, ...process.argv.slice(2)])
  count(await timed('Tests nearest to the change', nearest))
}

console.log('')
printTimes()
for (const [room, { product, tests }] of addedLines(changed ?? [], baseCommit())) {
  console.log(`${room}: lines ${signed(product)} product, ${signed(tests)} tests`)
}
for (const title of failedSteps) console.log(`Failed: ${title}`)
for (const file of left.slice(0, 5)) console.log(`Left to npm test: ${file}`)
if (left.length > 5) console.log(`Left to npm test: ${left.length - 5} more test files`)
console.log('Left to npm test: browser journeys; to npm run test:faults: whole programs, faults')
console.log(`${sum.passed} passed, ${sum.failed} failed`)
process.exit(sum.failed === 0 ? 0 : 1)
