// What one process of the product opens packs with, for tests that call the use-case.

import type { World } from '../src/adapters/world.ts'
import { logCatchUp } from '../src/features/draw-log/catch-up.ts'
import { OddsCache } from '../src/features/packs/odds-cache.ts'
import type { Opening } from '../src/features/packs/open-packs.ts'
import { Turns } from '../src/features/packs/turns.ts'

/** Odds and turns of its own, as a process has them; `world` is asked for when it is needed. */
export function openingProcess(world: () => World): Opening {
  let catchUp: (() => Promise<void>) | undefined
  return {
    odds: new OddsCache(),
    turns: new Turns(),
    catchUpLog() {
      catchUp ??= logCatchUp(world())
      return catchUp()
    },
  }
}
