// How the browser's tests run: jsdom, with one page for all files of a worker.

import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [react()],
  test: {
    name: 'web',
    environment: 'jsdom',
    // Loading React and the screens anew took as long as the tests of a file; setup.ts cleans up.
    isolate: false,
    environmentOptions: { jsdom: { url: 'http://redpack.test/' } },
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.{ts,tsx}'],
    setupFiles: ['../tools/quiet-test.setup.ts', '../tools/each-test.setup.ts', './test/setup.ts'],
    css: { include: [/palette\.css/] },
    restoreMocks: true,
    testTimeout: 30_000,
    expect: { poll: { timeout: 15_000 } },
  },
})
