// Staff who change the same claims at the same moment, on real PostgreSQL.

import type { ChangeManyClaimsResponse } from '@redpack/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Person, usePostgresDeps } from './deps.ts'
import { hasPostgres } from './test-database.ts'

describe.skipIf(!hasPostgres)('claims on PostgreSQL', () => {
  let staff: Person[]
  let ids: number[]

  const t = usePostgresDeps(16, { SEED_DEMO: 'off' })
  beforeEach(async () => {
    staff = await Promise.all(
      ['boss', 'chief', 'head', 'lead'].map((name) => t.person(name, { role: 'admin' })),
    )
    const gold = await t.packType('Gold')
    await t.prize('Hoodie', { packTypeIds: [gold], totalPacks: 1 })
    const ana = await t.person('ana', { packs: { [gold]: 100 } })
    for (const quantity of [50, 50]) {
      await ana.open(gold, quantity)
    }
    const rows = await t.rows<{ id: number }>('SELECT id FROM prize_claims ORDER BY id')
    ids = rows.map(({ id }) => id)
  })
  async function change(
    who: number,
    act: 'approve' | 'delete',
    which: readonly number[],
    key?: string,
  ): Promise<ChangeManyClaimsResponse> {
    const headers = key === undefined ? undefined : { 'idempotency-key': key }
    const url = '/api/admin/prize-claims/many'
    const answer = await staff[who]!.send('POST', url, { act, ids: which }, headers)
    expect([answer.statusCode, answer.statusCode === 200 ? '' : answer.body]).toEqual([200, ''])
    return answer.json()
  }
  const doneBy = ({ verdicts }: ChangeManyClaimsResponse) =>
    verdicts.filter(({ verdict }) => verdict === 'done').map(({ id }) => id)
  const counted = (sql: string) => t.rows<{ count: number }>(`SELECT count(*)::int AS count ${sql}`)

  it('are approved once each, in whatever order two members of staff name them', async () => {
    const backwards = ids.toReversed()
    const answers = await Promise.all([
      ...[0, 1].map((who) => change(who, 'approve', ids)),
      ...[2, 3].map((who) => change(who, 'approve', backwards)),
    ])
    expect(answers.flatMap(doneBy).toSorted((a, b) => a - b)).toEqual(ids)
    for (const { verdicts } of answers) {
      expect(verdicts.filter(({ code }) => code === 'already_completed').length).toBe(
        verdicts.filter(({ verdict }) => verdict === 'refused').length,
      )
    }
    const entries = "FROM audit_log WHERE action = 'claim.update'"
    expect(await counted(entries)).toEqual([{ count: 100 }])
    const steps = "FROM prize_claim_events WHERE kind = 'status'"
    expect(await counted(steps)).toEqual([{ count: 100 }])
    await t.expectTrueBooks()
  }, 60_000)

  it('are deleted once each while others approve them, and every verdict is true', async () => {
    const halves = [ids.filter((id) => id % 2 === 0), ids.filter((id) => id % 2 === 1)]
    const [approved, other, deleted, again] = await Promise.all([
      change(0, 'approve', [...halves[1]!, ...halves[0]!]),
      change(1, 'approve', halves[0]!.toReversed()),
      change(2, 'delete', ids.toReversed()),
      change(3, 'delete', halves[0]!),
    ])
    expect([...doneBy(deleted!), ...doneBy(again!)].toSorted((a, b) => a - b)).toEqual(ids)
    const completed = [...doneBy(approved!), ...doneBy(other!)].toSorted((a, b) => a - b)
    const stored = await t.rows<{ id: number }>(
      `SELECT id FROM prize_claims WHERE status = 'completed' AND deleted_at IS NOT NULL ORDER BY id`,
    )
    expect(stored.map(({ id }) => id)).toEqual(completed)
    expect(await counted('FROM prize_claims WHERE deleted_at IS NULL')).toEqual([{ count: 0 }])
    await t.expectTrueBooks()
  }, 60_000)
})
