// What is refused while the database does not answer, and when it is no longer.

import { afterEach, describe, expect, it, vi } from 'vitest'
import { DatabaseWatch } from './database-watch.ts'
import type { Sighting } from './primary-search.ts'
import { DatabaseUnavailable } from './retry.ts'

const well: Sighting = { address: 'one', doCommitsWait: false, timeline: 1 }
let watch: DatabaseWatch
afterEach(() => watch.close())

function watching(looks: (Sighting | Error)[], longestMillis = () => 0) {
  const seen: string[] = []
  watch = new DatabaseWatch('one', {
    look: async () => {
      const next = looks.shift() ?? well
      if (next instanceof Error) throw next
      return next
    },
    longestMillis,
    onAway: () => seen.push('sent away'),
    onCommitsWait: () => seen.push('writers sent away'),
    onMoved: (address) => seen.push(`moved to ${address}`),
    onChange: (state) => seen.push(state),
  })
  return seen
}
const refused = (lane: 'read' | 'write') => {
  try {
    watch.refuse(lane)
    return false
  } catch (error) {
    return error instanceof DatabaseUnavailable
  }
}

describe('the watch over the database', () => {
  it('looks when an answer is late for two seconds, and refuses all until it is back', async () => {
    const away = new DatabaseUnavailable('does not answer')
    let waitedMillis = 0
    const seen = watching([away, away, well], () => waitedMillis)
    expect(refused('read')).toBe(false)
    waitedMillis = 2_100
    await vi.waitFor(() => expect(refused('read')).toBe(true), 10_000)
    waitedMillis = 0
    await vi.waitFor(() => expect(refused('read')).toBe(false), 10_000)
    expect(seen).toEqual(['away', 'sent away', 'sent away', 'well'])
  })

  it('refuses writes alone while commits wait for a standby', async () => {
    const seen = watching([{ ...well, doCommitsWait: true }, well])
    watch.suspect()
    await watch.firstLook()
    expect([refused('read'), refused('write')]).toEqual([false, true])
    await vi.waitFor(() => expect(refused('write')).toBe(false), 10_000)
    expect(seen).toEqual(['commits_wait', 'writers sent away', 'well'])
  })

  it('follows the one that writes, and never back to one that was replaced', async () => {
    const promoted = { ...well, address: 'two', timeline: 2 }
    const seen = watching([well, promoted, well, promoted])
    watch.suspect()
    await watch.firstLook()
    await vi.waitFor(() => expect(watch.takeovers).toBe(0))
    watch.suspect()
    await vi.waitFor(() => expect(seen).toEqual(['moved to two']), 10_000)
    watch.suspect()
    await watch.firstLook()
    expect(refused('read')).toBe(true)
    await vi.waitFor(() => expect(refused('read')).toBe(false), 10_000)
    expect(seen).toEqual(['moved to two', 'away', 'sent away', 'well'])
    // The first server that is seen has taken over from nobody.
    expect(watch.takeovers).toBe(1)
  })

  it('counts what speaks against the server, after which another one may answer', async () => {
    watching([])
    expect(watch.doubts).toBe(0)
    watch.suspect()
    await watch.firstLook()
    expect([watch.doubts, watch.takeovers]).toEqual([1, 0])
  })
})
