// How the browser journeys run: on the built product in sandbox mode, with the system's Chromium.

import { defineConfig } from '@playwright/test'
import { everyday } from './server/test/everyday.ts'

/**
 * Played by another hand or at another width each day, and so by both in long runs alone; and what
 * says how long a step may take, which is measured there.
 */
const leftToLongRuns = [
  /no step of an opening holds the browser up/,
  /with the keyboard alone staff set up a pack/,
  /with the mouse at a desk a physical prize is won/,
  /with the mouse at a desk a stream is watched/,
  /with the keyboard alone an opening is verified/,
  /with the keyboard alone a Discord account is connected/,
  /delete one prize, 390 wide/,
  /delete one listing/,
  /delete one pack type, 1280 wide/,
]

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  // Each worker has a product and a clock of its own (e2e/product.ts); its journeys share them.
  workers: 3,
  fullyParallel: false,
  grepInvert: everyday(leftToLongRuns, []),
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
