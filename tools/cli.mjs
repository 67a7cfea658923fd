// `npm run backup`, `restore` and `verify:economy`: builds when needed, then runs the command.

import { buildWhenChanged } from './build.mjs'
import { install, root } from './install.mjs'

process.chdir(root)
install()
buildWhenChanged()
process.setSourceMapsEnabled(true)
await import('../server/dist/cli.js')
