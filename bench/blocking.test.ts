// What keeps presses waiting, by processor time.

import { expect, it } from 'vitest'
import { blockedByProcessor, type TraceEvent } from './blocking.ts'

const data = { documentLoaderURL: 'http://a/dashboard' }
const start: TraceEvent = {
  name: 'navigationStart',
  ph: 'R',
  pid: 1,
  tid: 2,
  ts: 100,
  args: { data },
}
const task = (more: Partial<TraceEvent>): TraceEvent => ({
  ...{ name: 'RunTask', ph: 'X', pid: 1, tid: 2, ts: 200, tdur: 20_000 },
  ...more,
})

it('counts what each task of the page takes beyond 50 ms of a phone', () => {
  expect(blockedByProcessor([start, task({}), task({ tdur: 12_000 })], 'http://a/')).toBe(30)
})

it('counts no other thread, nothing before the page, and nothing without one', () => {
  const others = [task({ tid: 3 }), task({ pid: 9 }), task({ ts: 50 }), task({ name: 'Paint' })]
  expect(blockedByProcessor([start, ...others], 'http://a/')).toBe(0)
  expect(blockedByProcessor([task({})], 'http://a/')).toBeNaN()
})
