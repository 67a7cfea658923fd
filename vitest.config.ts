// Which tests run where: one project for each workspace and one for the tools.

import { defineConfig } from 'vitest/config'

/** A project whose tests run in Node and stand beside what they test. */
function nodeProject(name: string, include: string[]) {
  return {
    extends: true as const,
    test: { name, include, environment: 'node', testTimeout: 15_000, hookTimeout: 60_000 },
  }
}

export default defineConfig({
  test: {
    // An embedded database takes hundreds of megabytes, so more workers than cores gain nothing.
    maxWorkers: 2,
    // A shared machine may stall for seconds; what is wrong fails twice.
    retry: process.env['CI'] ? 1 : 0,
    projects: [
      nodeProject('contract', ['contract/src/**/*.test.ts']),
      nodeProject('server', ['server/src/**/*.test.ts', 'server/test/**/*.test.ts']),
      nodeProject('sandbox', ['sandbox/src/**/*.test.ts']),
      nodeProject('tools', ['tools/**/*.test.ts', 'bench/**/*.test.ts']),
      './web/vitest.config.ts',
    ],
  },
})
