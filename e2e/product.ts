// The product that the journeys of one Playwright worker drive: a process, a port, a database and
// a clock of its own, so that workers cannot disturb each other.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base } from '@playwright/test'
import { readyAt, startMillisMax, startProduct, stop, stopMillisMax } from './product-process.ts'

const firstPort = Number(process.env['E2E_PORT'] ?? 3217)

/** Playwright's `test`, with addresses that lead to the worker's own product. */
export const test = base.extend<object, { productUrl: string }>({
  productUrl: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the pattern
    async ({}, use, { parallelIndex }) => {
      const port = firstPort + parallelIndex
      const folder = await mkdtemp(join(tmpdir(), 'redpack-e2e-'))
      const product = startProduct(port, folder)
      try {
        await use(await readyAt(product, port))
      } finally {
        await stop(product)
        await rm(folder, { recursive: true, force: true })
      }
    },
    { scope: 'worker', timeout: startMillisMax + stopMillisMax },
  ],
  baseURL: ({ productUrl }, use) => use(productUrl),
})
