// Many claims approved or deleted by one call: a verdict for each, and one entry in the log each.

import type { AdminClaim } from '@redpack/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Person, told, useTestDeps } from '../../../test/deps.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })
const path = '/api/admin/prize-claims'
let boss: Person
let ana: Person
/** Four claims of ana, oldest first: three hoodies that wait, and RedCoin that was paid. */
let claims: AdminClaim[]

beforeEach(async () => {
  const gold = await t.packType('Gold')
  const silver = await t.packType('Silver')
  await t.prize('Hoodie', { packTypeIds: [gold], totalPacks: 1 })
  await t.prize('Chest', { packTypeIds: [silver], totalPacks: 1, redCoinAmount: 9 })
  boss = await t.person('boss', { role: 'admin' })
  ana = await t.person('ana', { packs: { [gold]: 3, [silver]: 1 } })
  await ana.open(gold, 3)
  await ana.open(silver)
  claims = ((await boss.read(path)) as AdminClaim[]).toSorted((a, b) => a.id - b.id)
})

const change = (act: string, ids: readonly unknown[], headers = {}) =>
  boss.send('POST', `${path}/many`, { act, ids }, headers)
const statuses = async () =>
  ((await boss.read(path)) as AdminClaim[])
    .toSorted((a, b) => a.id - b.id)
    .map(({ id, status }) => [id, status])
const entries = () =>
  t.rows(`SELECT action, target_id, before, after, batch_id FROM audit_log
    WHERE action <> 'claim.read_list' ORDER BY id`)

describe('many claims at once', () => {
  it('are approved one by one; what is refused says why and stops no other', async () => {
    const [first, second, third, paid] = claims as [AdminClaim, AdminClaim, AdminClaim, AdminClaim]
    await boss.send('DELETE', `${path}/${third.id}`)
    const ids = [paid.id, first.id, third.id, 2_000_000_000, second.id, first.id]
    const answer = (await change('approve', ids)).json()
    expect(answer).toEqual({
      success: true,
      message: '2 of 5 prize claims approved',
      doneCount: 2,
      refusedCount: 3,
      batchId: null,
      verdicts: [
        refusal(paid.id, paid.claimId, 'already_completed', 'Claim is already completed'),
        done(first),
        refusal(third.id, null, 'not_found', 'Prize claim not found'),
        refusal(2_000_000_000, null, 'not_found', 'Prize claim not found'),
        done(second),
      ],
    })
    expect(await statuses()).toEqual([
      [first.id, 'completed'],
      [second.id, 'completed'],
      [paid.id, 'completed'],
    ])
    expect((await entries()).slice(1)).toMatchObject([
      { action: 'claim.update', target_id: String(first.id), before: { status: 'pending' } },
      { action: 'claim.update', target_id: String(second.id), after: { status: 'completed' } },
    ])
    const own = (await ana.read('/api/user/prize-claims/paginated')).claims
    expect(own[0].timeline.at(-1).status).toBe('completed')
    await t.expectTrueBooks()
  })

  it('are deleted whatever their status, and come back as one', async () => {
    const before = await statuses()
    const ids = claims.map(({ id }) => id)
    const answer = (await change('delete', ids)).json()
    expect(answer).toMatchObject({ doneCount: 4, refusedCount: 0, batchId: expect.any(String) })
    expect(await statuses()).toEqual([])
    expect(await entries()).toMatchObject(
      ids.map((id) => ({
        action: 'claim.delete',
        target_id: String(id),
        batch_id: answer.batchId,
      })),
    )
    const { batchId } = answer
    expect((await boss.send('POST', `${path}/restore`, { batchId })).json().restoredCount).toBe(4)
    expect(await statuses()).toEqual(before)
  })

  it('leave no trace where every one is refused', async () => {
    const answer = (await change('delete', [2_000_000_000])).json()
    expect(answer).toMatchObject({ doneCount: 0, refusedCount: 1, batchId: null })
    expect(await entries()).toEqual([])
  })

  it('are changed once under one key, and told of once', async () => {
    const told: unknown[] = []
    t.deps.events.subscribe((event) => told.push(event))
    const ids = claims.map(({ id }) => id)
    const key = { 'idempotency-key': 'one' }
    const first = await change('approve', ids, key)
    const second = await change('approve', ids, key)
    expect(second.body).toBe(first.body)
    expect(second.headers['idempotency-replayed']).toBe('true')
    expect((await change('delete', ids, key)).statusCode).toBe(422)
    expect(told).toEqual([{ type: 'user_changed', userId: ana.id }])
    expect(await entries()).toHaveLength(3)
  })

  it('are at least one and at most 1,000, known by their numbers', async () => {
    const many = Array.from({ length: 1_001 }, (_, index) => index + 1)
    for (const [act, ids, message] of [
      ['approve', [], 'Say which claims to change'],
      ['approve', many, 'At most 1,000 claims at once'],
      ['approve', ['x'], 'Invalid id'],
      ['ship', [1], 'Invalid act'],
    ] as const) {
      expect(await told(change(act, ids))).toBe(`400 ${message}`)
    }
    const viewer = await ana.send('POST', `${path}/many`, { act: 'approve', ids: [1] })
    expect(viewer.statusCode).toBe(403)
  })
})

function done({ id, claimId }: AdminClaim) {
  return { id, claimId, verdict: 'done', code: null, reason: null }
}

function refusal(id: number, claimId: string | null, code: string, reason: string) {
  return { id, claimId, verdict: 'refused', code, reason }
}
