// `npm run simulate`: the product lived through by a simulated community (docs/simulation.md).

import { spawn } from 'node:child_process'
import { install, root } from './install.mjs'

process.chdir(root)
install()
// Most of what a call makes is gone after it: young memory of this size need not be copied.
const words = [
  '--max-semi-space-size=64',
  '--import',
  'tsx',
  'simulation/main.ts',
  ...process.argv.slice(2),
]
const child = spawn(process.execPath, words, { stdio: 'inherit' })
// The run itself says where it was.
process.on('SIGINT', () => undefined)
child.once('close', (status) => process.exit(status ?? 1))
