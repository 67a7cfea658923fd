// The loss of everything but a dump and the keys: dumped under load, restored elsewhere, started.

import { existsSync, readdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { freePort, type ProductProcess } from '../product-process.ts'
import { type PostgresDatabase, runCommand, usePrograms } from '../programs.ts'
import { hasPostgres } from '../test-database.ts'
import { expectTrueBooks, tell } from './fault-table.ts'
import { KeyedLoad, keeperPassword, loadSettings } from './keyed-load.ts'

const programs = usePrograms('restore')
const { folder } = programs
const dump = join(folder, 'under-load.dump')

let database: PostgresDatabase | undefined
let product: ProductProcess
let settings: Record<string, string> = {}
let load: KeyedLoad

async function command(words: string[], more: Record<string, string>) {
  const started = performance.now()
  const { code, output, errors } = await runCommand(words, more)
  return { code, text: output + errors, millis: performance.now() - started }
}

const claimIds = /"claimId":"([^"]+)"/g

/** Claim IDs of a player, page after page. */
async function claimsOf(cookie: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (const filter of ['physical', 'redcoin']) {
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const path = `/api/user/prize-claims/paginated?filter=${filter}&page=${page}&limit=50`
      const answer = await fetch(`${product.url}${path}`, { headers: { cookie } })
      expect(answer.status).toBe(200)
      const text = await answer.text()
      for (const [, id = ''] of text.matchAll(claimIds)) found.add(id)
      pages = (JSON.parse(text) as { pagination: { totalPages: number } }).pagination.totalPages
    }
  }
  return found
}

const without = ({ DATABASE_URL: _url, ...rest }: Record<string, string>) => rest
const drillFolders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('redpack-drill-'))
const drillDatabases = () =>
  database!.db.run<{ datname: string }>(
    {
      name: 'drill_left',
      text: "SELECT datname FROM pg_database WHERE datname ~ '^redpack_drill'",
    },
    [],
  )

describe.skipIf(!hasPostgres)('a restore from a dump (PostgreSQL server for tests)', () => {
  beforeAll(async () => {
    database = await programs.database()
    const port = await freePort()
    settings = {
      ...loadSettings({ DATABASE_URL: database.url }, port, join(folder, 'first')),
      SEED_DEMO: 'on',
      DEMO_DAYS: '4',
    }
    product = await programs.start(settings)
    load = await KeyedLoad.over([product])
  })

  it('brings back everything acknowledged before the dump, for the same sessions', async () => {
    load.start(6)
    await expect.poll(() => load.acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(40)
    const before = load.acknowledged.map((call) => ({ ...call }))
    const backup = await command(['backup', dump], settings)
    expect(`${backup.code} ${backup.text}`).toMatch(/^0 Wrote \d+ rows/)
    const meanwhile = load.acknowledged.length - before.length
    await load.stop()
    expect(meanwhile).toBeGreaterThan(0)
    // Readable by its owner alone; and what the operator is told names nobody and no key.
    expect(statSync(dump).mode & 0o077).toBe(0)
    for (const secret of ['player0', keeperPassword, settings['ENCRYPTION_KEY']!, '@']) {
      expect(backup.text).not.toContain(secret)
    }

    await programs.kill()
    const elsewhere = { ...without(settings), DATA_DIR: join(folder, 'second') }
    const restored = await command(['restore', dump], elsewhere)
    expect(`${restored.code} ${restored.text}`).toMatch(
      /^0 Restoring into the folder .*\nRestored \d+ rows/,
    )
    await expectTrueBooks(elsewhere)
    product = await programs.start(elsewhere)
    const won = new Set<string>()
    for (const call of before) {
      const { status, text, isReplay } = await load.send(call)
      expect([call.key, status, isReplay, text]).toEqual([call.key, 200, true, call.answer])
      if (call.player === 0) for (const [, id = ''] of text.matchAll(claimIds)) won.add(id)
    }
    const claims = await claimsOf(load.cookieOf(0))
    expect([...won].filter((id) => !claims.has(id))).toEqual([])
    expect(won.size).toBeGreaterThan(0)
    tell({
      fault: 'the database is lost; a dump made under load is restored into the other engine',
      promise:
        'every answer from before the dump, every session and claim is there, the books agree',
      seen:
        `${before.length} answers of before repeated byte for byte, the claims of a player listed, ${meanwhile} ` +
        `acknowledged while it was dumped; dump ${Math.round(backup.millis)} ms, restore ` +
        `${Math.round(restored.millis)} ms`,
    })
  })

  it('is drilled by a command that leaves nothing behind, and says what is wrong', async () => {
    const foldersBefore = drillFolders()
    const good = await command(['restore-drill', dump], settings)
    expect(`${good.code} ${good.text}`).toMatch(/^0 [\s\S]*All \d+ invariants hold/)
    expect(good.text).toMatch(/users: \d+ restored, \d+ now/)
    const fresh = await command(['restore-drill'], settings)
    expect(`${fresh.code} ${fresh.text}`).toMatch(/^0 Wrote \d+ rows/)
    const otherKey = { ...settings, ENCRYPTION_KEY: '8d'.repeat(32) }
    const bad = await command(['restore-drill', dump], otherKey)
    expect(bad.code).toBe(1)
    expect(bad.text).toContain('The drill FAILED: Nothing was checked. ENCRYPTION_KEY is not')
    const damaged = await command(['restore-drill', join(folder, 'no-such.dump')], settings)
    expect([damaged.code, damaged.text]).toEqual([2, expect.stringContaining('does not exist')])
    expect(await drillDatabases()).toEqual([])
    expect(drillFolders()).toEqual(foldersBefore)
    expect(existsSync(dump)).toBe(true)
    tell({
      fault: 'a drill of the restore with a good dump, with the wrong key, without a dump',
      promise: 'code 0, 1 or 2 with the reason; no database or file is left',
      seen: `0 in ${Math.round(good.millis)} ms, 1, 2; nothing left`,
    })
  })
})
