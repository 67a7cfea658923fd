// Lets the public log go on after its key or its history was lost.

import { systemClock } from '../adapters/clock/clock.ts'
import { generatedLogKey } from '../adapters/data-folder/generated-keys.ts'
import { lastCheckpointIn } from '../adapters/data-folder/last-checkpoint.ts'
import { systemRandom } from '../adapters/random/random.ts'
import { publicLog } from '../adapters/transparency-log/public-log.ts'
import type { Config } from '../config/config.ts'
import { renewLog } from '../features/fairness/public-log.ts'
import { type CommandOutput, withDatabase } from './command.ts'

/** Says what was done, and what the operator owes to those who keep watch. */
export async function renewPublicLog(config: Config, output: CommandOutput): Promise<void> {
  const renewal = await withDatabase(config, (db) => {
    const logSigningKey = config.logSigningKey ?? generatedLogKey(config.dataDir, systemRandom)
    const log = publicLog({ ...config, logSigningKey }, lastCheckpointIn(config.dataDir))
    return renewLog({ db, clock: systemClock, publicLog: log })
  })
  const { kind, origin = '', fromSize = 0 } = renewal
  const lines = {
    none: ['The public log was never signed; the next start begins it'],
    no_key: ['There is no key to sign the public log with'],
    well: ['The public log is well and has its key; nothing was changed'],
    new_key: [
      `The log ${origin} goes on with another key from entry ${fromSize} on`,
      'Publish the new key (GET /log/key): whoever keeps watch is warned of it',
    ],
    new_log: [
      `A new log begins under the name ${origin} with ${fromSize} entries`,
      'Say in public why: whoever kept watch of the one before is warned of it',
    ],
  }
  for (const line of lines[kind]) output.line(line)
}
