// How the browser journeys run: on the built product in sandbox mode, with the system's Chromium.

import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  // Each worker has a product and a clock of its own (e2e/product.ts); its journeys share them.
  workers: 2,
  retries: process.env['CI'] ? 1 : 0,
  fullyParallel: false,
  forbidOnly: process.env['CI'] !== undefined,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  use: {
    // Recording costs a third of the time; a second try shows what went wrong.
    trace: 'on-first-retry',
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
