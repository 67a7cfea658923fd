// What was told is never drawn from again, when the database has forgotten that it was told.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Replay } from '@redpack/fair/replay'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { brokenInvariants, type Person, useEmbeddedDeps } from '../../../test/deps.ts'
import { embeddedTestDatabase, emptyDatabase } from '../../../test/test-database.ts'
import type { Database } from '../../adapters/db/database.ts'
import { writeDump } from '../../adapters/db/dump.ts'
import { readMigrations } from '../../adapters/db/migrate.ts'
import { restoreDump } from '../../adapters/db/restore.ts'
import type { Deps } from '../../adapters/deps.ts'
import { nodeHashing } from '../../adapters/random/hashing.ts'
import { migrationsFolder } from '../../paths.ts'
import { showChain } from '../fairness/chains.ts'
import { keepLog } from '../fairness/public-log.ts'
import type { Opened } from './open-group.ts'
import { Opening } from './open-packs.ts'

const t = useEmbeddedDeps({ SEED_DEMO: 'off' })
const folder = mkdtempSync(join(tmpdir(), 'redpack-told-'))
const file = join(folder, 'before.dump')
const entropy = 'e7'.repeat(32)
let restored: Database
let gold: number
let ana: Person

beforeAll(async () => {
  restored = await embeddedTestDatabase()
}, 60_000)
afterAll(async () => {
  await restored.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  await emptyDatabase(restored)
  gold = await t.packType('Gold')
  ana = await t.person('ana', { packs: { [gold]: 9 } })
  await ana.open(gold)
  await writeDump(t.db, file, { createdAt: t.clock.now() })
})

const restore = async () =>
  restoreDump(restored, file, { migrations: await readMigrations(migrationsFolder), force: true })
const open = async (opening: Opening, commitment?: string) => {
  const order = { packTypeId: gold, quantity: 1, entropy, commitment, idempotencyKey: undefined }
  return (JSON.parse((await opening.open(ana.id, order)).body) as Opened).proof
}
const chains = (db: Database) => showChain({ ...t.deps, db }, ana.id)

describe('a seed that was told after a dump was made', () => {
  it('is told again by the restored database, and nothing is drawn from it', async () => {
    const told = await open(new Opening(t.deps))
    await restore()
    const deps: Deps = { ...t.deps, db: restored }
    await expect(open(new Opening(deps), told.commitment)).rejects.toMatchObject({
      code: 'commitment_moved',
    })
    const { commitment, ended } = await chains(restored)
    expect(commitment).not.toBe(told.commitment)
    const { chainId, index, serverSeed } = told
    expect(ended).toEqual([{ chainId, index, serverSeed }])
    await open(new Opening(deps), commitment)
    await keepLog(deps)
    const replay = new Replay(nodeHashing)
    const entries = { name: 'test_entries', text: 'SELECT body FROM log_entries ORDER BY index' }
    for (const { body } of await restored.run<{ body: string }>(entries, [])) replay.take(body)
    expect(replay.faults).toEqual([])
    expect(await brokenInvariants(restored, t.seeds)).toEqual([])
  })
})

describe('a failover that lost the opening in which a seed was told', () => {
  /** A process whose server is replaced by one that has not seen what came after the dump. */
  async function process() {
    await restore()
    // A server that takes over restores nothing: its chains are as they were.
    await restored.script("UPDATE draw_chains SET day = 'tomorrow' WHERE ended_at IS NULL")
    let current = t.db
    let takeovers = 0
    const pool = { total: 1, idle: 1, waiting: 0, isPooled: false, doubts: 0 }
    const db: Database = {
      ...t.db,
      run: (statement, values) => current.run(statement, values),
      transaction: (work) => current.transaction(work),
      pool: () => ({ ...pool, takeovers }),
    }
    const fails = (seen: number) => {
      current = restored
      takeovers += seen
    }
    return { opening: new Opening({ ...t.deps, db }), fails }
  }

  it('is noticed by the process that has told it', async () => {
    const { opening, fails } = await process()
    const told = [await open(opening), await open(opening)]
    fails(0)
    await expect(open(opening, told[0]?.commitment)).rejects.toMatchObject({
      code: 'commitment_moved',
    })
    expect((await open(opening)).chainId).not.toBe(told[0]?.chainId)
    expect((await chains(restored)).ended).toMatchObject([{ serverSeed: told[0]?.serverSeed }])
  })

  it('ends all chains when another server is seen to take over', async () => {
    const { opening, fails } = await process()
    const { commitment } = await open(new Opening(t.deps))
    fails(1)
    await expect(open(opening, commitment)).rejects.toMatchObject({ code: 'commitment_moved' })
    const fresh = await open(opening)
    expect((await open(opening)).chainId).toBe(fresh.chainId)
  })
})
