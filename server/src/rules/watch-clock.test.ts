import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  clockHolder,
  isWatchable,
  type OpenSession,
  requireEarning,
  requireWatchable,
  standings,
} from './watch-time.ts'

const start = Date.parse('2026-03-01T12:00:00.000Z')
const at = (seconds: number) => new Date(start + seconds * 1000)
const session = (id: number, more: Partial<OpenSession> = {}): OpenSession => ({
  id,
  checkedAt: null,
  isByHand: false,
  mode: 'off',
  listReadAt: null,
  sessionStartedAt: at(0),
  seenAt: null,
  countedAt: at(0),
  chosenAt: null,
  ...more,
})
const absent = { mode: 'require' as const, listReadAt: at(990) }

describe('the clock', () => {
  it('is for the session that was first, in whatever order they come', () => {
    expect(clockHolder([session(3), session(1), session(2)], at(0))).toBe(1)
    expect(clockHolder([], at(0))).toBeUndefined()
  })

  it('is for the one chosen last', () => {
    const sessions = [session(1), session(2, { chosenAt: at(5) }), session(3, { chosenAt: at(4) })]
    expect(clockHolder(sessions, at(9))).toBe(2)
  })

  it('goes on elsewhere while the chosen one cannot count', () => {
    const chosen = session(2, { chosenAt: at(5), ...absent })
    expect(clockHolder([session(1), chosen], at(1000))).toBe(1)
    const unknown = session(2, { chosenAt: at(5), checkedAt: at(0) })
    expect(clockHolder([session(1), unknown], at(1000))).toBe(1)
    expect(clockHolder([unknown], at(1000))).toBeUndefined()
  })
})

describe('a session counts', () => {
  const live = { isActive: true, isLive: true, currentStreamId: 's1' }

  it('while its own broadcast is live', () => {
    expect(isWatchable(live, 's1')).toBe(true)
    expect(() => requireWatchable(live, 's1')).not.toThrow()
  })

  it.each([
    ['stream is not active', { isActive: false }, 's1'],
    ['stream is offline', { isLive: false }, 's1'],
    ['broadcast is over', {}, 's0'],
  ])('no time where its %s', (what, change, broadcast) => {
    const stream = { ...live, ...change }
    expect(isWatchable(stream, broadcast)).toBe(false)
    const message = `This ${what}, so watch time does not count`
    const refusal = expect.objectContaining({ code: 'wrong_state', message })
    expect(() => requireWatchable(stream, broadcast)).toThrow(refusal)
  })

  it('no time for an account that cannot earn', () => {
    const message = 'Your account cannot earn rewards, so watch time does not count'
    const refusal = expect.objectContaining({ code: 'wrong_state', message })
    expect(() => requireEarning(true)).toThrow(refusal)
    expect(() => requireEarning(false)).not.toThrow()
  })
})

describe('why a session does not count', () => {
  it('is that another one does', () => {
    expect([...standings([session(1), session(2)], at(0), at(60))]).toEqual([
      [1, null],
      [2, 'other_stream'],
    ])
  })

  it('is that nobody knows whether it is live, or that its viewer is not in the chat', () => {
    const unknown = session(1, { checkedAt: at(0) })
    expect([...standings([unknown, session(2, absent)], at(950), at(1000))]).toEqual([
      [1, 'offline'],
      [2, 'not_in_chat'],
    ])
  })

  it('is a beat that is more than 90 s late, whichever stream was credited last', () => {
    expect(standings([session(1)], null, at(90)).get(1)).toBeNull()
    expect(standings([session(1)], null, at(91)).get(1)).toBe('late_beat')
    expect(standings([session(1)], at(60), at(150)).get(1)).toBeNull()
    expect(standings([session(1)], at(60), at(151)).get(1)).toBe('late_beat')
  })

  it('leaves at most one that counts, whatever was chosen', () => {
    const chosen = fc.option(fc.nat(100))
    fc.assert(
      fc.property(fc.array(chosen, { maxLength: 12 }), fc.nat(200), (choices, seconds) => {
        const open = choices.map((time, id) =>
          session(id, { chosenAt: time === null ? null : at(time) }),
        )
        const counting = [...standings(open, at(0), at(seconds)).values()].filter(
          (because) => because === null,
        )
        expect(counting.length).toBe(choices.length > 0 && seconds <= 90 ? 1 : 0)
      }),
    )
  })
})
