// What waits for a frame, also where frames are late or do not come.

import { beforeEach, expect, it, vi } from 'vitest'
import { afterPaint, inFirstFrame } from './use-painted.ts'

let frames: (() => void)[]

beforeEach(() => {
  vi.useFakeTimers()
  frames = []
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => frames.push(run))
  vi.stubGlobal('cancelAnimationFrame', (id: number) => {
    frames[id - 1] = () => undefined
  })
})

const paint = () => {
  for (const frame of frames.splice(0)) frame()
}

it('runs once, in a task after the frame', () => {
  const run = vi.fn()
  afterPaint(run)
  paint()
  expect(run).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1000)
  expect(run).toHaveBeenCalledOnce()
})

it('runs once without a frame, however late that comes', () => {
  const run = vi.fn()
  afterPaint(run)
  vi.advanceTimersByTime(100)
  expect(run).toHaveBeenCalledOnce()
  paint()
  vi.advanceTimersByTime(1000)
  expect(run).toHaveBeenCalledOnce()
})

it('runs never once it was taken back', () => {
  const run = vi.fn()
  afterPaint(run)()
  paint()
  vi.advanceTimersByTime(1000)
  expect(run).not.toHaveBeenCalled()
})

it('starts in the frame itself, and ends what was started alone', () => {
  const end = vi.fn()
  inFirstFrame(() => end)()
  paint()
  expect(end).not.toHaveBeenCalled()
  const stop = inFirstFrame(() => end)
  paint()
  stop()
  expect(end).toHaveBeenCalledOnce()
})
