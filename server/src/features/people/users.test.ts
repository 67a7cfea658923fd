// Users as staff see and change them: lists, pages, files, prizes and roles.

import type { AdminUser, AdminUsersPage } from '@redpack/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { askedDatabase } from '../../../test/asked-database.ts'
import { coded, type Person, told, useTestDeps } from '../../../test/deps.ts'
import { sessionCookie } from '../../../test/sessions.ts'
import { allUsersJson, usersVersion } from './users-views.ts'

const t = useTestDeps({
  SEED_DEMO: 'off',
  LOCAL_ADMIN_USERNAME: 'keeper',
  LOCAL_ADMIN_PASSWORD: 'a long enough password',
})
const lists = ['/api/admin/users', '/api/admin/users-with-packs', '/api/test/admin-users']
let boss: Person
let ana: Person
let gold: number

beforeEach(async () => {
  gold = await t.packType('Gold')
  const silver = await t.packType('Silver')
  boss = await t.person('boss', { role: 'admin' })
  ana = await t.person('ana', { coins: 35, packs: { [gold]: 3, [silver]: 1 } })
  // A holding without packs is not shown.
  await ana.open(silver)
  await t.person('ben', { coins: 70 })
})

const namesOf = (users: readonly AdminUser[]) => users.map(({ username }) => username)
const page = async (query: string): Promise<AdminUsersPage> =>
  await boss.read(`${lists[0]}?${query}`)

async function signInLocally(): Promise<Person> {
  const answer = await t.visitor.send('POST', '/api/auth/local', {
    username: 'keeper',
    password: 'a long enough password',
  })
  return answer.json().user
}

describe('the list of users', () => {
  it.each(lists)('is a bare array with packs at %s', async (url) => {
    await t.rows('UPDATE users SET email = $2, avatar = $3 WHERE id = $1', [
      ana.id,
      'ana@example.org',
      '/a.png',
    ])
    const answer = await boss.get(`${url}?t=1`)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    const users: AdminUser[] = answer.json()
    expect(namesOf(users)).toEqual(['ana', 'ben', 'boss'])
    expect(users[0]).toEqual({
      id: ana.id,
      username: 'ana',
      displayName: 'ana',
      email: 'ana@example.org',
      avatar: '/a.png',
      redCoinBalance: 40,
      role: 'user',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      userPacks: [{ packTypeId: gold, packTypeName: 'Gold', quantity: 3 }],
      isProtected: false,
      isLocked: false,
      isEarningBlocked: false,
      ownName: null,
      isNameFlagged: false,
      suspension: null,
    })
    expect(users[2]).toMatchObject({ role: 'admin', userPacks: [] })
  })

  it('leaves out who has left, and marks the protected account', async () => {
    await ana.send('DELETE', '/api/user', { confirm: 'ana' })
    await signInLocally()
    const users: AdminUser[] = await boss.read(lists[0]!)
    expect(users.map((user) => [user.username, user.isProtected, user.isLocked])).toEqual([
      ['ben', false, false],
      ['boss', false, false],
      ['keeper', true, true],
    ])
  })

  it('has its version, and none where somebody changed while it was read', async () => {
    const now = t.clock.now()
    expect((await allUsersJson(t.db, now)).version).toBe(await usersVersion(t.db))
    const changing = askedDatabase(t.db, async ({ name }) => {
      if (name !== 'read_picked_admin_users') return
      await t.rows("UPDATE users SET avatar = '/new.png' WHERE id = $1", [ana.id])
    })
    expect((await allUsersJson(changing, now)).version).toBeUndefined()
  })

  it('answers one page as soon as one of the four is asked for', async () => {
    const first = await page('limit=2&page=1')
    expect([namesOf(first.users), first.total, first.totalPages]).toEqual([['ana', 'ben'], 3, 2])
    expect([first.page, first.limit]).toEqual([1, 2])
    expect(namesOf((await page('limit=2&page=2')).users)).toEqual(['boss'])
    const past = await page('limit=2&page=9')
    expect([past.users, past.total]).toEqual([[], 3])
    expect(await page('page=x&limit=0&sort=shoe')).toMatchObject({ page: 1, limit: 50, total: 3 })
  })

  it('finds by part of username, display name and email, whatever the case', async () => {
    await t.rows('UPDATE users SET display_name = $2, email = $3 WHERE id = $1', [
      ana.id,
      '100% Ana_1',
      'Mail@Example.org',
    ])
    for (const [search, found] of [
      ['AN', ['ana']],
      ['100%', ['ana']],
      ['a_1', ['ana']],
      ['%', ['ana']],
      ['mail@example', ['ana']],
      ['b', ['ben', 'boss']],
      ['nobody', []],
    ] as const) {
      const answer = await page(`search=${encodeURIComponent(search)}`)
      expect([search, namesOf(answer.users), answer.total]).toEqual([search, found, found.length])
    }
  })

  it.each([
    ['username', ['ana', 'ben', 'boss']],
    ['-username', ['boss', 'ben', 'ana']],
    ['redCoinBalance', ['boss', 'ana', 'ben']],
    ['-redCoinBalance', ['ben', 'ana', 'boss']],
    ['role', ['boss', 'ana', 'ben']],
    ['-role', ['ben', 'ana', 'boss']],
    ['createdAt', ['ben', 'boss', 'ana']],
    ['-createdAt', ['ana', 'boss', 'ben']],
  ])('sorts by %s, page after page', async (sort, names) => {
    await t.rows(`UPDATE users SET created_at = CASE username WHEN 'ana' THEN now()
      WHEN 'boss' THEN now() - interval '1 hour' ELSE now() - interval '2 hours' END`)
    expect(namesOf((await page(`sort=${sort}`)).users)).toEqual(names)
    const pages = [1, 2, 3].map((number) => page(`sort=${sort}&page=${number}&limit=1`))
    expect((await Promise.all(pages)).flatMap(({ users }) => namesOf(users))).toEqual(names)
  })

  it('is a file too, in which nothing can be run', async () => {
    const rename = "UPDATE users SET display_name = '=1+1', email = 'a@example.org' WHERE id = $1"
    await t.rows(rename, [ana.id])
    const answer = await boss.get('/api/admin/users.csv?search=an')
    expect(answer.headers['content-disposition']).toBe('attachment; filename="users.csv"')
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
    const lines = answer.body.split('\r\n')
    expect(lines).toEqual([
      '\uFEFFid,username,displayName,email,role,redCoinBalance,packs,createdAt,isProtected,isEarningBlocked',
      expect.stringMatching(
        new RegExp(`^${ana.id},ana,'=1\\+1,a@example.org,user,40,3,[\\dT:.-]+Z,false,false$`),
      ),
      '',
    ])
    // A name that is spelled otherwise is found and sorted by its new letters.
    await t.rows("UPDATE users SET username = 'ANA' WHERE id = $1", [ana.id])
    const spelled = 'SELECT username FROM people_search WHERE user_id = $1'
    expect(await t.value(spelled, [ana.id])).toBe('ANA')
    await t.rows("UPDATE users SET username = 'ana' WHERE id = $1", [ana.id])
    const sorted = (await boss.get('/api/admin/users.csv?sort=-redCoinBalance')).body.split('\r\n')
    expect(sorted.slice(1, 4).map((line) => line.split(',')[1])).toEqual(['ben', 'ana', 'boss'])
  })

  it('holds each of many users once in its file', async () => {
    await t.rows(`INSERT INTO users (username, display_name)
      SELECT 'many-' || g, 'Many' FROM generate_series(1, 2300) g`)
    const body = (await boss.get('/api/admin/users.csv?search=many&sort=role')).body
    const ids = body
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[0])
    expect([ids.length, new Set(ids).size]).toEqual([2300, 2300])
  })
})

describe.each([['/api/admin/users'], ['/api/test/admin-users']])(
  'the prizes of a user at %s',
  (base) => {
    it('are the physical ones, newest first', async () => {
      const hoodie = await t.prize('Hoodie', { packTypeIds: [gold] })
      const coins = await t.prize('Coins', { packTypeIds: [gold], redCoinAmount: 9 })
      const claims = await t.rows<{ id: number }>(
        `INSERT INTO prize_claims (user_id, prize_id, claim_id, status, deleted_at, prize_name,
           prize_description, red_coin_amount, pack_quantity)
         SELECT $1::int, p.id, c.claim_id, c.status, c.deleted_at, p.name, p.description,
           p.red_coin_amount, 0
         FROM (VALUES (1, $2::int, 'PR-AAAA2222', 'pending', NULL::timestamptz),
           (2, $3::int, 'PR-BBBB2222', 'completed', NULL), (3, $2::int, NULL, 'processing', NULL),
           (4, $2::int, 'PR-CCCC2222', 'pending', now())) c (n, prize_id, claim_id, status, deleted_at)
         JOIN prizes p ON p.id = c.prize_id ORDER BY c.n
       RETURNING id`,
        [ana.id, hoodie, coins],
      )
      const prizes = await boss.read(`${base}/${ana.id}/prizes`)
      const prize = {
        id: hoodie,
        name: 'Hoodie',
        description: 'About Hoodie',
        redCoinAmount: 0,
        claimInstructions: 'Write to us',
      }
      const createdAt = expect.stringMatching(/Z$/)
      expect(prizes).toEqual([
        {
          id: claims[2]!.id,
          claimId: `PR-${claims[2]!.id}`,
          status: 'processing',
          createdAt,
          prize,
        },
        { id: claims[0]!.id, claimId: 'PR-AAAA2222', status: 'pending', createdAt, prize },
      ])
      expect(await boss.read(`${base}/${boss.id}/prizes`)).toEqual([])
      expect((await boss.get(`${base}/2000000000/prizes`)).statusCode).toBe(404)
    })
  },
)

describe.each([['/api/admin/users'], ['/api/test/admin-users']])('a role at %s', (base) => {
  const change = (who: Person, id: number, role: unknown) =>
    who.send('PUT', `${base}/${id}/role`, { role })

  it('is any of the three, answered, and recorded', async () => {
    for (const [from, role] of [
      ['user', 'admin'],
      ['admin', 'super_user'],
      ['super_user', 'user'],
    ] as const) {
      const answer = await change(boss, ana.id, role)
      expect(answer.statusCode).toBe(200)
      expect(answer.json()).toMatchObject({ id: ana.id, role, userPacks: [{ quantity: 3 }] })
      const [entry] = await t.rows('SELECT * FROM audit_log ORDER BY id DESC LIMIT 1')
      expect(entry).toMatchObject({
        actor_id: boss.id,
        action: 'role.change',
        target_type: 'user',
        target_id: String(ana.id),
        before: { role: from },
        after: { role },
      })
    }
    await change(boss, ana.id, 'user')
    expect(await t.rows('SELECT id FROM audit_log')).toHaveLength(3)
  })

  const statusOf = async (url: string, cookie: string) =>
    (await t.visitor.get(url, { cookie })).statusCode

  it.each([
    ['user', 'admin'],
    ['admin', 'super_user'],
    ['admin', 'user'],
  ] as const)(
    'from %s to %s ends every session of the user, so no copied one is worth more',
    async (from, to) => {
      await t.rows('UPDATE users SET role = $2 WHERE id = $1', [ana.id, from])
      const cookies = [ana.cookie, await sessionCookie(t, ana.id)]
      for (const cookie of cookies) expect(await statusOf('/api/auth/me', cookie)).toBe(200)
      await change(boss, ana.id, to)
      for (const cookie of cookies) {
        expect(await statusOf('/api/admin/stats', cookie)).toBe(401)
        expect(await statusOf('/api/auth/me', cookie)).toBe(401)
      }
      expect(await statusOf('/api/auth/me', boss.cookie)).toBe(200)
      const anew = await sessionCookie(t, ana.id)
      expect(await statusOf('/api/admin/stats', anew)).toBe(to === 'user' ? 403 : 200)
      await change(boss, ana.id, to)
      expect(await statusOf('/api/auth/me', anew)).toBe(200)
    },
  )

  it('may be the own one: it goes on in a new session, and every old one ends', async () => {
    const elsewhere = await sessionCookie(t, boss.id)
    const raised = await change(boss, boss.id, 'super_user')
    expect([raised.statusCode, raised.json().role]).toEqual([200, 'super_user'])
    const renewed = (answer: typeof raised) =>
      `sid=${answer.cookies.find(({ name }) => name === 'sid')!.value}`
    const first = renewed(raised)
    for (const old of [boss.cookie, elsewhere]) {
      expect(await statusOf('/api/auth/me', old)).toBe(401)
    }
    expect(await statusOf('/api/admin/stats', first)).toBe(200)
    const lowered = await t.visitor.send(
      'PUT',
      `${base}/${boss.id}/role`,
      { role: 'user' },
      { cookie: first },
    )
    expect([lowered.statusCode, lowered.json().role]).toEqual([200, 'user'])
    const second = renewed(lowered)
    expect(await statusOf('/api/auth/me', first)).toBe(401)
    expect(await statusOf('/api/auth/me', second)).toBe(200)
    expect(await statusOf('/api/admin/stats', second)).toBe(403)
    const kept = await t.rows('SELECT kind FROM sessions WHERE user_id = $1', [boss.id])
    expect(kept).toEqual([{ kind: 'player' }])
  })

  it('changed again and again makes no session of staff live longer', async () => {
    const opened = await t.rows<{ created_at: Date }>(
      'SELECT created_at FROM sessions WHERE user_id = $1',
      [boss.id],
    )
    t.clock.advance(9 * 3_600)
    const raised = await change(boss, boss.id, 'super_user')
    expect(raised.statusCode).toBe(200)
    const cookie = `sid=${raised.cookies[0]!.value}`
    const renewed = await t.rows('SELECT created_at FROM sessions WHERE user_id = $1', [boss.id])
    expect(renewed).toEqual(opened)
    t.clock.advance(3 * 3_600)
    expect(await statusOf('/api/auth/me', cookie)).toBe(401)
  })

  it('stays for the protected account and unknown words', async () => {
    const keeper = await signInLocally()
    expect(await coded(change(boss, keeper.id, 'user'))).toBe('403 protected_account')
    for (const role of ['owner', '', null, undefined, 1, ['admin']]) {
      expect(await told(change(boss, ana.id, role))).toBe('400 Invalid role')
    }
    expect((await change(boss, 2_000_000_000, 'admin')).statusCode).toBe(404)
    expect(await t.column('SELECT role FROM users ORDER BY id')).toEqual([
      'admin',
      'user',
      'user',
      'super_user',
    ])
    expect(await t.rows('SELECT id FROM audit_log')).toEqual([])
    await t.expectTrueBooks()
  })
})
