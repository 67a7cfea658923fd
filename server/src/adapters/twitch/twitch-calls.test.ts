// The gate in front of Twitch: never more calls under way than it says.

import { expect, it } from 'vitest'
import { systemClock } from '../clock/clock.ts'
import { CallGate } from './twitch-calls.ts'

it('lets no newcomer in beside the one that waited, whenever it comes', async () => {
  const gate = new CallGate(systemClock)
  const ends: (() => void)[] = []
  let [running, most] = [0, 0]
  const call = () =>
    gate.pass('app', async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise<void>((resolve) => ends.push(resolve))
      running -= 1
    })
  const calls = Array.from({ length: 5 }, call)
  await expect.poll(() => ends.length).toBe(4)
  ends.shift()?.()
  for (let moment = 0; moment < 20; moment += 1) {
    calls.push(call())
    await Promise.resolve()
  }
  while (ends.length > 0) {
    for (const end of ends.splice(0)) end()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await Promise.all(calls)
  expect(most).toBe(4)
})
