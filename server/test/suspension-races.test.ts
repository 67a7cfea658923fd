// A suspension or a change of role and what it stops at the same moment, on connections that really
// compete: what was acknowledged came before it, and what comes after it is refused.

import { describe, expect, it } from 'vitest'
import type { Queryable } from '../src/adapters/db/database.ts'
import { rowQuery } from '../src/adapters/db/queries.ts'
import { lockUser } from '../src/features/ledger/ledger-tables.ts'
import { saveNameWords, suspend } from '../src/features/people/standing.ts'
import { DomainError } from '../src/shared/domain-error.ts'
import { purchasePacks } from './commands.ts'
import { type Person, usePostgresDeps } from './deps.ts'
import { waitingForLocks } from './held-transaction.ts'
import { openingProcess } from './opening.ts'
import { hasPostgres } from './test-database.ts'

const rounds = 12
const turns = 6
const packsEach = 20
const countOpenings = rowQuery<{ written: number }, [userId: number]>(
  'test_count_written',
  `SELECT ((SELECT count(*) FROM pack_openings WHERE user_id = $1)
     + (SELECT count(*) FROM store_purchases WHERE user_id = $1))::int AS written`,
)
const countWritten = async (db: Pick<Queryable, 'run'>, userId: number) =>
  (await countOpenings(db, userId))?.written

describe.skipIf(!hasPostgres)('on PostgreSQL', () => {
  const t = usePostgresDeps(24, { SEED_DEMO: 'off' })
  it('lets an opening or a purchase be acknowledged before it, or refuses it', async () => {
    const gold = await t.packType('Gold')
    await t.prize('Coins', { packTypeIds: [gold], totalPacks: 2, redCoinAmount: 7 })
    const boss = await t.person('boss', { role: 'admin' })
    const listingId = await t.listing(gold, { price: 1 })
    const processes = [openingProcess(t.deps), openingProcess(t.deps)]
    let stopped = 0
    let done = 0
    for (let round = 0; round < rounds; round += 1) {
      const start = { coins: 100, packs: { [gold]: packsEach } }
      const { id: userId, get } = await t.person(`p${round}`, start)
      await get('/api/fairness')
      const written = (db: Pick<Queryable, 'run'>) => countWritten(db, userId)
      // Nobody goes through the edge: only what stands under the locks can refuse.
      const open = { packTypeId: gold, quantity: 1, idempotencyKey: undefined }
      const purchase = { listingId, quantity: 1, idempotencyKey: undefined }
      const works = [
        () => processes[0]!.open(userId, open),
        () => processes[1]!.open(userId, open),
        () => purchasePacks(t.deps, userId, purchase),
      ]
      const lane = async (work: () => Promise<unknown>) => {
        for (let turn = 0; turn < turns; turn += 1) {
          const code = await work().then(
            () => undefined,
            (error: unknown) => (error instanceof DomainError ? error.code : String(error)),
          )
          expect([undefined, 'suspended']).toContain(code)
          if (code === undefined) done += 1
          else stopped += 1
        }
      }
      const suspension = async () => {
        for (let turn = 0; turn < round; turn += 1) await t.rows('SELECT 1')
        const by = { actorId: boss.id, requestId: 'r', now: t.clock.now() }
        const change = { userId, until: null, reason: 'Runs a farm' }
        return t.db.transaction(async (tx) => {
          await suspend(tx, by, change)
          return written(tx)
        })
      }
      const [before] = await Promise.all([suspension(), ...works.map(lane)])
      // What was written when the suspension had the row is all there will ever be.
      expect(await written(t.db)).toBe(before)
    }
    expect([done > 0, stopped > 0]).toEqual([true, true])
    const [all] = await t.rows<{ written: number }>(
      `SELECT ((SELECT count(*) FROM pack_openings) + (SELECT count(*) FROM store_purchases))::int
         AS written`,
    )
    expect(all?.written).toBe(done)
    await t.expectTrueBooks()
  }, 120_000)

  it('lets one of two admins who take the role from each other do it', async () => {
    const cid = await t.person('cid', { role: 'admin' })
    const dan = await t.person('dan', { role: 'admin' })
    const url = (id: number) => `/api/admin/users/${id}/role`
    const demote = async (who: Person, whom: Person) =>
      who.send('PUT', url(whom.id), { role: 'user' })
    let taken: ReturnType<typeof demote>[] = []
    await t.db.transaction(async (tx) => {
      for (const { id } of [cid, dan]) await lockUser(tx, id)
      taken = [demote(cid, dan), demote(dan, cid)]
      await expect.poll(() => waitingForLocks(t.db)).toBe(2)
    })
    const statuses = (await Promise.all(taken)).map(({ statusCode }) => statusCode)
    expect(statuses.sort()).toEqual([200, 401])
    expect(await t.column('SELECT role FROM users ORDER BY role')).toEqual(['admin', 'user'])
    expect(await t.value('SELECT count(*)::int AS count FROM audit_log')).toBe(1)
  })

  it('lets one of two members of staff change the list of words that both have seen', async () => {
    let seen: string[] = []
    for (let round = 0; round < rounds; round += 1) {
      const save = (word: string) =>
        t.db.transaction((tx) => {
          const by = { actorId: 1, requestId: 'r', now: t.clock.now() }
          const change = { words: [...seen, word], hidesAtOnce: false, expected: { words: seen } }
          return saveNameWords(tx, by, change)
        })
      const ends = await Promise.allSettled([save(`a${round}`), save(`b${round}`)])
      const kept = ends.flatMap((end) => (end.status === 'fulfilled' ? end.value.answer.words : []))
      const refused = ends.flatMap((end) => (end.status === 'rejected' ? end.reason.code : []))
      expect(refused).toEqual(['changed_meanwhile'])
      expect(
        await t.column(`SELECT value -> 'words' AS kept FROM app_settings
        WHERE key = 'name_words'`),
      ).toEqual([kept])
      seen = kept
    }
  })
})
