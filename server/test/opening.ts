// What one process of the product opens packs with, for tests that call the use-case.

import type { Deps } from '../src/adapters/deps.ts'
import { logCatchUp } from '../src/features/fairness/catch-up-log.ts'
import { KeyedMutex } from '../src/features/packs/keyed-mutex.ts'
import { OddsCache } from '../src/features/packs/odds-cache.ts'
import type { Opening } from '../src/features/packs/open-packs.ts'

/** Odds and turns of its own, as a process has them; `deps` is asked for when it is needed. */
export function openingProcess(deps: () => Deps): Opening {
  let catchUp: (() => Promise<void>) | undefined
  return {
    odds: new OddsCache(),
    mutex: new KeyedMutex(),
    catchUpLog() {
      catchUp ??= logCatchUp(deps())
      return catchUp()
    },
  }
}
