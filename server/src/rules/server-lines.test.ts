// What figures mean in words: the states that no test can plant in a database.

import { describe, expect, it } from 'vitest'
import type { ServerFigures } from './server-figures.ts'
import { durationText, serverLines } from './server-lines.ts'

const now = new Date('2026-11-22T12:00:00Z')
const before = (seconds: number) => new Date(now.getTime() - seconds * 1000)

const well: ServerFigures = {
  now,
  process: {
    name: 'host 42',
    version: '1.0.0',
    startedAt: before(3_600),
    residentBytes: 200 * 1024 * 1024,
    loopLagSeconds: { p50: 0, p99: 0.004, max: 0.05 },
  },
  pool: { busy: 2, idle: 6, waiting: 0 },
  events: {
    carrier: 'redis',
    isUp: true,
    published: 5,
    received: 4,
    lost: 0,
    lastHeardAt: before(1),
    roundTripSeconds: 0.003,
  },
  limiter: { isRedisAnswering: true, refused: new Map([['player', 1_200]]) },
  connections: { open: 1_234, closed: new Map() },
  database: {
    answerSeconds: 0.002,
    readOnly: undefined,
    openings: 7,
    jobs: [],
    log: {
      entries: 10,
      waiting: 0,
      oldestSeconds: 0,
      setAside: 0,
      trouble: undefined,
      signedSize: 10,
      signedAt: before(2),
      witnesses: [{ name: 'w.example', cosignedAt: before(9), problem: undefined }],
    },
    queues: [{ name: 'chat', waiting: 10_000, oldestSeconds: 3 }],
  },
  books: { broken: 0, checkedAt: before(7_200), isOverdue: false },
}

const lineOf = (id: string, change: Partial<ServerFigures>) =>
  serverLines({ ...well, ...change }).find((line) => line.id === id)

describe('the lines about the server', () => {
  it('are all fine, and ask for nothing, while all is well', () => {
    const lines = serverLines(well)
    expect(lines.map(({ state, action }) => [state, action])).toEqual(
      lines.map(() => ['fine', null]),
    )
    expect(Object.fromEntries(lines.map(({ id, figure }) => [id, figure]))).toEqual({
      database: '2 ms',
      writing: 'Possible',
      pool: '2 of 8 busy',
      books: 'Checked 2 hours ago',
      jobs: '0 jobs',
      log: '10 entries',
      witnesses: '1 of 1 cosign',
      outbox: '10,000 or more waiting',
      events: 'Redis, 3 ms',
      limits: '1,200 refused',
      pages: '1,234',
      process: '200 MB, 4 ms late',
    })
  })

  it('say that the database does not answer, and nothing that only it knows', () => {
    const lines = serverLines({ ...well, database: undefined, books: undefined })
    expect(lines[0]).toMatchObject({ id: 'database', state: 'broken', figure: 'No answer' })
    const ids = lines.map(({ id }) => id)
    expect(ids).toEqual(['database', 'pool', 'events', 'limits', 'pages', 'process'])
  })

  it.each([
    ['books', { books: { broken: 2, checkedAt: before(9), isOverdue: false } }, 'broken'],
    ['books', { books: { broken: 0, checkedAt: before(90_000), isOverdue: true } }, 'broken'],
    ['books', { books: { broken: undefined, checkedAt: undefined, isOverdue: true } }, 'broken'],
    ['books', { books: { broken: undefined, checkedAt: undefined, isOverdue: false } }, 'fine'],
    ['pool', { pool: { busy: 8, idle: 0, waiting: 3 } }, 'look'],
    ['limits', { limiter: { isRedisAnswering: false, refused: new Map() } }, 'look'],
    ['events', { events: { ...well.events, isUp: false, lastHeardAt: before(125) } }, 'look'],
    ['events', { events: { ...well.events, isUp: false, lastHeardAt: undefined } }, 'look'],
    ['events', { events: { ...well.events, carrier: 'none', isUp: true } }, 'fine'],
    ['database', { database: { ...well.database!, answerSeconds: 0.7 } }, 'look'],
    ['writing', { database: { ...well.database!, readOnly: 'standby' } }, 'broken'],
    ['process', { process: { ...well.process, loopLagSeconds: lag(0.3) } }, 'look'],
    ['process', { process: { ...well.process, loopLagSeconds: lag(1.5) } }, 'broken'],
  ] as const)('tell of %s as of %j that it is %s', (id, change, state) => {
    const line = lineOf(id, change as Partial<ServerFigures>)
    expect(line?.state).toBe(state)
    // Whatever is not fine says what to do, and nothing else does.
    expect(line?.action === null).toBe(state === 'fine')
    expect(line?.sentence).toMatch(/\.$/)
  })

  it('name the witness that does not cosign, and how long events have been silent', () => {
    const problem = 'It does not answer in time'
    const witnesses = [{ name: 'w.example', cosignedAt: undefined, problem }]
    const database = { ...well.database!, log: { ...well.database!.log, witnesses } }
    const line = lineOf('witnesses', { database })
    expect(line).toMatchObject({ state: 'look', figure: '0 of 1 cosign' })
    expect(line?.sentence).toContain('w.example')
    const events = { ...well.events, isUp: false, lastHeardAt: before(125) }
    expect(lineOf('events', { events })?.figure).toBe('Redis, silent for 2 minutes')
  })

  it('tell lengths of time by their largest unit', () => {
    const texts = [-3, 0, 1, 59.9, 60, 3_599, 3_600, 86_400, 200_000].map(durationText)
    expect(texts).toEqual([
      '0 seconds',
      '0 seconds',
      '1 second',
      '59 seconds',
      '1 minute',
      '59 minutes',
      '1 hour',
      '1 day',
      '2 days',
    ])
  })
})

function lag(p99: number) {
  return { p50: 0, p99, max: p99 }
}
