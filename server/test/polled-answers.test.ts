// Answers that browsers ask for every few seconds: 304 while nothing has changed, and fresh at once
// after every kind of change, whoever made it.

import { beforeEach, describe, expect, it } from 'vitest'
import { type Person, useTestDeps } from './deps.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })
let boss: Person
let ana: Person
let gold: number
let hoodie: number
let claimNumber: number

beforeEach(async () => {
  gold = await t.packType('Gold')
  hoodie = await t.prize('Hoodie', { packTypeIds: [gold], totalPacks: 1, stock: 9 })
  boss = await t.person('boss', { role: 'admin' })
  ana = await t.person('ana', { coins: 50, packs: { [gold]: 5 } })
  await ana.open(gold)
  const [claim] = await t.rows<{ id: number }>('SELECT id FROM prize_claims')
  claimNumber = claim!.id
  await t.listing(gold, { price: 3 })
})

const poll = (who: Person, url: string, etag?: string) =>
  t.visitor.get(url, {
    cookie: who.cookie,
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
  })

const playerPolls = [
  '/api/user/stats',
  '/api/user/packs',
  '/api/packs/types',
  '/api/store/listings',
  '/api/twitch/watch-sessions',
  '/api/twitch/active-streams',
]
const staffPolls = () => [
  '/api/admin/users-with-packs',
  '/api/admin/users?page=1',
  `/api/admin/users/${ana.id}`,
  `/api/admin/users/${ana.id}/prizes`,
  '/api/admin/prize-claims',
  '/api/admin/prize-claims?status=pending',
]

describe('a polled answer', () => {
  it('is 304 without a body while nothing has changed', async () => {
    const polls: [Person, string][] = [
      ...playerPolls.map((url): [Person, string] => [ana, url]),
      ...staffPolls().map((url): [Person, string] => [boss, url]),
    ]
    for (const [who, url] of polls) {
      const full = await poll(who, url)
      expect([url, full.statusCode]).toEqual([url, 200])
      const etag = String(full.headers.etag)
      expect([url, etag]).toEqual([url, expect.stringMatching(/^"[0-9a-f]{32}"$/)])
      const again = await poll(who, url, etag)
      expect([url, again.statusCode, again.body]).toEqual([url, 304, ''])
      expect(again.headers.etag).toBe(etag)
      const other = await poll(who, url, '"another"')
      expect([url, other.statusCode, other.body === full.body]).toEqual([url, 200, true])
    }
  })

  it('stays in the browser it was made for', async () => {
    for (const url of staffPolls()) {
      expect((await poll(boss, url)).headers['cache-control']).toBe('private, no-cache')
    }
    const ben = await t.person('ben')
    const own = await poll(ana, '/api/user/packs')
    const others = await poll(ben, '/api/user/packs', String(own.headers.etag))
    expect([others.statusCode, others.json()]).toEqual([200, []])
  })

  it('is refused to whoever lost the right to it, also with its name', async () => {
    const etag = String((await poll(boss, '/api/admin/users')).headers.etag)
    expect((await poll(ana, '/api/admin/users', etag)).statusCode).toBe(403)
    await t.rows(`UPDATE users SET role = 'user' WHERE id = $1`, [boss.id])
    expect((await poll(boss, '/api/admin/users', etag)).statusCode).toBe(403)
  })
})

/** Each change with the polls that must show it, and who makes it. */
const changes: readonly [string, () => Promise<unknown>, (() => [Person, string])[]][] = [
  [
    'a pack that is opened',
    () => ana.open(gold),
    [
      () => [ana, '/api/user/stats'],
      () => [ana, '/api/user/packs'],
      () => [boss, '/api/admin/users-with-packs'],
      () => [boss, `/api/admin/users/${ana.id}/prizes`],
      () => [boss, '/api/admin/prize-claims'],
    ],
  ],
  [
    'a grant of RedCoin',
    () => boss.send('POST', '/api/admin/distribute-redcoin', { userId: ana.id, amount: 5 }),
    [
      () => [boss, '/api/admin/users-with-packs'],
      () => [boss, '/api/admin/users?page=1'],
      () => [boss, `/api/admin/users/${ana.id}`],
    ],
  ],
  [
    'a profile that is edited',
    () => ana.send('PUT', '/api/user/profile', { displayName: 'Ana the First' }),
    [() => [boss, '/api/admin/users-with-packs'], () => [boss, '/api/admin/prize-claims']],
  ],
  [
    'a role that is changed',
    () => boss.send('PUT', `/api/admin/users/${ana.id}/role`, { role: 'admin' }),
    [() => [boss, '/api/admin/users-with-packs'], () => [boss, '/api/admin/users?page=1']],
  ],
  [
    'earning that is blocked',
    () => boss.send('PUT', `/api/admin/users/${ana.id}/earning-block`, { isBlocked: true }),
    [() => [boss, '/api/admin/users-with-packs']],
  ],
  [
    'somebody new',
    () => t.person('carla'),
    [() => [boss, '/api/admin/users-with-packs'], () => [boss, '/api/admin/users?page=1']],
  ],
  [
    'somebody who leaves',
    () => ana.send('DELETE', '/api/user', { confirm: 'ana' }),
    [() => [boss, '/api/admin/users-with-packs']],
  ],
  [
    'a claim that moves on',
    () => boss.send('PATCH', `/api/admin/prize-claims/${claimNumber}`, { status: 'completed' }),
    [
      () => [boss, '/api/admin/prize-claims'],
      () => [boss, '/api/admin/prize-claims?status=pending'],
      () => [boss, `/api/admin/users/${ana.id}/prizes`],
    ],
  ],
  [
    'a claim that is deleted',
    () => boss.send('DELETE', `/api/admin/prize-claims/${claimNumber}`),
    [() => [boss, '/api/admin/prize-claims'], () => [boss, `/api/admin/users/${ana.id}/prizes`]],
  ],
  [
    'a note',
    () => boss.send('POST', `/api/admin/users/${ana.id}/notes`, { body: 'Asked about sizes' }),
    [() => [boss, `/api/admin/users/${ana.id}`]],
  ],
  // As another process does it: no event reaches this one.
  [
    'a write of another process',
    () => t.rows(`UPDATE users SET red_coin_balance = 51 WHERE id = $1`, [ana.id]),
    [() => [boss, '/api/admin/users-with-packs'], () => [boss, '/api/admin/users?page=1']],
  ],
  [
    'a pack type that is renamed by another process',
    () => t.rows(`UPDATE pack_types SET name = 'Golden' WHERE id = $1`, [gold]),
    [
      () => [ana, '/api/user/packs'],
      () => [ana, '/api/packs/types'],
      () => [ana, '/api/store/listings'],
      () => [boss, '/api/admin/users-with-packs'],
    ],
  ],
  [
    'a claim that is moved on by another process',
    () => t.rows(`UPDATE prize_claims SET status = 'processing' WHERE id = $1`, [claimNumber]),
    [() => [boss, '/api/admin/prize-claims'], () => [boss, `/api/admin/users/${ana.id}/prizes`]],
  ],
  // Its name in a claim is that of the win; how to claim it is said as it is today.
  [
    'instructions of a prize that are changed by another process',
    () => t.rows(`UPDATE prizes SET claim_instructions = 'Call us' WHERE id = $1`, [hoodie]),
    [() => [boss, `/api/admin/users/${ana.id}/prizes`]],
  ],
]

describe.each(changes)('%s', (_what, change, polls) => {
  it('is seen by the next poll', async () => {
    const before = new Map<string, string>()
    for (const each of polls) {
      const [who, url] = each()
      before.set(url, String((await poll(who, url)).headers.etag))
    }
    await change()
    for (const each of polls) {
      const [who, url] = each()
      const after = await poll(who, url, before.get(url))
      expect([url, after.statusCode]).toEqual([url, 200])
    }
  })
})
