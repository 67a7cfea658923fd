// What this browser remembers, in a browser that keeps nothing for long.

import { describe, expect, it, vi } from 'vitest'
import { browserMemory } from './browser-memory.ts'

describe('the memory of this browser', () => {
  it('keeps rows under their names and lists them by their beginnings', async () => {
    await browserMemory.change('pair/2', () => 'two')
    await browserMemory.change('pair/1', () => 'one')
    await browserMemory.change('log', () => 'log')
    await browserMemory.change('pair/1', (row) => `${row} and more`)
    expect(await browserMemory.list('pair/')).toEqual(['one and more', 'two'])
    expect(await browserMemory.read('log')).toBe('log')
    expect(await browserMemory.read('none')).toBeUndefined()
  })
})

describe('a database that fails', () => {
  /** A database of which every transaction throws. */
  function brokenDatabase() {
    const request = {
      result: {
        transaction: () => {
          throw new Error('closed')
        },
      },
    }
    return {
      opened: 0,
      open() {
        this.opened += 1
        queueMicrotask(() => (request as unknown as IDBOpenDBRequest).onsuccess?.(new Event('x')))
        return request
      },
    }
  }

  it('is opened once more, and then done without', async () => {
    const broken = brokenDatabase()
    vi.stubGlobal('indexedDB', broken)
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    vi.resetModules()
    const { browserMemory: memory } = await import('./browser-memory.ts')
    await memory.change('a', () => 1)
    expect(await memory.read('a')).toBe(1)
    expect(broken.opened).toBe(2)
  })
})
