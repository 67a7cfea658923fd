// `npm run e2e`: the browser journeys on the built product. Words after `--` go to Playwright.

import { buildWhenChanged } from './build.mjs'
import { install, root } from './install.mjs'

process.chdir(root)
install()
const { findChromium, printFailedTests, runPlaywright } = await import('./steps.mjs')
if (findChromium() === undefined) {
  console.error('Chromium is missing: apt-get install chromium, or set CHROMIUM_PATH')
  process.exit(1)
}
buildWhenChanged()
const { passed, failed, skipped } = runPlaywright(process.argv.slice(2))
printFailedTests()
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exit(failed === 0 ? 0 : 1)
