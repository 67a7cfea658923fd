// How the browser journeys run: the built product in sandbox mode, and the system's Chromium.

import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { keeper } from './e2e/support.ts'

const port = Number(process.env['E2E_PORT'] ?? 3217)
const baseURL = `http://127.0.0.1:${port}`

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  // Journeys share one product and one clock.
  workers: 1,
  retries: process.env['CI'] ? 1 : 0,
  fullyParallel: false,
  forbidOnly: process.env['CI'] !== undefined,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  use: {
    baseURL,
    trace: 'retain-on-failure',
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
  webServer: {
    command: 'node server/dist/main.js',
    url: `${baseURL}/health/ready`,
    timeout: 60_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
    env: {
      PORT: String(port),
      DATA_DIR: process.env['E2E_DATA_DIR'] ?? join(tmpdir(), `redpack-e2e-${port}`),
      SANDBOX: 'on',
      RATE_LIMITS: 'off',
      LOCAL_ADMIN_USERNAME: keeper.username,
      LOCAL_ADMIN_PASSWORD: keeper.password,
      LOG_LEVEL: 'warn',
      DATABASE_URL: '',
      REDIS_URL: '',
    },
  },
})
