// Tests that start, kill or upgrade whole programs, or compile a copy of the repository. They are
// played with the faults, one after the other, so that everyday tests stay quick.

export const wholePrograms = [
  'server/test/crash.test.ts',
  'server/test/first-build.test.ts',
  'server/test/start-secrets.test.ts',
  'server/test/start.test.ts',
  'server/test/upgrade.test.ts',
  'tools/recipes.test.ts',
]
