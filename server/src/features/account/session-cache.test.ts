// What is kept in memory of sessions, and that nothing old is kept after a change was told.

import type { SessionUser } from '@redpack/contract'
import { describe, expect, it, vi } from 'vitest'
import { SessionCache, signedInAs } from './session-cache.ts'

const signedIn = (userId: number, mark = '') =>
  signedInAs({ userId, role: 'user', sessionHash: `hash-${userId}` }, new Date(1_000_000), {
    id: userId,
    mark,
  } as unknown as SessionUser)

describe('the session cache', () => {
  it('keeps what it has read for two seconds', async () => {
    const cache = new SessionCache()
    await cache.read('token', 0, async () => signedIn(1))
    expect(cache.get('token', 1_999)?.userJson).toBe('{"id":1,"mark":""}')
    expect(cache.get('token', 2_000)).toBeUndefined()
  })

  it('does not answer a session past its end', async () => {
    const cache = new SessionCache()
    await cache.read('token', 999_000, async () => signedIn(1))
    expect(cache.get('token', 999_999)).toBeDefined()
    expect(cache.get('token', 1_000_000)).toBeUndefined()
  })

  it('forgets every session of one user and no other, also those that were read anew', async () => {
    const cache = new SessionCache()
    for (const token of ['phone', 'desk', 'sofa']) {
      await cache.read(token, 0, async () => signedIn(1))
    }
    await cache.read('other', 0, async () => signedIn(2))
    await cache.read('phone', 1, async () => signedIn(1))
    await cache.read('sofa', 1, async () => undefined)
    cache.forget(1)
    expect(cache.get('phone', 1)).toBeUndefined()
    expect(cache.get('desk', 1)).toBeUndefined()
    expect(cache.get('other', 1)).toBeDefined()
  })

  it('keeps count of the changes of at most fifty thousand users', async () => {
    const cache = new SessionCache()
    await cache.read('token', 0, async () => signedIn(0))
    for (let user = 1; user <= 50_000; user += 1) cache.forget(user)
    expect(cache.get('token', 1)).toBeDefined()
    let reads = 0
    await cache.read('late', 0, async () => {
      reads += 1
      // The one that is too many is forgotten with everybody, also while it is being read.
      if (reads === 1) cache.forget(50_001)
      return signedIn(1)
    })
    expect([cache.get('token', 1), reads]).toEqual([undefined, 2])
  })

  it('reads again what changed while it was being read', async () => {
    const cache = new SessionCache()
    let reads = 0
    const result = await cache.read('token', 0, async () => {
      reads += 1
      const mark = `read ${reads}`
      if (reads === 1) cache.forget(1)
      return signedIn(1, mark)
    })
    expect(result?.userJson).toContain('read 2')
    expect(cache.get('token', 1)?.userJson).toContain('read 2')
  })

  it('keeps nothing of a user who changes at every read', async () => {
    const cache = new SessionCache()
    const result = await cache.read('token', 0, async () => {
      cache.forget(1)
      return signedIn(1)
    })
    expect(result).toBeDefined()
    expect(cache.get('token', 1)).toBeUndefined()
  })

  it('forgets everybody, also who is being read meanwhile', async () => {
    const cache = new SessionCache()
    await cache.read('first', 0, async () => signedIn(1))
    let reads = 0
    await cache.read('second', 0, async () => {
      reads += 1
      if (reads === 1) cache.forgetEverybody()
      return signedIn(2)
    })
    expect(cache.get('first', 1)).toBeUndefined()
    expect(reads).toBe(2)
    expect(cache.get('second', 1)).toBeDefined()
  })

  it('is not disturbed by changes of other users', async () => {
    const cache = new SessionCache()
    let reads = 0
    await cache.read('token', 0, async () => {
      reads += 1
      cache.forget(2)
      return signedIn(1)
    })
    expect(reads).toBe(1)
    expect(cache.get('token', 1)).toBeDefined()
  })

  it('forgets a session that is gone when it is read afresh', async () => {
    const cache = new SessionCache()
    await cache.read('token', 0, async () => signedIn(1))
    expect(await cache.read('token', 1, async () => undefined)).toBeUndefined()
    expect(cache.get('token', 1)).toBeUndefined()
  })

  it('holds at most fifty thousand sessions, dropping the oldest', async () => {
    const cache = new SessionCache()
    for (let user = 0; user <= 50_000; user += 1) {
      await cache.read(`token-${user}`, 0, async () => signedIn(user))
    }
    expect(cache.get('token-0', 1)).toBeUndefined()
    expect(cache.get('token-1', 1)).toBeDefined()
    expect(cache.get('token-50000', 1)).toBeDefined()
  })

  it('never empties all its places to forget the only session it keeps', async () => {
    const cache = new SessionCache()
    await cache.read('token-1', 0, async () => signedIn(1))
    const emptied = vi.spyOn(Array.prototype, 'fill')
    try {
      cache.forget(1)
      await cache.read('token-1', 0, async () => signedIn(1))
      expect(emptied).not.toHaveBeenCalled()
      // What deletes does.
      await cache.read('token-1', 0, async () => undefined)
      expect(emptied).toHaveBeenCalled()
    } finally {
      emptied.mockRestore()
    }
  })
})
