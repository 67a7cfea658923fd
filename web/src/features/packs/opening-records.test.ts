import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  forgetOpening,
  readOpenings,
  rememberAnswer,
  rememberProgress,
  rememberSent,
  resendWithinMs,
  subscribeToOpenings,
} from './opening-records.ts'
import { answerOf, losing, winning } from './opening-samples.fixture.ts'

const now = Date.UTC(2026, 10, 21)
const answer = answerOf([losing(5), winning()], 105)

function sent(key: string, more: { userId?: number; sentAt?: number } = {}) {
  rememberSent({ key, userId: 1, order: { packTypeId: 3, quantity: 2 }, sentAt: now, ...more })
}

beforeEach(() => localStorage.clear())
afterEach(() => vi.restoreAllMocks())

describe('opening records', () => {
  it('are never shown to another user', () => {
    sent('a', { userId: 2 })
    expect(readOpenings(1, now)).toEqual([])
  })

  it('forget a request that is too old to be repeated, but not an answer', () => {
    sent('old')
    sent('answered')
    rememberAnswer('answered', answer, true)
    expect(readOpenings(1, now + resendWithinMs).map((each) => each.key)).toEqual(['answered'])
  })

  it('forget a request of a clock that was ahead: its key may be older than it says', () => {
    sent('ahead', { sentAt: now + resendWithinMs })
    expect(readOpenings(1, now)).toEqual([])
  })

  it('keep one closed opening only, the newest', () => {
    for (const key of ['first', 'second']) {
      sent(key)
      rememberAnswer(key, answer, true)
      rememberProgress(key, { seen: 2, isClosed: true })
    }
    expect(readOpenings(1, now).map((each) => each.key)).toEqual(['second'])
    forgetOpening('second')
    expect(readOpenings(1, now)).toEqual([])
    expect(localStorage.length).toBe(0)
  })

  it('give up the pictures when storage is full, never the results', () => {
    const setItem = Storage.prototype.setItem
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(function (this: Storage, name, text) {
      if (text.length > 2_000) throw new DOMException('full', 'QuotaExceededError')
      setItem.call(this, name, text)
    })
    sent('a')
    rememberAnswer('a', answerOf([winning({ imageData: 'A'.repeat(5_000) })]), true)
    const [record] = readOpenings(1, now)
    expect(record?.answer?.results[0]?.prize).toMatchObject({ name: 'Hoodie', imageData: null })
  })

  it('do nothing and break nothing where storage is closed', () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('closed', 'SecurityError')
    })
    expect(() => sent('a')).not.toThrow()
    expect(() => rememberAnswer('a', answer, true)).not.toThrow()
  })

  it('skip what an older version or another program left behind', () => {
    localStorage.setItem('redpack:opening:x', '{"key":1}')
    localStorage.setItem('redpack:opening:y', 'not json')
    sent('half')
    rememberAnswer(
      'half',
      { ...answer, results: [{ ...winning(), prize: { id: 7 } as never }] },
      true,
    )
    expect(readOpenings(1, now)).toEqual([])
    sent('a')
    localStorage.setItem('redpack:opening-progress:a', '{"seen":"one"}')
    expect(readOpenings(1, now)).toMatchObject([{ key: 'a', seen: 0, isClosed: false }])
  })

  it('tell their subscribers about every change, also from another tab', () => {
    const listener = vi.fn()
    const stop = subscribeToOpenings(listener)
    sent('a')
    window.dispatchEvent(new StorageEvent('storage', { key: 'redpack:opening:b' }))
    stop()
    sent('b')
    expect(listener).toHaveBeenCalledTimes(2)
  })
})
