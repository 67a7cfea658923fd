// kill -9 of the real program under load: what was acknowledged is there after every restart.

import { describe, expect, it } from 'vitest'
import { KeyedLoad, loadSettings, pause } from './faults/keyed-load.ts'
import { freePort } from './product-process.ts'
import { runCommand, usePrograms } from './programs.ts'
import { seededNumbers } from './seeded-random.ts'

const luck = seededNumbers()

const kills = Number(process.env['CRASH_KILLS'] ?? 12)
const minutesMax = 10
const programs = usePrograms('crash')

describe('the program on its embedded database', () => {
  it(
    `is killed ${kills} times and loses nothing that it acknowledged`,
    async () => {
      const settings = loadSettings({}, await freePort(), programs.folder)
      const load = await KeyedLoad.over([await programs.start(settings)])
      const openedBefore = await load.packsOpened()
      const sum = { acknowledged: 0, unheard: 0 }
      let slowestMillis = 0
      for (let round = 1; round <= kills; round += 1) {
        const enough = load.acknowledged.length + 5 + Math.floor(luck() * 20)
        load.start(24)
        await expect
          .poll(() => load.acknowledged.length, { interval: 5, timeout: 30_000 })
          .toBeGreaterThanOrEqual(enough)
        await pause(luck() * 30)
        await programs.kill()
        await load.stop()
        sum.acknowledged = load.acknowledged.length
        const startMillis = performance.now()
        // Nobody gave the folder back: the start takes over the lock of the dead process.
        await programs.start(settings)
        slowestMillis = Math.max(slowestMillis, Math.round(performance.now() - startMillis))
        sum.unheard += (await load.expectNothingLost()).unheard
      }
      expect(await load.packsOpened()).toBe(openedBefore + load.packsAsked())
      expect(slowestMillis).toBeLessThan(30_000)
      const [last] = programs.running
      last?.child.kill('SIGTERM')
      expect(await last?.exit).toBe(0)
      expect(await runCommand(['verify-economy'], settings)).toMatchObject({ code: 0, errors: '' })
      process.stdout.write(
        `kill -9: ${kills} times, ${sum.acknowledged} calls answered and all there, ` +
          `${sum.unheard} had taken effect unheard, slowest restart ${slowestMillis} ms\n`,
      )
    },
    minutesMax * 60_000,
  )
})
