// The watcher, built as shipped, on the log of a real server and on forged logs.

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { verifierKey, verifierKeyText } from '../fair/src/notes.ts'
import { nodeHashing } from '../server/src/adapters/random/hashing.ts'
import { keepLog } from '../server/src/features/fairness/public-log.ts'
import type { Person } from '../server/test/deps.ts'
import { useListeningServer } from '../server/test/listening-server.ts'

const run = promisify(execFile)
/** A module that ends the waits of the program that it is loaded into fifty times sooner. */
const hasty = `import { syncBuiltinESMExports } from 'node:module'
  import timers from 'node:timers/promises'
  const wait = timers.setTimeout
  timers.setTimeout = (millis, ...more) => wait(millis / 50, ...more)
  syncBuiltinESMExports()`
const folder = mkdtempSync(join(tmpdir(), 'redpack-watch-'))
const tool = join(folder, 'watch-log.mjs')
const state = join(folder, 'state.json')
const hastily = ['--import', `data:text/javascript,${encodeURIComponent(hasty)}`, tool]
const w = useListeningServer({ SEED_DEMO: 'off' })
let gold: number
let ana: Person

beforeAll(async () => {
  await run(process.execPath, ['tools/offline-tools.mjs', folder])
})
beforeEach(async () => {
  for (const name of readdirSync(folder)) if (name.includes('json')) rmSync(join(folder, name))
  gold = await w.t.packType('Gold')
  await w.t.prize('Cap', { packTypeIds: [gold], winFrequency: 1, totalPacks: 2, stock: 30 })
  ana = await w.t.person('ana', { packs: { [gold]: 500 } })
})

async function open(times: number) {
  for (let count = 0; count < times; count += 1) {
    await ana.open(gold, 3)
  }
  await keepLog(w.t.deps)
}
const watch = (...more: string[]) =>
  run(process.execPath, [tool, w.origin, '--once', '--state', state, ...more]).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    ({ code, stdout, stderr }) => ({
      code: code as number,
      stdout: String(stdout),
      stderr: String(stderr),
    }),
  )

describe('the watcher', () => {
  it('follows a log as it grows, and replays all of it', async () => {
    await open(100)
    const first = await watch()
    expect(first).toMatchObject({
      code: 0,
      // A stock, a table, a chain and the openings, each with what it won to be sent behind it.
      stdout: expect.stringMatching(/ 1\d\d entries \(1\d\d new\)/),
    })
    expect(first.stdout).toContain('300 packs of 100 openings drawn again, 1 chains')
    expect(first.stdout).toMatch(/ {2}deliveries: 0 of [1-9]\d* sent, none overdue/)
    expect(first.stdout).toContain("100 openings used the server's entropy")
    await open(5)
    expect((await watch()).stdout).toContain('315 packs of 105 openings drawn again')
  }, 60_000)

  it('names draws that are none, and keeps the evidence', async () => {
    await ana.open(gold, 30)
    await w.t.plant(
      `UPDATE pack_openings SET prize_id = NULL, stock_after = NULL, red_coin_earned = 5`,
    )
    await keepLog(w.t.deps)
    const { code, stderr } = await watch()
    expect([code, stderr]).toEqual([1, expect.stringContaining('ALARM: The log is wrong')])
    expect(stderr).toContain('is not what its seed, its entropy and its odds give')
    expect(readdirSync(folder).some((name) => name.includes('evidence'))).toBe(true)
    // It is not forgotten.
    expect((await watch()).code).toBe(1)
  }, 60_000)

  it('finds a history that was changed after it was seen', async () => {
    await open(20)
    expect((await watch()).code).toBe(0)
    await w.t.plant(`DELETE FROM log_entries WHERE index > 10; DELETE FROM log_checkpoints;
      DELETE FROM log_requests; DELETE FROM log_keys`)
    await open(20)
    const { code, stderr } = await watch()
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/ALARM: (HISTORY WAS CHANGED|The log says)/),
    ])
  }, 60_000)

  it('refuses another key than the one it knows', async () => {
    await open(1)
    const key = (await (await fetch(`${w.origin}/log/key`)).text()).trim()
    expect((await watch('--key', key)).code).toBe(0)
    const other = verifierKeyText(verifierKey('other', 1, new Uint8Array(32), nodeHashing.sha256))
    expect((await watch('--key', other)).code).toBe(1)
    expect(await watch('--key', other.slice(1))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no key of a log'),
    })
    // Also after a look that failed: the site must not offer its own key then.
    let asked = 0
    const site = createServer((_request, response) => {
      asked += 1
      response.statusCode = asked === 1 ? 400 : 200
      response.end(key)
    }).listen(0, '127.0.0.1')
    await once(site, 'listening')
    const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
    const words = [...hastily, address, '--state', join(folder, 'json'), '--key', other]
    await expect(run(process.execPath, words)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`and ${other} was known`),
    })
    site.close()
  }, 60_000)

  it('says that it could not look, and how it is used', async () => {
    const words = [...hastily, 'http://127.0.0.1:2', '--once', '--state', state]
    await expect(run(process.execPath, words)).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot be read: ECONNREFUSED'),
    })
    for (const more of [[], ['--help']]) {
      await expect(run(process.execPath, [tool, ...more])).rejects.toMatchObject({
        code: 2,
        stderr: expect.stringContaining('Usage: node watch-log.mjs URL'),
      })
    }
  }, 60_000)
})
