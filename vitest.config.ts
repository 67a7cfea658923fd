// Which tests run where: one project for each workspace and one for the tools.

import { defineConfig } from 'vitest/config'
import { ProjectByProject } from './tools/test-order.ts'
import { wholePrograms } from './tools/whole-programs.mjs'

/** Tests that put something else in the place of a module that others have loaded. */
const apart = [
  'server/src/adapters/data-folder/read-only-folder.test.ts',
  'server/test/statements.test.ts',
  'server/test/plan-shapes.test.ts',
  // Its database must have started in the time that it makes up.
  'server/test/recorded-answers.test.ts',
]

/**
 * A project whose tests run in Node and stand beside what they test. Its files share what a worker
 * has loaded: the product keeps no state in its modules, and starting anew took longer than most
 * test files.
 */
function nodeProject(name: string, include: string[], isolate = false) {
  return {
    extends: true as const,
    test: {
      name,
      include,
      exclude: isolate ? wholePrograms : [...wholePrograms, ...apart],
      isolate,
      setupFiles: ['tools/quiet-test.setup.ts', 'tools/each-test.setup.ts'],
      environment: 'node',
      // What waits in vain fails; a busy machine alone makes nothing fail.
      testTimeout: 60_000,
      hookTimeout: 60_000,
      expect: { poll: { timeout: 15_000 } },
    },
  }
}

export default defineConfig({
  test: {
    // Tests wait for databases and locks, so two leave two processors idle a third of the time.
    maxWorkers: 3,
    sequence: { sequencer: ProjectByProject },
    // Most of a short run would go into transforming the same sources again.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/redpack/modules' },
    projects: [
      nodeProject('contract', ['contract/src/**/*.test.ts']),
      nodeProject('fair', ['fair/src/**/*.test.ts']),
      nodeProject('server', ['server/src/**/*.test.ts', 'server/test/**/*.test.ts']),
      nodeProject('sandbox', ['sandbox/src/**/*.test.ts']),
      nodeProject('tools', ['tools/**/*.test.ts', 'bench/**/*.test.ts', 'simulation/**/*.test.ts']),
      nodeProject('apart', apart, true),
      './web/vitest.config.ts',
    ],
  },
})
