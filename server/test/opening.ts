// What one process of the product opens packs with, for tests that call the use-case.

import type { Deps } from '../src/adapters/deps.ts'
import { logCatchUp } from '../src/features/fairness/catch-up-log.ts'
import { Opening } from '../src/features/packs/open-packs.ts'

/** Odds, turns and groups of its own, as a process has them. */
export function openingProcess(deps: Deps): Opening {
  return new Opening(deps, logCatchUp(deps))
}
