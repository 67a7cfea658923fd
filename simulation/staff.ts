// What staff do about people: who may earn, and who is staff.

import { somebody } from './grants.ts'
import type { Habit } from './habit.ts'
import type { Scene } from './scene.ts'
import { endSessions } from './sign-in.ts'

async function block(scene: Scene): Promise<void> {
  const whom = somebody(scene)
  const isBlocked = scene.chance.isLikely(0.3)
  const { model } = scene
  await scene.change({
    method: 'PUT',
    url: `/api/admin/users/${whom.id}/earning-block`,
    words: `${isBlocked ? 'blocks' : 'allows'} earning of ${whom.username}`,
    body: { isBlocked, reason: 'seen twice' },
    refusals: () => ({
      not_found: model.get('account', whom.id)?.isGone === true,
      protected_account: whom.role === 'super_user',
    }),
    apply: () => model.change('account', whom.id, { isBlocked }),
  })
}

/** Makes somebody staff, or not any more: the super user's habit. */
async function changeRole(scene: Scene): Promise<void> {
  const { model, chance, people } = scene
  const isStaff = (name: string) => name.startsWith('staff')
  const known = people.filter(({ accountId }) => accountId !== undefined)
  const chosen = known.filter(({ name }) => isStaff(name) || chance.isLikely(0.02))
  const person = chosen.length > 0 ? chance.pick(chosen) : undefined
  const account = person && model.get('account', person.accountId ?? 0)
  if (person === undefined || account === undefined) return
  const role = isStaff(person.name) && chance.isLikely(0.85) ? 'admin' : 'user'
  await scene.change({
    method: 'PUT',
    url: `/api/admin/users/${account.id}/role`,
    words: `makes ${account.username} ${role}`,
    body: { role },
    refusals: () => ({
      not_found: model.get('account', account.id)?.isGone === true,
      protected_account: account.role === 'super_user',
    }),
    apply() {
      if (model.get('account', account.id)?.role === role) return
      model.change('account', account.id, { role, roleSince: scene.now })
      endSessions(scene, account.id)
    },
  })
}

export const peopleHabits: readonly Habit[] = [{ name: 'block', weight: 1, act: block }]

export const keeperHabits: readonly Habit[] = [{ name: 'change-role', weight: 1, act: changeRole }]
