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

const everybody = '/api/admin/users-with-packs'
const onePage = '/api/admin/users?page=1'
const profile = '/api/admin/users/ANA'
const wins = '/api/admin/users/ANA/prizes'
const claims = '/api/admin/prize-claims'
const pending = '/api/admin/prize-claims?status=pending'
const staffPolls = [everybody, onePage, profile, wins, claims, pending]
const playerPolls = [
  '/api/user/stats',
  '/api/user/packs',
  '/api/packs/types',
  '/api/store/listings',
  '/api/twitch/watch-sessions',
  '/api/twitch/active-streams',
]

/** Asked by the boss where it is for staff, else by Ana. */
const poll = (url: string, etag?: string, who = url.startsWith('/api/admin') ? boss : ana) =>
  who.get(url.replace('ANA', String(ana.id)), etag === undefined ? {} : { 'if-none-match': etag })

describe('a polled answer', () => {
  it('is 304 without a body while nothing has changed', async () => {
    for (const url of [...playerPolls, ...staffPolls]) {
      const full = await poll(url)
      expect([url, full.statusCode]).toEqual([url, 200])
      const etag = String(full.headers.etag)
      expect([url, etag]).toEqual([url, expect.stringMatching(/^"[0-9a-f]{32}"$/)])
      const again = await poll(url, etag)
      expect([url, again.statusCode, again.body]).toEqual([url, 304, ''])
      expect(again.headers.etag).toBe(etag)
      const other = await poll(url, '"another"')
      expect([url, other.statusCode, other.body === full.body]).toEqual([url, 200, true])
    }
  })

  it('stays in the browser it was made for', async () => {
    for (const url of staffPolls) {
      expect((await poll(url)).headers['cache-control']).toBe('private, no-cache')
    }
    const ben = await t.person('ben')
    // What his first call writes would have every answer built anew.
    await poll('/api/user/packs', undefined, ben)
    const own = await poll('/api/user/packs')
    const others = await poll('/api/user/packs', String(own.headers.etag), ben)
    expect([others.statusCode, others.body]).toEqual([200, '[]'])
  })

  it('is refused to whoever lost the right to it, also with its name', async () => {
    const etag = String((await poll(onePage)).headers.etag)
    expect((await poll(onePage, etag, ana)).statusCode).toBe(403)
    await t.rows(`UPDATE users SET role = 'user' WHERE id = $1`, [boss.id])
    expect((await poll(onePage, etag)).statusCode).toBe(403)
  })
})

/** Each change with the polls that must show it. */
const changes: readonly [string, () => Promise<unknown>, string[]][] = [
  [
    'a pack that is opened',
    () => ana.open(gold),
    ['/api/user/stats', '/api/user/packs', everybody, wins, claims],
  ],
  [
    'a grant of RedCoin',
    () => boss.send('POST', '/api/admin/distribute-redcoin', { userId: ana.id, amount: 5 }),
    [everybody, onePage, profile],
  ],
  [
    'a profile that is edited',
    () => ana.send('PUT', '/api/user/profile', { displayName: 'Ana the First' }),
    [everybody, claims],
  ],
  [
    'a role that is changed',
    () => boss.send('PUT', `/api/admin/users/${ana.id}/role`, { role: 'admin' }),
    [everybody, onePage],
  ],
  [
    'earning that is blocked',
    () => boss.send('PUT', `/api/admin/users/${ana.id}/earning-block`, { isBlocked: true }),
    [everybody],
  ],
  ['somebody new', () => t.person('carla'), [everybody, onePage]],
  ['somebody who leaves', () => ana.send('DELETE', '/api/user', { confirm: 'ana' }), [everybody]],
  [
    'a claim that moves on',
    () => boss.send('PATCH', `/api/admin/prize-claims/${claimNumber}`, { status: 'completed' }),
    [claims, pending, wins],
  ],
  [
    'a claim that is deleted',
    () => boss.send('DELETE', `/api/admin/prize-claims/${claimNumber}`),
    [claims, wins],
  ],
  [
    'a note',
    () => boss.send('POST', `/api/admin/users/${ana.id}/notes`, { body: 'Asked about sizes' }),
    [profile],
  ],
  // As another process does it: no event reaches this one.
  [
    'a write of another process',
    () => t.rows(`UPDATE users SET red_coin_balance = 51 WHERE id = $1`, [ana.id]),
    [everybody, onePage],
  ],
  [
    'a pack type that is renamed by another process',
    () => t.rows(`UPDATE pack_types SET name = 'Golden' WHERE id = $1`, [gold]),
    ['/api/user/packs', '/api/packs/types', '/api/store/listings', everybody],
  ],
  [
    'a claim that is moved on by another process',
    () => t.rows(`UPDATE prize_claims SET status = 'processing' WHERE id = $1`, [claimNumber]),
    [claims, wins],
  ],
  // Its name in a claim is that of the win; how to claim it is said as it is today.
  [
    'instructions of a prize that are changed by another process',
    () => t.rows(`UPDATE prizes SET claim_instructions = 'Call us' WHERE id = $1`, [hoodie]),
    [wins],
  ],
]

describe.each(changes)('%s', (_what, change, urls) => {
  it('is seen by the next poll', async () => {
    const before = new Map<string, string>()
    for (const url of urls) before.set(url, String((await poll(url)).headers.etag))
    await change()
    for (const [url, etag] of before) {
      expect([url, (await poll(url, etag)).statusCode]).toEqual([url, 200])
    }
  })
})
