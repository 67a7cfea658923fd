// `npm run check`: the quick part of `npm test`: format, lint, types, architecture, unit tests.

import { install, root } from './install.mjs'

process.chdir(root)
install()
const { quickSteps, runSteps, runVitest } = await import('./steps.mjs')

const failedSteps = runSteps(quickSteps)
console.log('\n== Architecture and unit tests')
// Tests in server/test start processes and databases; the full run has them.
const { passed, failed } = runVitest(['--exclude', 'server/test/**', ...process.argv.slice(2)])
for (const title of failedSteps) console.log(`Failed: ${title}`)
console.log(`${passed} passed, ${failed + failedSteps.length} failed`)
process.exit(failed + failedSteps.length === 0 ? 0 : 1)
