// The figures that docs/capacity.md counts with: measured costs of one of each thing, and habits.

import type { Habits, UnitCosts } from './capacity-sums.ts'

/** Measured by `npm run bench -- processes` and `event-night`; see docs/capacity.md. */
export const capacityUnits: UnitCosts = {
  poll: { server: 0.6, database: 0.37 },
  heartbeat: { server: 1.2, database: 0.4 },
  opening: { server: 2.1, database: 2 },
  frame: { server: 0.03 },
  socketBytes: 11_946,
  pollBytes: 1_100,
  heartbeatBytes: 1_400,
  openingBytes: 3_000,
  frameBytes: 60,
}

/** An evening on which everybody watches and opens a pack every hundred seconds. */
export const capacityHabits: Habits = {
  pollEverySeconds: 5,
  beatEverySeconds: 30,
  openEverySeconds: 100,
  framesPerSecond: 1,
}

export const sizes = [10_000, 100_000, 1_000_000] as const
