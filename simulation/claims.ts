// What staff do about claims: one by one, many at once, two of them at the same time.

import type { Habit } from './habit.ts'
import type { Claim, ClaimStatus } from './model.ts'
import type { Body } from './moment.ts'
import type { Change, Scene } from './scene.ts'

/** A claim that is likely to stand open. */
function someClaim({ model, chance }: Scene): Claim | undefined {
  const claims = model.all('claim').slice(-60)
  const open = claims.filter(({ status, isDeleted }) => status !== 'completed' && !isDeleted)
  if (open.length > 0 && chance.isLikely(0.8)) return chance.pick(open)
  return claims.length > 0 ? chance.pick(claims) : undefined
}

export function moving(scene: Scene, { id }: Claim, status: ClaimStatus): Change {
  const { model } = scene
  const now = () => model.get('claim', id)
  return {
    method: 'PATCH',
    url: `/api/admin/prize-claims/${id}`,
    words: `moves claim ${id} to ${status}`,
    body: { status },
    refusals: () => ({
      not_found: now()?.isDeleted === true,
      already_completed: now()?.isDeleted === false && now()?.status === 'completed',
      wrong_state: now()?.status === status && status !== 'completed',
    }),
    apply: () => model.change('claim', id, { status }),
    async find() {
      const [row] = await scene.world.rows<{ status: string }>(
        'claim_status',
        'SELECT status FROM prize_claims WHERE claim_id = $1',
        [id],
      )
      return row?.status === status && now()?.status !== status ? {} : undefined
    },
  }
}

async function moveClaim(scene: Scene): Promise<void> {
  const claim = someClaim(scene)
  if (claim === undefined) return
  const status = scene.chance.pick(['completed', 'completed', 'processing', 'pending'] as const)
  await scene.change(moving(scene, claim, status))
}

/** Row numbers by Claim ID, as the panel's list has them, which must be as the model has them. */
async function list(scene: Scene, status: string): Promise<{ id: number; claimId: string }[]> {
  const url = `/api/admin/prize-claims?page=1&limit=20&status=${status}`
  const heard = await scene.call({ url })
  if (!heard.isHeard || heard.status !== 200) return []
  for (const claim of heard.body.claims) {
    const known = scene.model.get('claim', claim.claimId)
    const isSame = known?.status === claim.status && known?.accountId === claim.userId
    scene.check(isSame, `lists claim ${claim.claimId} as ${claim.status}`)
  }
  return heard.body.claims
}

async function changeMany(scene: Scene): Promise<void> {
  const { model, chance } = scene
  const rows = await list(scene, chance.pick(['pending', 'all']))
  const chosen = rows.filter(() => chance.isLikely(0.4))
  if (chosen.length === 0) return
  const act = chance.isLikely(0.85) ? 'approve' : 'delete'
  const canBe = (id: string) => {
    const claim = model.get('claim', id)
    return claim?.isDeleted === false && (act === 'delete' || claim.status !== 'completed')
  }
  await scene.change({
    method: 'POST',
    url: '/api/admin/prize-claims/many',
    words: `${act}s ${chosen.length} claims`,
    body: { act, ids: chosen.map(({ id }) => id) },
    key: `${scene.person.name}-${scene.turn}`,
    refusals: () => ({}),
    apply(answer) {
      for (const { claimId, verdict } of verdictsOf(answer, chosen, canBe)) {
        const isDone = verdict === 'done'
        scene.check(isDone === canBe(claimId), `says "${verdict}" of ${act} ${claimId}`)
        if (!isDone) continue
        const change = act === 'delete' ? { isDeleted: true } : { status: 'completed' as const }
        model.change('claim', claimId, change)
      }
    },
  })
}

function verdictsOf(
  answer: Body,
  chosen: readonly { claimId: string }[],
  canBe: (id: string) => boolean,
) {
  if (answer.verdicts !== undefined) {
    // What is deleted has no name in its verdict.
    return answer.verdicts.map((one: Body, at: number) => ({
      ...one,
      claimId: chosen[at]?.claimId,
    }))
  }
  return chosen.map(({ claimId }) => ({ claimId, verdict: canBe(claimId) ? 'done' : 'refused' }))
}

async function deleteClaim(scene: Scene): Promise<void> {
  const claim = someClaim(scene)
  if (claim === undefined) return
  const { model } = scene
  await scene.change({
    method: 'DELETE',
    url: `/api/admin/prize-claims/${claim.id}`,
    words: `deletes claim ${claim.id}`,
    refusals: () => ({ not_found: model.get('claim', claim.id)?.isDeleted === true }),
    apply: () => model.change('claim', claim.id, { isDeleted: true }),
  })
}

async function restoreClaims(scene: Scene): Promise<void> {
  const { model } = scene
  const rows = await list(scene, 'deleted')
  if (rows.length === 0) return
  const [row] = [scene.chance.pick(rows)]
  await scene.change({
    method: 'POST',
    url: '/api/admin/prize-claims/restore',
    words: `restores claim ${row.claimId}`,
    body: { ids: [row.id] },
    refusals: () => ({ not_found: model.get('claim', row.claimId)?.isDeleted === false }),
    apply: () => model.change('claim', row.claimId, { isDeleted: false }),
  })
}

export const claimHabits: readonly Habit[] = [
  { name: 'move-claim', weight: 6, act: moveClaim },
  { name: 'change-many-claims', weight: 3, act: changeMany },
  { name: 'delete-claim', weight: 1, act: deleteClaim },
  { name: 'restore-claims', weight: 1, act: restoreClaims },
]
