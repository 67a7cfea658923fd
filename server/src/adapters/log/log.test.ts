// The log as an operator reads it: short lines, one a minute of each failure, one for an outage.

import { beforeEach, describe, expect, it, vi } from 'vitest'
import { DatabaseUnavailable } from '../db/retry.ts'
import { openLog } from './log.ts'

const lines: Record<string, unknown>[] = []
const stream = {
  write(line: string) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(2_000)
    lines.push(JSON.parse(line))
  },
}
const log = () => openLog({ logLevel: 'trace' }, stream)

beforeEach(() => {
  lines.length = 0
  vi.useFakeTimers()
})

describe('a line', () => {
  it('has the fields that are known to be harmless, and no others', () => {
    log().warn(
      { userId: 7, job: 'poll', password: 'p', nested: { token: 't' }, req: { url: '/?t=1' } },
      'a sentence',
    )
    expect(lines).toEqual([
      { level: 40, time: expect.any(String), userId: 7, job: 'poll', msg: 'a sentence' },
    ])
  })

  it('tells a reason without what it quotes', () => {
    const reason = 'no such user "canary" at postgres://me:canary@host/x'
    log().warn({ reason, at: new Date(0) }, 'waiting')
    expect(lines[0]).toMatchObject({
      reason: 'no such user … at …',
      at: '1970-01-01T00:00:00.000Z',
    })
  })

  it('of a consequence is left out while its cause is told', () => {
    const told = log()
    const because = { because: 'the database' }
    const err = new Error('failed', { cause: new DatabaseUnavailable('is away') })
    told.error({ event: 'state', down: 'the database' }, 'away')
    for (const fields of [because, { err }, because, { err }]) told.warn(fields, 'no database')
    told.error({ err, down: 'the database' }, 'waiting')
    told.warn({ event: 'state', back: 'the database' }, 'back')
    told.warn({ err }, 'no database')
    expect(lines.map(({ msg, failures }) => [msg, failures])).toEqual([
      ['away', undefined],
      ['back', 6],
      ['no database', undefined],
    ])
  })

  it.each([
    ['the error alone', (error: Error) => log().error(error)],
    ['the error and its message', (error: Error) => log().error({ err: error }, error.message)],
    ['an error in a field', (error: Error) => log().error({ err: error })],
    ['a child', (error: Error) => log().child({ reqId: 'r' }).error({ err: error }, 'failed')],
    ['words to fill in', (error: Error) => log().error('failed %s', error.message)],
  ])('with %s does not tell its words', (_way, write) => {
    write(new SyntaxError('canary'))
    expect(lines).toHaveLength(1)
    expect(JSON.stringify(lines)).not.toContain('canary')
  })

  it('has a stack from the level error on', () => {
    log().warn({ err: new Error('one') }, 'warned')
    log().error({ err: new Error('two') }, 'failed')
    expect(lines[0]).not.toHaveProperty('err.stack')
    expect(lines[1]).toHaveProperty('err.stack')
  })

  it('has at most 2 kB, whatever is told', () => {
    const jobs = Array.from({ length: 20 }, () => 'x'.repeat(200))
    log().error({ jobs, err: new Error('y'.repeat(5_000)) }, 'z'.repeat(5_000))
    expect(lines[0]).toMatchObject({ level: 50, isCut: true, err: { type: 'Error' } })
  })
})

describe('a failure that repeats itself', () => {
  it('is told at once and then once a minute with a count', () => {
    const told = log()
    for (let second = 0; second < 150; second += 1) {
      told.error({ err: new Error('the same') }, 'failed')
      vi.advanceTimersByTime(1_000)
    }
    expect(lines.map(({ repeated }) => repeated)).toEqual([undefined, 59, 60])
    vi.advanceTimersByTime(60_000)
    expect(lines.map(({ repeated }) => repeated)).toEqual([undefined, 59, 60, 30])
    vi.advanceTimersByTime(600_000)
    expect(lines).toHaveLength(4)
  })

  it('hides no other failure, no record of an event, and nothing below a warning', () => {
    const told = log()
    for (const job of ['one', 'two']) told.warn({ job, err: new Error('x') }, 'failed')
    for (const userId of [1, 1]) told.warn({ event: 'forbidden', userId }, 'forbidden')
    for (const count of [1, 2]) told.info({ count }, 'did something')
    expect(lines).toHaveLength(6)
  })

  it('is bounded however many kinds of it there are', () => {
    const told = log()
    for (let index = 0; index < 5_000; index += 1) {
      told.warn({ channelId: String(index) }, 'not sent')
    }
    expect(lines.length).toBeLessThan(250)
  })
})

describe('a service that is away', () => {
  const away = (told: ReturnType<typeof log>, by: string) =>
    told.warn({ down: 'Redis', by, err: new Error('connect') }, 'Redis cannot be reached')
  const back = (told: ReturnType<typeof log>, by: string) =>
    told.warn({ back: 'Redis', by }, 'Redis answers again')

  it('is one line, and one when every connection is back', () => {
    const told = log()
    for (let second = 0; second < 300; second += 1) {
      for (const by of ['limits', 'sender', 'receiver']) away(told, by)
      vi.advanceTimersByTime(1_000)
    }
    back(told, 'limits')
    back(told, 'limits')
    back(told, 'sender')
    expect(lines).toHaveLength(1)
    back(told, 'receiver')
    back(told, 'receiver')
    expect(lines.map(({ msg, failures }) => [msg, failures])).toEqual([
      ['Redis cannot be reached', undefined],
      ['Redis answers again', 900],
    ])
  })

  it('that comes and goes is two lines a minute at most', () => {
    const told = log()
    for (let second = 0; second < 240; second += 1) {
      away(told, 'limits')
      back(told, 'limits')
      vi.advanceTimersByTime(1_000)
    }
    expect(lines.length).toBeLessThanOrEqual(10)
  })

  it('is told of when it goes again and stays away', () => {
    const told = log()
    away(told, 'limits')
    back(told, 'limits')
    away(told, 'limits')
    expect(lines).toHaveLength(2)
    vi.advanceTimersByTime(60_000)
    expect(lines).toHaveLength(3)
    back(told, 'limits')
    expect(lines).toHaveLength(4)
  })
})
