// Tests that only `npm run test:faults` runs, or runs in full, so that everyday tests stay quick.

/**
 * Test files that start or kill whole programs, make new databases, compile a copy of the
 * repository, or use programs in other languages. They run only there, one after the other.
 */
export const wholePrograms = [
  'server/src/adapters/db/embedded.test.ts',
  'server/src/adapters/db/refused-start.test.ts',
  'server/src/cli/backup.test.ts',
  'server/src/cli/remove-second-factor.test.ts',
  'server/src/cli/verify-and-drill.test.ts',
  'server/test/crash.test.ts',
  'server/test/lost-key.test.ts',
  'server/test/start-secrets.test.ts',
  'server/test/start.test.ts',
  'tools/log-judge.test.ts',
  'tools/recipes.test.ts',
]

/**
 * Test files that do part of their work in `npm test` and all of it with the faults, and those of
 * features, which use the embedded database there.
 */
export const longRuns = [
  'server/src/features/',
  'server/src/rules/post-schedule.test.ts',
  'server/test/false-alarms.test.ts',
  'server/test/hostile-input.test.ts',
  'server/test/log-canaries.test.ts',
  'server/test/outbox.test.ts',
  'server/test/races.test.ts',
  'server/test/two-processes.test.ts',
  'simulation/simulation.test.ts',
]

/** Journeys that try some themes, widths, screens or hands in `npm test`, and all of them here. */
export const longJourneys = [
  'axe.spec',
  'layout-shift',
  'navigation.spec',
  'opening-',
  'player-',
  'reading-preferences',
  'staff-deletions',
  'staff.spec',
]
