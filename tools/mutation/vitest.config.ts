// Runs tests against a broken product: those of one area, one file at a time.

import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: (process.env['MUTATION_TESTS'] ?? '').split(','),
    setupFiles: ['tools/quiet-test.setup.ts', 'tools/each-test.setup.ts'],
    environment: 'node',
    // As in the whole run: loading the product anew for each file takes longer than most of them.
    isolate: false,
    // A change that ends in a timeout ends what runs the tests as well: the next one starts anew.
    experimental: { fsModuleCache: true, fsModuleCachePath: '.cache/modules' },
    testTimeout: 15_000,
    hookTimeout: 60_000,
  },
})
