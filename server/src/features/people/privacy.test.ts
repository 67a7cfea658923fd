// Taking the own data along, and leaving for good with the books unharmed.

import { createHash } from 'node:crypto'
import type { OwnDataExport } from '@redpack/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { coded, type Person, told, useTestDeps } from '../../../test/deps.ts'
import { LeastRows } from '../../../test/least-rows.ts'
import { exportedTables, exportPieces } from './own-data-views.ts'

const t = useTestDeps()
const least = new LeastRows((sql, values) => t.rows(sql, values))
let ana: Person
let ben: Person

const home = {
  name: 'Ana Secret',
  addressLines: ['Secretstreet 7'],
  city: 'Malmö',
  country: 'Sweden',
}

/** Two people who have each left a row in every table that has people in it. */
beforeEach(async () => {
  const gold = await t.packType('Gold')
  const always = { winFrequency: 1, totalPacks: 1 }
  await t.prize('Cap', {
    packTypeIds: [gold],
    ...always,
    rewardPackTypeId: gold,
    rewardPackQuantity: 1,
  })
  // Something is sent with the pack, so that there are details to keep.
  await t.rows('UPDATE prizes SET is_also_sent = true')
  ana = await t.person('ana', { coins: 100, packs: { [gold]: 10 } })
  ben = await t.person('ben', { coins: 100, packs: { [gold]: 10 } })
  const storePackListingId = await t.listing(gold, { price: 3 })
  for (const { id, name, send } of [ana, ben]) {
    await t.rows(
      `UPDATE users SET email = $2 || '@example.org', bio = $2 || ' bio', discord_id = 'd-' || $2,
         discord_username = $2, solana_wallet = 'w-' || $2, avatar = '/x.png', country = 'Sweden'
       WHERE id = $1`,
      [id, name],
    )
    await send('POST', '/api/packs/open', { packTypeId: gold, quantity: 2 })
    const buy = { storePackListingId, quantity: 1 }
    await send('POST', '/api/store/purchase', buy, { 'idempotency-key': `buy-${name}` })
    const claims = await t.rows<{ id: number }>('SELECT id FROM prize_claims WHERE user_id = $1', [
      id,
    ])
    await send('PUT', `/api/user/prize-claims/${claims[0]!.id}/delivery`, home)
    await t.rows(
      `INSERT INTO draw_chains (user_id, day, first_commitment, commitment, created_at, ended_at,
         end_seed) VALUES ($1, '2020-01-01', $3, $3, now(), now(), $2)`,
      [id, 'cd'.repeat(32), createHash('sha256').update(Buffer.alloc(32, 0xcd)).digest('hex')],
    )
    await least.add('viewer_sessions', { user_id: id })
    await least.add('watch_completions', { user_id: id })
    await least.add('discord_reward_claims', { user_id: id, discord_user_id: `old-${name}` })
    await t.rows(
      `INSERT INTO sign_in_attempts (state_hash, provider, browser_hash, nonce, user_id, expires_at)
       VALUES ('state-' || $2, 'discord', 'b', 'n', $1, now())`,
      [id, name],
    )
    await t.rows(
      `INSERT INTO twitch_sign_ins (user_id, tokens, checked_at)
       VALUES ($1, '{"sealed": "secret-tokens"}', now())`,
      [id],
    )
    await t.rows(
      `INSERT INTO wallet_challenges (user_id, session_hash, address, message, expires_at)
       VALUES ($1, 's', 'w', 'sign this', now())`,
      [id],
    )
    await t.rows(
      `WITH batch AS (INSERT INTO bulk_batches (id, kind, actor_id, file_name, file_hash,
         processed_count, failed_count, total, created_at)
         VALUES (gen_random_uuid(), 'redcoin', $1, 'a.csv', repeat('0', 64), 0, 1, 0, now())
         RETURNING id)
       INSERT INTO bulk_batch_rows (batch_id, row_number, username, user_id, verdict, reason)
       SELECT id, 2, 'former-' || $2, $1, 'renamed', 'renamed to ' || $2 FROM batch`,
      [id, name],
    )
    await t.rows(
      `INSERT INTO former_usernames (user_id, username, until)
       VALUES ($1, 'former-' || $2, now())`,
      [id, name],
    )
    await t.rows(
      `INSERT INTO staff_notes (user_id, author_id, body, created_at)
       VALUES ($1, $1, 'note on ' || $2, now())`,
      [id, name],
    )
    await t.rows(
      `INSERT INTO second_factors (user_id, secret, created_at)
       VALUES ($1, '{"sealed": "secret-app"}', now())`,
      [id],
    )
    await t.insert('notification_settings', { user_id: id, address: `${name}@example.org` })
    await t.rows(
      `INSERT INTO push_subscriptions (id, user_id, endpoint, p256dh, auth, label, created_at)
       VALUES (md5($2), $1, 'https://push.test/secret-' || $2, 'B', 'secret-auth', 'Firefox', now())`,
      [id, name],
    )
    await t.rows(
      `INSERT INTO outbox_messages (user_id, channel, kind, event, next_try_at, created_at)
       VALUES ($1, 'email', 'granted', 'red_coin-' || $1::int, now(), now())`,
      [id],
    )
    await t.rows(`INSERT INTO recovery_codes (user_id, code_hash) VALUES ($1, repeat('ab', 32))`, [
      id,
    ])
    await t.rows(
      `INSERT INTO audit_log (action, target_type, target_id, reason)
       VALUES ('note', 'user', $1::text, 'about ' || $2)`,
      [id, name],
    )
  }
  await t.db.script(`
    INSERT INTO pack_openings_archive (id, request_id, user_id, pack_type_id, prize_id,
      sold_out_prize_id, red_coin_earned, position, stock_after, created_at)
      SELECT * FROM pack_openings WHERE id IN (
      SELECT min(id) FROM pack_openings GROUP BY user_id);
    DELETE FROM pack_openings WHERE id IN (SELECT id FROM pack_openings_archive);`)
})

const exportOf = async (person: Person): Promise<OwnDataExport> =>
  await person.read('/api/user/export')

describe('GET /api/user/export', () => {
  it('covers every table with people in it, and every column of it', async () => {
    const columns = await t.rows<{ table_name: string; column_name: string }>(
      `SELECT c.table_name, c.column_name FROM information_schema.columns c
       JOIN information_schema.tables i USING (table_schema, table_name)
       WHERE c.table_schema = 'public' AND i.table_type = 'BASE TABLE'`,
    )
    const columnsOf = (table: string) =>
      columns.filter((one) => one.table_name === table).map((one) => one.column_name)
    const withPeople = columns.filter((one) => one.column_name === 'user_id')
    const exported = exportedTables.map(({ table }) => table)
    for (const { table_name } of withPeople) expect(exported).toContain(table_name)
    for (const { table, columns: shown, withheld } of exportedTables) {
      const names = shown.map((column) => column.split(' ').at(-1))
      expect([table, [...names, ...withheld].toSorted()]).toEqual([
        table,
        columnsOf(table).toSorted(),
      ])
    }
  })

  it('answers rows of every table, all of them about the caller', async () => {
    const answer = await ana.get('/api/user/export')
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.headers['content-disposition']).toBe('attachment; filename="my-data.json"')
    const { tables } = answer.json<OwnDataExport>()
    expect(Object.entries(tables).filter(([, rows]) => rows.length === 0)).toEqual([])
    for (const [name, rows] of Object.entries(tables)) {
      for (const row of rows) {
        if (row['userId'] !== undefined) expect([name, row['userId']]).toEqual([name, ana.id])
      }
    }
    expect(tables['users']).toMatchObject([
      { id: ana.id, email: 'ana@example.org', bio: 'ana bio' },
    ])
    expect(tables['redCoinTransactions']!.map((row) => row['amount'])).toEqual([100, -3])
    expect(tables['packOpenings']!.length + tables['packOpeningsArchive']!.length).toBe(2)
    expect(answer.body).not.toMatch(/"ben|old-ben|d-ben/)
  })

  it('opens the delivery details and keeps secrets back', async () => {
    const { tables } = await exportOf(ana)
    expect(tables['prizeClaims']!.map((row) => row['contactInfo'])).toContainEqual(
      expect.objectContaining(home),
    )
    const chains = tables['drawChains']!
    expect(chains.map((row) => [row['endedAt'] !== null, row['endSeed'] !== null])).toEqual(
      expect.arrayContaining([
        [true, true],
        [false, false],
      ]),
    )
    const text = JSON.stringify(tables)
    const [session] = await t.rows<{ token_hash: string }>(
      'SELECT token_hash FROM sessions WHERE user_id = $1',
      [ana.id],
    )
    expect(text).not.toContain(session!.token_hash)
    expect(text).not.toContain('state-ana')
    expect(text).not.toMatch(/secret-app|abababab/)
  })

  it('tells of what somebody did as staff without what it says of others', async () => {
    await t.rows(
      `INSERT INTO audit_log (actor_id, action, target_type, target_id, before, after, reason)
       VALUES ($1, 'user.rename', 'user', $2::text, '{"a": "secret-before"}', '{}', 'secret-why')`,
      [ana.id, ben.id],
    )
    await t.rows(
      `INSERT INTO idempotency_keys (user_id, route, key, input_hash, status, body, created_at)
       VALUES ($1, 'PUT /api/admin/users/:id/name', 'k', 'h', 200, 'secret-body', now())`,
      [ana.id],
    )
    const answer = await ana.get('/api/user/export')
    expect(answer.body).not.toContain('secret-')
    const { auditLog, idempotencyKeys } = answer.json<OwnDataExport>().tables
    expect(auditLog!.map((row) => [row['action'], row['reason']])).toEqual([
      ['note', 'about ana'],
      ['user.rename', null],
    ])
    expect(idempotencyKeys!.map((row) => row['body'] === null).toSorted()).toEqual([false, true])
  })

  it('fails before its first piece where nothing can be read', async () => {
    const away = { run: () => Promise.reject(new Error('away')) } as never
    const pieces = exportPieces(away, 1, t.clock.now(), () => undefined)
    await expect(pieces.next()).rejects.toThrow('away')
  })

  it('reads tables of any length, each row once', async () => {
    await t.rows(
      `INSERT INTO red_coin_transactions (user_id, amount, type, balance_after, source_type,
         source_id) SELECT $1, 1, 'watch_reward', n, 'test', n::text
       FROM generate_series(1, 1200) n`,
      [ana.id],
    )
    const { tables } = await exportOf(ana)
    const ids = tables['redCoinTransactions']!.map((row) => row['id'])
    expect(ids).toHaveLength(1202)
    expect(new Set(ids).size).toBe(1202)
  })
})

const leave = (person: Person, confirm: unknown = person.name) =>
  person.send('DELETE', '/api/user', { confirm })
const underLostKey = `|| '{"keyId": "0123456789abcdef"}'`
const userRow = async (id: number) =>
  (await t.rows<Record<string, unknown>>('SELECT * FROM users WHERE id = $1', [id]))[0]!

describe('DELETE /api/user', () => {
  it('refuses without the own username, and changes nothing', async () => {
    const before = await userRow(ana.id)
    const message = 'Type your username to delete your account'
    for (const confirm of [null, '', 'ben', 'ANA', 7]) {
      const refused = await leave(ana, confirm)
      expect([refused.statusCode, refused.json().errors]).toEqual([
        400,
        [{ path: 'confirm', message }],
      ])
    }
    expect(await userRow(ana.id)).toEqual(before)
    expect((await ana.get('/api/auth/me')).statusCode).toBe(200)
  })

  it('refuses the protected account', async () => {
    await t.rows(`UPDATE users SET is_protected = true, role = 'super_user' WHERE id = $1`, [
      ana.id,
    ])
    expect(await told(leave(ana))).toBe('403 This account is protected and cannot be deleted')
    expect((await userRow(ana.id))['deleted_at']).toBeNull()
  })

  it('takes the name and all contact details away, and ends every session', async () => {
    const other = await t.rows(
      `INSERT INTO sessions SELECT 'second', user_id, kind, created_at, last_seen_at, expires_at
       FROM sessions WHERE user_id = $1 RETURNING user_id`,
      [ana.id],
    )
    expect(other).toHaveLength(1)
    const answer = await leave(ana)
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { success: true, message: 'Your account was deleted' },
    ])
    expect(String(answer.headers['set-cookie'])).toMatch(/sid=; Max-Age=0/)
    expect(await userRow(ana.id)).toMatchObject({
      username: `deleted-${ana.id}`,
      display_name: 'Deleted viewer',
      twitch_id: null,
      email: null,
      avatar: null,
      bio: null,
      country: null,
      timezone: null,
      solana_wallet: null,
      discord_id: null,
      discord_username: null,
      discord_avatar: null,
      role: 'user',
      deleted_at: expect.any(Date),
    })
    expect(await t.rows('SELECT user_id FROM sessions')).toEqual([{ user_id: ben.id }])
    expect((await ana.get('/api/auth/me')).statusCode).toBe(401)
    expect((await ana.get('/api/user/export')).statusCode).toBe(401)
    const text = JSON.stringify(
      await t.rows(
        `SELECT (SELECT jsonb_agg(c) FROM prize_claims c WHERE user_id = $1) AS claims,
           (SELECT jsonb_agg(k) FROM idempotency_keys k WHERE user_id = $1) AS keys,
           (SELECT jsonb_agg(d) FROM discord_reward_claims d WHERE user_id = $1) AS rewards,
           (SELECT jsonb_agg(s) FROM tombstones s) AS tombstones`,
        [ana.id],
      ),
    )
    expect(text).not.toMatch(/sealed|buy-ana|old-ana|twitch-ana/)
  })

  it('leaves the books as they were, and the ranking without the person', async () => {
    const counts = () =>
      t.rows(
        `SELECT (SELECT sum(red_coin_balance) FROM users) AS coins,
           (SELECT count(*) FROM red_coin_transactions) AS ledger,
           (SELECT count(*) FROM all_pack_openings) AS openings,
           (SELECT count(*) FROM prize_claims) AS claims, (SELECT count(*) FROM users) AS users`,
      )
    const before = await counts()
    await leave(ana)
    expect(await counts()).toEqual(before)
    await t.expectTrueBooks()
    const ranking = (await t.app.inject('/api/redcoin/leaderboard')).json()
    expect(ranking.map((entry: { username: string }) => entry.username)).toEqual(['ben'])
    expect(await t.rows(`SELECT action, actor_id FROM audit_log WHERE action <> 'note'`)).toEqual([
      { action: 'account.delete', actor_id: ana.id },
    ])
  })

  it('leaves its names in no stored answer to staff, whose calls still have one effect', async () => {
    const boss = await t.person('boss', { role: 'admin' })
    const call = async (key: string, method: 'PUT' | 'POST', path: string, body: object) =>
      boss.send(method, `/api/admin/${path}`, body, { 'idempotency-key': key })
    const give = (key: string, ...usernames: string[]) =>
      call(key, 'POST', 'distribute-redcoin', { usernames, amount: 5, description: '' })
    const until = { until: null, reason: 'Rude' }
    await call('hold', 'PUT', `users/${ana.id}/suspension`, until)
    await t.rows(`UPDATE users SET username = 'anna' WHERE id = $1`, [ana.id])
    await t.rows(
      `INSERT INTO former_usernames (user_id, username, until) VALUES ($1, 'ana', now())`,
      [ana.id],
    )
    await give('one', 'anna')
    await give('other', 'ben')
    await give('both', 'ben', 'anna')
    await call('take', 'POST', 'remove-user-redcoin', { userId: ana.id, amount: 200 })
    const batch = await t.value(`SELECT batch_id FROM bulk_batch_rows WHERE username = 'anna'`)
    await call('back', 'POST', `batches/${batch}/reverse`, {})
    const kept = () => t.rows(`SELECT key, body FROM idempotency_keys WHERE user_id = ${boss.id}`)
    const said = JSON.stringify(await kept())
    for (const word of ['ana@example.org', 'anna', 'spent']) expect(said).toContain(word)
    expect((await leave(ana, 'anna')).statusCode).toBe(200)
    expect(JSON.stringify(await kept())).not.toMatch(/anna?\b/)
    const coins = () => t.rows('SELECT id FROM red_coin_transactions ORDER BY id')
    const before = await coins()
    expect(await coded(give('one', 'anna'))).toBe('409 already_completed')
    expect(await coded(give('one', 'ben'))).toBe('422 idempotency_mismatch')
    expect((await give('other', 'ben')).headers['idempotency-replayed']).toBe('true')
    expect(await coins()).toEqual(before)
  })

  it('needs no key: what a lost one has sealed is left out and left behind', async () => {
    await t.rows(`UPDATE prize_claims SET contact_info = contact_info ${underLostKey}`)
    await t.rows(`UPDATE draw_chains SET sealed_seed = sealed_seed ${underLostKey}
      WHERE ended_at IS NULL`)
    const { prizeClaims } = (await exportOf(ana)).tables
    expect(new Set(prizeClaims!.map((row) => row['contactInfo']))).toEqual(new Set([null]))
    expect((await leave(ana)).statusCode).toBe(200)
  })

  it('touches nobody else', async () => {
    const rowsOfBen = () => exportOf(ben).then(({ tables }) => tables)
    const before = await rowsOfBen()
    await leave(ana)
    expect(await rowsOfBen()).toEqual(before)
  })

  it('keeps a mark of each outside account that only the key can make', async () => {
    await leave(ana)
    const marks = await t.rows<{ provider: string; fingerprint: string }>(
      'SELECT provider, fingerprint FROM tombstones ORDER BY 1, 2',
    )
    const { fingerprint } = t.deps.encryption
    expect(marks.toSorted((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1))).toEqual(
      [
        { provider: 'twitch', fingerprint: fingerprint('twitch', 'twitch-ana') },
        { provider: 'discord', fingerprint: fingerprint('discord', 'd-ana') },
        { provider: 'discord', fingerprint: fingerprint('discord', 'old-ana') },
      ].toSorted((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1)),
    )
  })
})
