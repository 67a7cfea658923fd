// The faults of a real installation, played with real parts: `npm run test:faults`.

import { defineConfig } from 'vitest/config'
import { wholePrograms } from './tools/whole-programs.mjs'

export default defineConfig({
  test: {
    name: 'faults',
    include: ['server/test/faults/**/*.faults.ts', ...wholePrograms],
    setupFiles: ['tools/quiet-test.setup.ts'],
    environment: 'node',
    // A fault takes as long as it takes, and two at once would each slow the other down.
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
