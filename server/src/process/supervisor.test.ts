// Whoever supervises starts what is missing, gives up when nothing can be started, and stops all.

import type { Worker } from 'node:cluster'
import { EventEmitter } from 'node:events'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ProcessLink } from '../adapters/processes/process-link.ts'
import {
  endOf,
  endUntaken,
  type ProcessEnd,
  type StartedProcess,
  StartFailed,
  Supervisor,
} from './supervisor.ts'

interface Played extends StartedProcess {
  readonly place: number
  readonly signals: string[]
  becomeReady(): void
  finish(end: ProcessEnd): void
}

const link = () => new ProcessLink({ send: () => undefined, listen: () => undefined })

let started: Played[] = []
let log: { event: string; process?: number; why?: string; pauseMillis?: number }[] = []
let givenUp: string[] = []
/** What a process does when it is told to stop. */
let obeys = true

function play(place: number): Played {
  let becomeReady = (): void => undefined
  let finish = (_end: ProcessEnd): void => undefined
  const ready = new Promise<void>((resolve) => (becomeReady = resolve))
  const end = new Promise<ProcessEnd>((resolve) => (finish = resolve))
  const signals: string[] = []
  const kill = (signal: string) => {
    signals.push(signal)
    if (signal === 'SIGKILL') finish({ code: null, signal })
    else if (obeys) finish({ code: 0, signal: null })
  }
  const pid = 100 + started.length
  const played = { place, pid, link: link(), ready, end, kill, signals, becomeReady, finish }
  started.push(played)
  return played
}

function supervisor(count: number, start = play): Supervisor {
  const note = (fields: unknown) => void log.push(fields as (typeof log)[number])
  return new Supervisor({
    count,
    start,
    log: { info: note, warn: note, error: note } as never,
    onGivenUp: (why) => givenUp.push(why),
  })
}

const turn = () => vi.advanceTimersByTimeAsync(0)

async function startedAll(count: number): Promise<Supervisor> {
  const all = supervisor(count)
  const starting = all.start()
  started[0]!.becomeReady()
  await turn()
  for (const each of started.slice(1)) each.becomeReady()
  await starting
  return all
}

beforeEach(() => {
  started = []
  log = []
  givenUp = []
  obeys = true
  vi.useFakeTimers()
})

describe('the first start', () => {
  it('lets one process go ahead and the others follow when it serves', async () => {
    const all = supervisor(3)
    const starting = all.start()
    await turn()
    expect(started.map(({ place }) => place)).toEqual([1])
    started[0]!.becomeReady()
    await turn()
    expect(started.map(({ place }) => place)).toEqual([1, 2, 3])
    expect(all.serving()).toHaveLength(1)
    for (const each of started) each.becomeReady()
    await starting
    expect(all.serving()).toHaveLength(3)
  })

  it('fails when a process ends before it serves, and starts it no second time', async () => {
    const starting = supervisor(3).start()
    started[0]!.finish({ code: 1, signal: null })
    await expect(starting).rejects.toThrow(StartFailed)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(started).toHaveLength(1)
  })

  it('fails by a later process too, and stops those that serve', async () => {
    const all = supervisor(2)
    const starting = all.start()
    const failure = expect(starting).rejects.toThrow('Process 2 of 2 did not start')
    started[0]!.becomeReady()
    await turn()
    started[1]!.finish({ code: 1, signal: null })
    await failure
    expect(await all.stop(1_000)).toBe(true)
    expect(started[0]!.signals).toEqual(['SIGTERM'])
  })

  it('starts a process again that served and died while others were starting', async () => {
    const all = supervisor(2)
    const starting = all.start()
    started[0]!.becomeReady()
    await turn()
    started[0]!.finish({ code: null, signal: 'SIGKILL' })
    await vi.advanceTimersByTimeAsync(200)
    expect(started.map(({ place }) => place)).toEqual([1, 2, 1])
    // And once more where that start fails as well.
    started[2]!.finish({ code: 1, signal: null })
    await vi.advanceTimersByTimeAsync(400)
    expect(started.map(({ place }) => place)).toEqual([1, 2, 1, 1])
    for (const each of started) each.becomeReady()
    await starting
    expect(all.serving()).toHaveLength(2)
  })
})

describe('a process that ends by itself', () => {
  it('is started again in its place, and the others go on', async () => {
    const all = await startedAll(2)
    started[0]!.finish({ code: null, signal: 'SIGKILL' })
    await turn()
    expect(all.serving()).toEqual([started[1]])
    expect(log.at(-1)).toMatchObject({
      event: 'process_ended',
      process: 1,
      why: 'SIGKILL',
      pauseMillis: 200,
    })
    await vi.advanceTimersByTimeAsync(200)
    expect(started[2]!.place).toBe(1)
    started[2]!.becomeReady()
    await turn()
    expect(all.serving()).toHaveLength(2)
    expect(all.restarts).toBe(1)
    expect(log.at(-1)).toMatchObject({ event: 'process_ready', process: 1 })
  })

  it('is tried again for ever while another serves, at most every ten seconds', async () => {
    await startedAll(2)
    started[0]!.finish({ code: 1, signal: null })
    for (let attempt = 0; attempt < 12; attempt += 1) {
      await vi.advanceTimersByTimeAsync(10_000)
      started.at(-1)!.finish({ code: 1, signal: null })
      await turn()
    }
    expect(started.length).toBe(14)
    expect(givenUp).toEqual([])
  })

  it('is given up when none serves and five starts in a row have failed', async () => {
    await startedAll(1)
    for (let attempt = 0; attempt < 5; attempt += 1) {
      started.at(-1)!.finish({ code: 1, signal: null })
      await vi.advanceTimersByTimeAsync(10_000)
    }
    expect(givenUp).toHaveLength(1)
    expect(givenUp[0]).toContain('5 starts in a row have failed')
    expect(started).toHaveLength(5)
  })
})

describe('a process that the machine does not start', () => {
  const fault = Object.assign(new Error('spawn ENOMEM'), { code: 'ENOMEM' })
  /** As Node tells of it: by an exception, or by an event soon after. */
  const ways: Record<string, (place: number) => Played> = {
    'by an exception': () => {
      throw fault
    },
    'by an event': (place) => {
      const played = play(place)
      played.finish({ code: null, signal: null, reason: 'ENOMEM' })
      return played
    },
  }

  it.each(Object.entries(ways))('fails the first start, %s', async (_way, failing) => {
    await expect(supervisor(2, failing).start()).rejects.toThrow(StartFailed)
    expect(log).toContainEqual(
      expect.objectContaining({ event: 'process_ended', process: 1, why: 'ENOMEM' }),
    )
  })

  it.each(Object.entries(ways))(
    'is tried again beside those that serve, %s',
    async (_way, failing) => {
      let isShort = false
      const all = supervisor(2, (place) => (isShort ? failing(place) : play(place)))
      const starting = all.start()
      started[0]!.becomeReady()
      await turn()
      started[1]!.becomeReady()
      await starting
      isShort = true
      started[0]!.finish({ code: 1, signal: null })
      await vi.advanceTimersByTimeAsync(60_000)
      expect(log.filter(({ why }) => why === 'ENOMEM').length).toBeGreaterThan(5)
      expect(all.serving()).toEqual([started[1]])
      isShort = false
      await vi.advanceTimersByTimeAsync(10_000)
      started.at(-1)!.becomeReady()
      await turn()
      expect(all.serving()).toHaveLength(2)
      expect(givenUp).toEqual([])
    },
  )

  it('has ended once it could not be forked, and goes on after any other error', async () => {
    const worker = (pid?: number) =>
      Object.assign(new EventEmitter(), { process: { pid } }) as unknown as Worker
    const [none, running] = [worker(), worker(7)]
    const ends = [endOf(none), endOf(running)]
    for (const each of [none, running]) each.emit('error', fault)
    running.emit('exit', 1, null)
    expect(await Promise.all(ends)).toEqual([
      { code: null, signal: null, reason: 'ENOMEM' },
      { code: 1, signal: null },
    ])
  })
})

describe('a connection that a process was handed', () => {
  it('is ended with the process, unless another was handed after it', () => {
    const sent: unknown[] = []
    const process = { pid: 7, send: (...all: unknown[]) => sent.push(all) > 0 }
    const worker = Object.assign(new EventEmitter(), { process })
    endUntaken(worker as unknown as Worker)
    const [taken, untaken] = [{ close: vi.fn() }, { close: vi.fn() }]
    // A message of the product has what is called once it is sent where a connection would be.
    const onceSent = () => undefined
    for (const handle of [taken, untaken, undefined, onceSent]) process.send('message', handle)
    expect(sent).toEqual([taken, untaken, undefined, onceSent].map((each) => ['message', each]))
    expect(untaken.close).not.toHaveBeenCalled()
    worker.emit('exit', null, 'SIGKILL')
    expect([taken, untaken].map(({ close }) => close.mock.calls.length)).toEqual([0, 1])
  })
})

describe('a stop', () => {
  it('asks every process once, waits for them, and starts nothing', async () => {
    const all = await startedAll(3)
    started[2]!.finish({ code: 1, signal: null })
    await turn()
    expect(await all.stop(10_000)).toBe(true)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(started.map(({ signals }) => signals)).toEqual([['SIGTERM'], ['SIGTERM'], []])
  })

  it('kills what has not ended in time, and says so', async () => {
    const all = await startedAll(2)
    obeys = false
    const stopping = all.stop(5_000)
    started[0]!.finish({ code: 0, signal: null })
    await vi.advanceTimersByTimeAsync(5_001)
    expect(await stopping).toBe(false)
    expect(started.map(({ signals }) => signals)).toEqual([['SIGTERM'], ['SIGTERM', 'SIGKILL']])
    expect(log).toContainEqual({ event: 'process_killed', pid: 101 })
  })

  it('ends a start that is under way', async () => {
    const all = supervisor(2)
    const starting = all.start()
    expect(await all.stop(1_000)).toBe(true)
    await starting
    expect(started).toHaveLength(1)
  })
})
