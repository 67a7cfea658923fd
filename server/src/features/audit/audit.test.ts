// The log of staff actions: written with the action or not at all, and never changed afterwards.

import { type AuditResponse, adminAuditContract as contract } from '@redpack/contract'
import { describe, expect, it } from 'vitest'
import { askedDatabase } from '../../../test/asked-database.ts'
import { csvForm } from '../../../test/csv-form.ts'
import { type Person, told, useTestDeps } from '../../../test/deps.ts'
import { appendLogEntries } from '../fairness/public-log.ts'
import { auditFile, auditPage } from './views.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })
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
    expect(await told(boss.send('POST', giveCoins, order, key))).toBe('500 Internal server error')
    expect((await ana.read('/api/auth/me')).redCoinBalance).toBe(10)
    expect(await t.rows('SELECT key FROM idempotency_keys')).toEqual([])
    await t.db.script('DROP TRIGGER break_audit ON audit_log; DROP FUNCTION break_audit()')
    expect((await boss.send('POST', giveCoins, order, key)).json().newBalance).toBe(15)
    expect(await t.rows('SELECT action FROM audit_log')).toEqual([{ action: 'redcoin.distribute' }])
    await t.expectTrueBooks()
  })

  it('keeps what was written, like all history', async () => {
    const gold = await t.packType('Gold')
    const boss = await t.person('boss', { role: 'admin', coins: 5, packs: { [gold]: 2 } })
    await t.prize('Pin', { packTypeIds: [gold], totalPacks: 1, stock: 3 })
    await boss.send('POST', giveCoins, { userId: boss.id, amount: 5 })
    await boss.open(gold)
    await appendLogEntries(t.deps)
    const history: Record<string, string> = {
      audit_log: 'reason',
      red_coin_transactions: 'description',
      pack_transactions: 'description',
      stock_events: 'source_id',
      odds_tables: 'body',
      log_entries: 'body',
    }
    const emptied = `${Object.keys(history).join(', ')}, pack_openings, prize_claim_events`
    await expect(t.rows(`TRUNCATE ${emptied} CASCADE`)).rejects.toMatchObject({ code: '23001' })
    for (const [table, column] of Object.entries(history)) {
      const before = await t.rows(`SELECT * FROM ${table} ORDER BY 1`)
      expect(before).not.toEqual([])
      const domainError = { code: '23001' }
      await expect(t.rows(`UPDATE ${table} SET ${column} = 'x'`)).rejects.toMatchObject(domainError)
      await expect(t.rows(`DELETE FROM ${table}`)).rejects.toMatchObject(domainError)
      expect(await t.rows(`SELECT * FROM ${table} ORDER BY 1`)).toEqual(before)
    }
  })

  it('can be emptied no more than any other history', async () => {
    const tables = await t.rows(
      `SELECT DISTINCT tgrelid::regclass::text AS name FROM pg_trigger t
       JOIN pg_proc p ON p.oid = t.tgfoid
       WHERE p.proname = 'refuse_history_change' AND NOT EXISTS (
         SELECT FROM pg_trigger e WHERE e.tgrelid = t.tgrelid AND e.tgfoid = t.tgfoid
           AND e.tgtype & 32 = 32)`,
    )
    expect(tables).toEqual([])
  })

  it('keeps forged lines inside one value', async () => {
    const boss = await t.person('boss', { role: 'admin' })
    const description = 'Thanks\r\n{"actor_id":1,"action":"nothing"}'
    await boss.send('POST', giveCoins, { userId: boss.id, amount: 5, description })
    expect(await t.rows('SELECT reason FROM audit_log')).toEqual([{ reason: description }])
  })
})

describe('reading the log', () => {
  const read = async (boss: Person, query = '') =>
    await boss.read<AuditResponse>(`/api/admin/audit${query}`)

  async function scene() {
    const boss = await t.person('boss', { role: 'admin' })
    const ann = await t.person('ann', { role: 'super_user' })
    const ana = await t.person('ana', { coins: 10 })
    await boss.send('POST', giveCoins, { userId: ana.id, amount: 5, description: '=1+1' })
    await ann.send('PUT', `/api/admin/users/${ana.id}/role`, { role: 'admin' })
    await ann.send('PUT', `/api/admin/users/${ana.id}/role`, { role: 'user' })
    return { boss, ann, ana }
  }

  it('filters by action, actor, target, batch and time, and pages', async () => {
    const { boss, ann, ana } = await scene()
    const all = await read(boss)
    expect(all.entries.map(({ action }) => action)).toEqual([
      'role.change',
      'role.change',
      'redcoin.distribute',
    ])
    expect(all.entries.map(({ target }) => target?.name)).toEqual(['@ana', '@ana', '@ana'])
    const batchId = all.entries[2]!.batchId
    for (const [query, total] of [
      ['?action=role', 2],
      ['?action=role.change', 2],
      ['?action=ro', 0],
      [`?actorId=${ann.id}`, 2],
      [`?targetType=user&targetId=${ana.id}`, 3],
      [`?targetType=user&targetId=${boss.id}`, 0],
      [`?batchId=${batchId}`, 1],
      ['?from=2020-01-01T00:00:00Z', 3],
      ['?until=2020-01-01T00:00:00Z', 0],
      ['?from=2020-01-01T00:00:00%2B16:00', 3],
      ['?search=ann', 2],
      ['?search=%3D1', 1],
      ['?from=yesterday&actorId=x&batchId=y', 3],
    ] as const) {
      expect([query, (await read(boss, query)).total]).toEqual([query, total])
    }
    const second = await read(boss, '?limit=2&page=2')
    expect([second.entries.length, second.total, second.totalPages]).toEqual([1, 3, 2])
    expect(await read(boss, '?limit=2&page=9')).toMatchObject({ entries: [], total: 3 })
  })

  it('is sorted by time, both ways, with filters and searches too', async () => {
    const { boss } = await scene()
    const idsOf = async (query: string) =>
      (await read(boss, query)).entries.map(({ id }) => id).join()
    for (const filter of ['', '&targetType=user', '&search=ana']) {
      const newest = (await idsOf(`?limit=50${filter}`)).split(',')
      expect(newest).toHaveLength(3)
      const oldest = newest.toReversed()
      expect(await idsOf(`?sort=createdAt${filter}`)).toBe(oldest.join())
      expect(await idsOf(`?sort=-createdAt${filter}`)).toBe(newest.join())
      expect(await idsOf(`?sort=createdAt&limit=2${filter}`)).toBe(oldest.slice(0, 2).join())
      expect(await idsOf(`?sort=createdAt&limit=2&page=2${filter}`)).toBe(oldest[2])
    }
    expect(await idsOf('?sort=action')).toBe(await idsOf(''))
  })

  it('finds what concerns somebody by their name: themselves, their claims and their files', async () => {
    const gold = await t.packType('Gold')
    await t.prize('Hoodie', { packTypeIds: [gold], totalPacks: 1 })
    const boss = await t.person('boss', { role: 'admin' })
    const viewer = await t.person('viewer', { packs: { [gold]: 1 } })
    await t.rows(`UPDATE users SET display_name = 'Ms. Öztürk' WHERE id = $1`, [viewer.id])
    const other = await t.person('other', { packs: { [gold]: 1 } })
    for (const person of [viewer, other]) {
      await person.open(gold)
      const [claim] = await t.rows<{ id: number }>(
        'SELECT id FROM prize_claims WHERE user_id = $1',
        [person.id],
      )
      await boss.send('PATCH', `/api/admin/prize-claims/${claim!.id}`, { status: 'processing' })
      await boss.send('POST', giveCoins, { userId: person.id, amount: 5 })
      const form = csvForm(`username,amount\n${person.name},3\n`)
      await boss.send('POST', '/api/admin/bulk-distribute-redcoin', form.payload, form.headers)
    }
    const actionsOf = async (search: string) =>
      (await read(boss, `?search=${encodeURIComponent(search)}`)).entries.map(
        ({ action }) => action,
      )
    const all = ['redcoin.bulk_distribute', 'redcoin.distribute', 'claim.update']
    expect(await actionsOf('')).toHaveLength(2 * all.length)
    for (const search of ['viewer', 'VIEW', 'öztürk']) {
      expect([search, await actionsOf(search)]).toEqual([search, all])
    }
    expect(await actionsOf('nobody of this name')).toEqual([])
    const file = await boss.get(`/api/admin/audit.csv?search=viewer`)
    expect(file.body.split('\r\n')).toHaveLength(2 + all.length)
  })

  it('is found for a file as for a page, along an index where few have the word', async () => {
    const boss = await t.person('boss', { role: 'admin' })
    await boss.send('POST', giveCoins, { userId: boss.id, amount: 5 })
    for (const more of [{ search: 'distribute' }, { search: 'nobody' }, { action: 'redcoin' }]) {
      const asked: string[] = []
      const db = askedDatabase(t.db, ({ name }) => {
        asked.push(name)
        // Whether the page of so small a table is in a sample is chance.
        return name.startsWith('sample_') ? [] : undefined
      })
      const query = contract.list.query.parse(more)
      const { entries } = await auditPage(db, query)
      const forPage = asked.splice(0)
      let file = ''
      for await (const piece of auditFile(db, query)) file += piece
      expect(asked).toEqual(forPage)
      expect(file.split('\r\n')).toHaveLength(2 + entries.length)
    }
  })

  it('is no file, but a refusal, where its first rows cannot be read', async () => {
    const boss = await t.person('boss', { role: 'admin' })
    // There is no such year.
    const answer = await told(boss.get('/api/admin/audit.csv?from=0000-01-01T00:00:00Z'))
    expect(answer).toBe('400 A value in the request is out of range')
  })

  it('is a file too, in which nothing can be run', async () => {
    const { boss, ann, ana } = await scene()
    const answer = await boss.get('/api/admin/audit.csv')
    expect(answer.headers['content-disposition']).toBe('attachment; filename="staff-log.csv"')
    const lines = answer.body.split('\r\n')
    expect(lines).toHaveLength(5)
    expect(lines[0]).toBe(
      '\uFEFFid,createdAt,actorId,actor,action,targetType,targetId,before,after,reason,batchId,requestId',
    )
    expect(lines[1]).toContain(`,${ann.id},ann,role.change,user,${ana.id},"{""role"":""admin""}"`)
    expect(lines[3]).toContain(`,'=1+1,`)
    expect((await boss.get('/api/admin/audit.csv?action=role')).body.split('\r\n')).toHaveLength(4)
  })
})
