// The operator's commands, `npm run backup` and the others: builds when needed, then runs one.

import { buildWhenChanged } from './build.mjs'
import { install, root } from './install.mjs'

process.chdir(root)
install()
buildWhenChanged()
process.setSourceMapsEnabled(true)
await import('../server/dist/cli.js')
