// Which tests run where: one project for each workspace and one for the tools.

import { defineConfig } from 'vitest/config'
import { wholePrograms } from './tools/whole-programs.mjs'

/** A project whose tests run in Node and stand beside what they test. */
function nodeProject(name: string, include: string[]) {
  return {
    extends: true as const,
    test: {
      name,
      include,
      exclude: wholePrograms,
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
    // An embedded database takes hundreds of megabytes, so more workers than cores gain nothing.
    maxWorkers: 2,
    // Most of a short run would go into transforming the same sources again.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/redpack/modules' },
    projects: [
      nodeProject('contract', ['contract/src/**/*.test.ts']),
      nodeProject('server', ['server/src/**/*.test.ts', 'server/test/**/*.test.ts']),
      nodeProject('sandbox', ['sandbox/src/**/*.test.ts']),
      nodeProject('tools', ['tools/**/*.test.ts', 'bench/**/*.test.ts']),
      './web/vitest.config.ts',
    ],
  },
})
