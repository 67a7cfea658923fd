// `npm run acceptance`: which rows of docs/requirements.md the tests prove, and which are missing.

import { register } from 'tsx/esm/api'

register()
const { runAcceptance } = await import('./acceptance/command.ts')
process.exitCode = await runAcceptance(process.argv.slice(2), console.log)
