// `npm run docs`: writes the generated documents; with `-- --check` it only says which are out of
// date.

import { install, root } from './install.mjs'

process.chdir(root)
install()
const { runNode } = await import('./steps.mjs')
const isWell = runNode(['--import', 'tsx', 'tools/generate-docs.ts', ...process.argv.slice(2)])
process.exit(isWell ? 0 : 1)
