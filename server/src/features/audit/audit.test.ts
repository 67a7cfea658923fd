// The log of staff actions: written with the action or not at all, and never changed afterwards.

import { describe, expect, it } from 'vitest'
import { useTestWorld } from '../../../test/world.ts'
import { brokenInvariants, runInvariants } from '../overview/invariants.ts'

const t = useTestWorld({ SEED_DEMO: 'off' })
const giveCoins = '/api/admin/distribute-redcoin'

describe('the audit log', () => {
  it('undoes an action that it cannot record', async () => {
    const boss = await t.person('boss', { role: 'admin' })
    const ana = await t.person('ana', { coins: 10 })
    await t.db.script(`
      CREATE FUNCTION break_audit() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'the log is broken'; END $$;
      CREATE TRIGGER break_audit BEFORE INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION
        break_audit()`)
    const order = { userId: ana.id, amount: 5 }
    const key = { 'idempotency-key': 'once' }
    const failed = await boss.send('POST', giveCoins, order, key)
    expect([failed.statusCode, failed.json().message]).toEqual([500, 'Internal server error'])
    expect((await ana.get('/api/auth/me')).json().redCoinBalance).toBe(10)
    expect(await t.rows('SELECT key FROM idempotency_keys')).toEqual([])
    await t.db.script('DROP TRIGGER break_audit ON audit_log; DROP FUNCTION break_audit()')
    const again = await boss.send('POST', giveCoins, order, key)
    expect(again.json().newBalance).toBe(15)
    expect(await t.rows('SELECT action FROM audit_log')).toEqual([{ action: 'redcoin.distribute' }])
    expect(brokenInvariants(await runInvariants(t.db))).toEqual([])
  })

  it('keeps what was written, like all history', async () => {
    const gold = await t.packType('Gold')
    const boss = await t.person('boss', { role: 'admin', coins: 5, packs: { [gold]: 2 } })
    await t.prize('Pin', { packTypeIds: [gold], winFrequency: 1, totalPacks: 1, stock: 3 })
    await boss.send('POST', giveCoins, { userId: boss.id, amount: 5 })
    await boss.send('POST', '/api/packs/open', { packTypeId: gold, quantity: 1 })
    const history: Record<string, string> = {
      audit_log: 'reason',
      red_coin_transactions: 'description',
      pack_transactions: 'description',
      stock_events: 'source_id',
      odds_tables: 'body',
    }
    for (const [table, column] of Object.entries(history)) {
      const before = await t.rows(`SELECT * FROM ${table} ORDER BY id`)
      expect(before).not.toEqual([])
      const refusal = { code: '23001' }
      await expect(t.rows(`UPDATE ${table} SET ${column} = 'x'`)).rejects.toMatchObject(refusal)
      await expect(t.rows(`DELETE FROM ${table}`)).rejects.toMatchObject(refusal)
      expect(await t.rows(`SELECT * FROM ${table} ORDER BY id`)).toEqual(before)
    }
  })

  it('keeps forged lines inside one value', async () => {
    const boss = await t.person('boss', { role: 'admin' })
    const description = 'Thanks\r\n{"actor_id":1,"action":"nothing"}'
    await boss.send('POST', giveCoins, { userId: boss.id, amount: 5, description })
    expect(await t.rows('SELECT reason FROM audit_log')).toEqual([{ reason: description }])
  })
})
