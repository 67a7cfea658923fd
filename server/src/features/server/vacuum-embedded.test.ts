// The embedded database has nobody else who clears its tables and counts their rows.

import { describe, expect, it } from 'vitest'
import { useEmbeddedDeps } from '../../../test/deps.ts'
import { vacuumEmbedded } from './upkeep.ts'

const t = useEmbeddedDeps()

const people = 500
/** The engine tells its figures once a second at most, unless it is asked. */
const told = () => t.rows('SELECT pg_stat_force_next_flush()')
async function addPeople(): Promise<void> {
  await t.rows(`INSERT INTO users (twitch_id, username, display_name)
    SELECT 't' || n, 'name' || n, 'Name ' || n FROM generate_series(1, ${people}) n`)
  await told()
}
/** Balances stand in an index, so each change leaves a dead row behind there too. */
async function payEverybody(): Promise<void> {
  await t.rows('UPDATE users SET red_coin_balance = red_coin_balance + 1')
  await told()
}

async function users(): Promise<{ dead: number; unknown: number; bytes: number; planned: number }> {
  const [row] = await t.rows<{ dead: number; unknown: number; bytes: number; planned: number }>(
    `SELECT s.n_dead_tup::int AS dead, s.n_mod_since_analyze::int AS unknown,
       c.reltuples::int AS planned, pg_total_relation_size(c.oid)::int AS bytes
     FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid WHERE s.relname = 'users'`,
  )
  if (row === undefined) throw new Error('There are no figures of the table')
  return row
}

describe('tending the tables of the embedded database', () => {
  it('counts the rows of a table that grew, for the plans', async () => {
    await addPeople()
    expect((await users()).unknown).toBeGreaterThan(people / 2)
    await vacuumEmbedded(t.deps)
    expect(await users()).toMatchObject({ unknown: 0, planned: people })
  })

  it('clears dead rows, so that a table stops growing', async () => {
    await addPeople()
    await payEverybody()
    expect((await users()).dead).toBeGreaterThan(people / 2)
    await vacuumEmbedded(t.deps)
    expect((await users()).dead).toBe(0)
    for (let round = 0; round < 3; round += 1) {
      await payEverybody()
      await vacuumEmbedded(t.deps)
    }
    const { bytes } = await users()
    for (let round = 0; round < 12; round += 1) {
      await payEverybody()
      await vacuumEmbedded(t.deps)
    }
    expect((await users()).bytes).toBeLessThanOrEqual(bytes * 1.2)
  })

  it('asks for nothing twice, and stops between two tables', async () => {
    await addPeople()
    const scripts: string[] = []
    const script = async (sql: string) => {
      scripts.push(sql)
      await t.db.script(sql)
    }
    const deps = { db: { ...t.db, script } }
    await vacuumEmbedded(deps, AbortSignal.abort())
    expect(scripts).toEqual([])
    await vacuumEmbedded(deps)
    expect(
      scripts.some((sql) => sql.endsWith('ANALYZE users') || sql.endsWith('(ANALYZE) users')),
    ).toBe(true)
    scripts.length = 0
    await vacuumEmbedded(deps)
    expect(scripts).toEqual([])
  })

  it('leaves PostgreSQL to its own workers', async () => {
    await addPeople()
    const script = () => Promise.reject(new Error('Nothing to do here'))
    await vacuumEmbedded({ db: { ...t.db, kind: 'postgres', script } })
    expect((await users()).unknown).toBeGreaterThan(0)
  })
})
