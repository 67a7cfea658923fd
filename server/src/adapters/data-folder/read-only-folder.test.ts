// A data folder on a file system that is read-only: what is wrong is said as it is.

import type * as Fs from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { makeDataFolder } from './data-folder.ts'

const refused = vi.hoisted(() => (code: string) => () => {
  throw Object.assign(new Error(code), { code, syscall: 'x' })
})
// What Node 20 answers there. Only root could mount one for a test.
vi.mock('node:fs', async (original) => ({
  ...(await original<typeof Fs>()),
  mkdirSync: refused('ENOENT'),
  accessSync: refused('EROFS'),
}))

it('is refused with that reason, however much of its path is missing', () => {
  for (const path of ['data', 'a/b/data']) {
    expect(() => makeDataFolder(join(import.meta.dirname, path))).toThrow('is read-only')
  }
})
