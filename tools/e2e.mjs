// `npm run e2e`: the browser journeys on the built product. Words after `--` go to Playwright.

import { buildWhenChanged } from './build.mjs'
import { install, root } from './install.mjs'

process.chdir(root)
install()
const { endTests, findChromium, runPlaywright } = await import('./steps.mjs')
if (findChromium() === undefined) {
  console.error('Chromium is missing: apt-get install chromium, or set CHROMIUM_PATH')
  process.exit(1)
}
buildWhenChanged()
endTests([await runPlaywright(process.argv.slice(2))])
