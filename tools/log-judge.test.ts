// The public log checked by independent code: Go's library for its checksum database.
// On Debian: golang-go and golang-golang-x-mod-dev.

import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { keepLog, logProofOf } from '../server/src/features/fairness/public-log.ts'
import { useListeningServer } from '../server/test/listening-server.ts'
import { repositoryRoot } from './tidy/repository-files.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'redpack-judge-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const env = {
  ...process.env,
  GO111MODULE: 'off',
  GOPATH: process.env['GOPATH'] ?? '/usr/share/gocode',
  GOCACHE: join(folder, 'cache'),
  GOFLAGS: '',
}
const library = ['golang.org/x/mod/sumdb/note', 'golang.org/x/mod/sumdb/tlog']
const hasGo = spawnSync('go', ['list', ...library], { env }).status === 0
if (!hasGo) console.log('SKIPPED: Go or golang.org/x/mod/sumdb is not on this machine')

describe.runIf(hasGo)('Go opens, follows and proves the log', () => {
  const w = useListeningServer({ SEED_DEMO: 'off' })

  it('over several tiles, and a lie is told', { timeout: 240_000 }, async () => {
    const { t } = w
    const gold = await t.packType('Gold')
    await t.prize('Größe "L"', { packTypeIds: [gold], totalPacks: 3, stock: 90 })
    const ana = await t.person('ana', { packs: { [gold]: 2000 } })
    const open = async (times: number) => {
      for (let count = 0; count < times; count += 1) {
        await ana.open(gold, 2)
      }
      await keepLog(t.deps)
    }
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    await open(270)
    const older = await (await fetch(`${w.origin}/log/checkpoint`)).text()
    await open(290)
    const [request] = await t.rows<{ id: string }>(
      'SELECT id FROM opening_requests ORDER BY created_at, id OFFSET 9 LIMIT 1',
    )
    const proof = (await logProofOf(t.db, request!.id)) ?? ''
    const index = /\nindex (\d+)\n/.exec(proof)?.[1]
    const [entry] = await t.rows<{ body: string }>(
      `SELECT body FROM log_entries WHERE index = ${index}`,
    )
    const judge = join(folder, 'judge')
    await run('go', ['build', '-o', judge, join(repositoryRoot, 'tools/log-judge/judge.go')], {
      env,
    })
    const told = [
      `${w.origin}/log`,
      file('older', older),
      file('proof', proof),
      file('entry', entry!.body),
    ]
    const { stdout } = await run(judge, told)
    const [size] = await t.rows<{ size: number }>('SELECT count(*)::int AS size FROM log_entries')
    expect(stdout).toBe(`agreed on ${size!.size} entries\n`)
    expect(size!.size).toBeGreaterThan(512)

    const other = file('other', entry!.body.replace('"index"', '"Index"'))
    await expect(run(judge, told.with(3, other))).rejects.toMatchObject({
      stderr: expect.stringContaining('disagreed: the proof of an opening'),
    })
    await t.plant(`UPDATE log_entries SET body = replace(body, '"index":550,', '"index":999,')`)
    // Tiles that were served before are kept in memory, as they never change.
    await open(1)
    await expect(run(judge, told)).rejects.toMatchObject({
      stderr: expect.stringMatching(/disagreed: entry \d+ does not hash to its leaf/),
    })
  })
})
