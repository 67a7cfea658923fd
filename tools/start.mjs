// `npm start`: everything from a fresh clone to the running product, in this one process.

import { buildWhenChanged } from './build.mjs'
import { install, root } from './install.mjs'

process.chdir(root)
install()
buildWhenChanged()
process.setSourceMapsEnabled(true)
await import('../server/dist/main.js')
