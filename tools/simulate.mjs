// `npm run simulate`: a simulated community uses the product (docs/simulation.md).

import { spawn } from 'node:child_process'
import { install, root } from './install.mjs'

process.chdir(root)
install()
// Most objects of a call are garbage after it: with this much young memory they are not copied.
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
