// Bulk grants on real PostgreSQL, where uploads and reversals truly contend.

import { beforeEach, describe, expect, it } from 'vitest'
import { statement } from '../src/adapters/db/database.ts'
import { clearPerson } from '../src/features/account/leaving-tables.ts'
import { type Granted, packsAnswer, packsOfOneAnswer } from '../src/features/grants/distribute.ts'
import { DomainError } from '../src/shared/domain-error.ts'
import { applyBatch, distribute, reverseBatch } from './commands.ts'
import { usePostgresDeps } from './deps.ts'
import { waitingForLocks } from './held-transaction.ts'
import { inLanes } from './lanes.ts'
import { hasPostgres } from './test-database.ts'

describe.skipIf(!hasPostgres)('bulk grants on PostgreSQL', () => {
  let boss: number

  const t = usePostgresDeps(32)
  beforeEach(async () => {
    boss = (await t.person('boss', { role: 'admin' })).id
  })
  const staff = (key?: string) => ({
    actorId: boss,
    requestId: 'r',
    route: 'test',
    idempotencyKey: key,
  })
  const fileOf = (text: string, packTypeId?: number) => ({
    kind: packTypeId === undefined ? ('redcoin' as const) : ('packs' as const),
    packTypeId,
    fileName: 'names.csv',
    contentType: 'text/csv',
    bytes: Buffer.from(text),
  })
  const addUsers = (count: number) =>
    t.rows(
      `INSERT INTO users (username, display_name)
       SELECT 'viewer' || n, 'Viewer ' || n FROM generate_series(1, $1::int) AS n`,
      [count],
    )
  const batches = async () =>
    await t.value<number>('SELECT count(*)::int AS count FROM bulk_batches')
  const waiting = () => waitingForLocks(t.db)
  const balances = async () =>
    await t.value<number>('SELECT sum(red_coin_balance)::bigint AS sum FROM users')

  it('applies 10,000 rows in one transaction, and takes them back', async () => {
    await addUsers(10_000)
    const gold = await t.packType('Gold')
    const lines = Array.from({ length: 10_000 }, (_, index) => `viewer${10_000 - index},2`)
    const answer = JSON.parse(
      (await applyBatch(t.deps, staff(), fileOf(`username,quantity\n${lines.join('\n')}`, gold)))
        .body,
    )
    expect(answer).toMatchObject({ processedCount: 10_000, failedCount: 0 })
    expect(await t.rows('SELECT DISTINCT xmin::text FROM pack_transactions')).toHaveLength(1)
    await t.expectTrueBooks()
    const reversal = JSON.parse((await reverseBatch(t.deps, staff(), answer.batchId)).body)
    expect(reversal).toMatchObject({ totalTaken: 20_000, shortfall: 0, spent: [] })
    expect(await t.rows('SELECT DISTINCT quantity FROM user_packs')).toEqual([{ quantity: 0 }])
    await t.expectTrueBooks()
  }, 120_000)

  it('applies one file once, however many uploads of it arrive together', async () => {
    await addUsers(500)
    const lines = Array.from({ length: 500 }, (_, index) => `viewer${index + 1},3`)
    const order = fileOf(`username,amount\n${lines.join('\n')}`)
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        applyBatch(t.deps, staff(index % 2 === 0 ? `key-${index}` : undefined), order),
      ),
    )
    // One of them gave; all others say the same: that it was given already.
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1)
    const later = new Set(answers.filter(({ replayed }) => replayed).map(({ body }) => body))
    expect([...later].map((body) => JSON.parse(body))).toEqual([
      expect.objectContaining({ alreadyApplied: true, processedCount: 0 }),
    ])
    expect([await batches(), await balances()]).toEqual([1, 1_500])
    await t.expectTrueBooks()
  }, 120_000)

  it('reverses a batch once, however often that is asked for at once', async () => {
    await addUsers(50)
    const lines = Array.from({ length: 50 }, (_, index) => `viewer${index + 1},3`)
    const { body } = await applyBatch(
      t.deps,
      staff(),
      fileOf(`username,amount\n${lines.join('\n')}`),
    )
    const { batchId } = JSON.parse(body)
    const ends = await Promise.allSettled(
      Array.from({ length: 12 }, () => reverseBatch(t.deps, staff(), batchId)),
    )
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const end of ends) {
      if (end.status === 'rejected') expect((end.reason as DomainError).code).toBe('wrong_state')
    }
    expect(await balances()).toBe(0)
    await t.expectTrueBooks()
  }, 120_000)

  it('reverses a grant to everyone once, while what it gave is spent and taken', async () => {
    await addUsers(300)
    const gold = await t.packType('Gold')
    const ana = await t.person('ana')
    const grant = (amount: number) =>
      distribute(
        t.deps,
        staff(),
        { packTypeId: gold, target: { kind: 'all' }, amount, description: '' },
        packsAnswer,
      )
    const take = () =>
      distribute(
        t.deps,
        staff(),
        { packTypeId: gold, target: { kind: 'user', userId: ana.id }, amount: -2, description: '' },
        packsAnswer,
      )
    await Promise.all([grant(3), grant(4), take()])
    const given = await t.rows<{ id: string; total: number; processed_count: number }>(
      'SELECT id, total::int, processed_count FROM bulk_batches WHERE reverses IS NULL',
    )
    expect(given.map(({ total, processed_count }) => total / processed_count).toSorted()).toEqual([
      3, 4,
    ])
    const ends = await Promise.allSettled([
      ...given.flatMap(({ id }) =>
        Array.from({ length: 4 }, () => reverseBatch(t.deps, staff(), id)),
      ),
      ...Array.from({ length: 6 }, take),
      ana.open(gold),
    ])
    for (const end of ends) {
      if (end.status === 'rejected') expect((end.reason as DomainError).code).toBe('wrong_state')
    }
    expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(6)
    expect(await batches()).toBe(4)
    expect(await t.rows('SELECT DISTINCT quantity FROM user_packs')).toEqual([{ quantity: 0 }])
    await t.expectTrueBooks()
  }, 120_000)

  it('gives to named users and to everyone at once, each with a receipt of its own', async () => {
    await addUsers(80)
    const names = Array.from({ length: 80 }, (_, index) => `viewer${80 - index}`)
    const targets = [{ kind: 'usernames', usernames: names } as const, { kind: 'all' } as const]
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        distribute(
          t.deps,
          staff(),
          { packTypeId: undefined, target: targets[index % 2]!, amount: 5, description: 'x' },
          packsAnswer,
        ),
      ),
    )
    expect(await batches()).toBe(12)
    await t.expectTrueBooks()
    const all = await t.rows<{ id: string }>('SELECT id FROM bulk_batches')
    await Promise.all(all.map(({ id }) => reverseBatch(t.deps, staff(), id)))
    expect(await balances()).toBe(0)
    await t.expectTrueBooks()
  }, 120_000)

  it('reverses and applies one file again without the two waiting for each other', async () => {
    await addUsers(1)
    const order = fileOf('username,amount\nviewer1,3')
    const { batchId } = JSON.parse((await applyBatch(t.deps, staff(), order)).body)
    let reversal: Promise<unknown> | undefined
    await t.db.transaction(async (tx) => {
      // As applying it again begins, which waits for the users next.
      await tx.run(statement('test_file_again', 'UPDATE bulk_files SET applied_at = $1'), [
        t.clock.now(),
      ])
      reversal = reverseBatch(t.deps, staff(), batchId)
      await expect.poll(waiting).toBe(1)
      await tx.run(statement('test_users', 'SELECT FROM users FOR NO KEY UPDATE NOWAIT'), [])
    })
    await reversal
    expect(await balances()).toBe(0)
    await t.expectTrueBooks()
  })

  it('names nobody in a receipt who leaves while a grant and a reversal wait for them', async () => {
    const ana = await t.person('ana')
    await t.person('ben')
    const target = { kind: 'usernames', usernames: ['ana', 'ben'] } as const
    const order = { packTypeId: undefined, target, amount: 5, description: '' }
    const grant = () => distribute(t.deps, staff(), order, packsAnswer)
    await grant()
    const first = await t.value<string>('SELECT id FROM bulk_batches')
    const toAna = <Answer>(amount: number, answer: (granted: Granted) => Answer) =>
      distribute(
        t.deps,
        staff(),
        { ...order, target: { kind: 'user', userId: ana.id }, amount },
        answer,
      )
    let both: Promise<readonly { readonly body: string }[]> | undefined
    let one: Promise<unknown> | undefined
    await t.db.transaction(async (tx) => {
      await clearPerson(tx, ana.id, t.clock.now())
      both = Promise.all([grant(), reverseBatch(t.deps, staff(), first)])
      one = Promise.allSettled([toAna(5, packsAnswer), toAna(-5, packsOfOneAnswer)])
      await expect.poll(waiting).toBe(4)
    })
    const [given] = (await both) ?? []
    expect(JSON.parse(given?.body ?? '')).toMatchObject({
      username: 'ben',
      errors: [{ username: 'ana', reason: 'Unknown user' }],
    })
    const refused = { status: 'rejected', reason: { code: 'not_found' } }
    expect(await one).toMatchObject([refused, refused])
    const rows = await t.rows(
      `SELECT username, user_id, verdict FROM bulk_batch_rows WHERE username <> 'ben'
       ORDER BY verdict`,
    )
    const left = { username: `deleted-${ana.id}`, user_id: ana.id }
    expect(rows).toEqual(['gone', 'gone', 'ok'].map((verdict) => ({ ...left, verdict })))
    await t.expectTrueBooks()
  })

  it('keeps the books true while batches over the same people, grants and reversals mix', async () => {
    await addUsers(60)
    const gold = await t.packType('Gold')
    const [first] = await t.rows<{ id: number }>(`SELECT id FROM users WHERE username = 'viewer1'`)
    const applied: string[] = []
    const work = async (index: number) => {
      const amount = 1 + index
      const names = Array.from({ length: 40 }, (_, step) => ((step * 7 + index) % 60) + 1)
      const lines = names.map((name) => `viewer${name},${amount}`)
      const kind = index % 2 === 0 ? undefined : gold
      const head = kind === undefined ? 'username,amount' : 'username,quantity'
      const order = fileOf(`${head}\n${lines.join('\n')}`, kind)
      applied.push(JSON.parse((await applyBatch(t.deps, staff(), order)).body).batchId)
      const grant = {
        packTypeId: kind,
        target: { kind: 'user', userId: first!.id },
        amount: index % 3 === 0 ? -20 : 5,
        description: '',
      } as const
      await distribute(t.deps, staff(), grant, packsAnswer)
      const earlier = applied[Math.floor(applied.length / 2)]!
      await reverseBatch(t.deps, staff(), earlier).catch((error) => {
        if (!(error instanceof DomainError)) throw error
      })
    }
    await inLanes(60, 12, work)
    expect(applied).toHaveLength(60)
    expect(await batches()).toBeGreaterThan(65)
    await t.expectTrueBooks()
  }, 120_000)
})
