// The operator's commands, such as `npm run backup`: builds if needed, then runs one.

import { buildWhenChanged } from './build.mjs'
import { install, root } from './install.mjs'

process.chdir(root)
install()
buildWhenChanged()
process.setSourceMapsEnabled(true)
await import('../server/dist/cli.js')
