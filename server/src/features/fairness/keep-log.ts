// One round of the public log: append what waits, sign, have it cosigned.

import type { Deps } from '../../adapters/deps.ts'
import { appendLogEntries } from './append-entries.ts'
import { askWitnesses } from './ask-witnesses.ts'
import { signCheckpoint } from './sign-checkpoint.ts'

/** Each step stands on what the one before has committed, so none can hold an earlier one up. */
export async function keepLog(deps: Deps): Promise<void> {
  await appendLogEntries(deps)
  await signCheckpoint(deps)
  await askWitnesses(deps)
}
