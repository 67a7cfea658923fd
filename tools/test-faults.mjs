// `npm run test:faults`: plays the faults with real parts and prints fault, promise and what was
// seen. Words after `--` go to Vitest.

import { buildWhenChanged } from './build.mjs'
import { install, root } from './install.mjs'

process.chdir(root)
install()
const { runFaults } = await import('./steps.mjs')
buildWhenChanged()
const { passed, failed, skipped } = runFaults(process.argv.slice(2))
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exit(failed === 0 ? 0 : 1)
