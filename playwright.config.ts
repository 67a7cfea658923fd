// How the browser journeys run: on the built product in sandbox mode, with the system's Chromium.

import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  // Each worker has a product and a clock of its own (e2e/product.ts); its journeys share them.
  workers: 3,
  fullyParallel: false,
  forbidOnly: process.env['CI'] !== undefined,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
  use: {
    // A trace costs a third of the time: `npm run e2e -- --trace on FILE` records one.
    trace: 'off',
    screenshot: 'only-on-failure',
    // People have the worker from the third second of their first visit on, and so do journeys.
    serviceWorkers: 'allow',
    launchOptions: {
      executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
})
