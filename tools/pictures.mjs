// `npm run pictures`: retakes the pictures of docs/pictures from a separate product on the port
// `E2E_PORT`. Words after `--` name single scenes of `e2e/pictures/scenes.ts`.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { buildWhenChanged } from './build.mjs'
import { install, root } from './install.mjs'

process.chdir(root)
install()
const { findChromium } = await import('./steps.mjs')
const chromium = findChromium()
if (chromium === undefined) {
  console.error('Chromium is missing: apt-get install chromium, or set CHROMIUM_PATH')
  process.exit(1)
}
buildWhenChanged()
const words = [
  join(root, 'node_modules/tsx/dist/cli.mjs'),
  'e2e/pictures/main.ts',
  ...process.argv.slice(2),
]
const { status } = spawnSync(process.execPath, words, {
  stdio: 'inherit',
  env: { ...process.env, CHROMIUM_PATH: chromium },
})
process.exit(status ?? 1)
