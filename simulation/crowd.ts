// Several people at the very same moment, and what the operator does.

import { editingPrize } from './catalogue.ts'
import { moving } from './claims.ts'
import { reversing } from './grants.ts'
import type { Habit } from './habit.ts'
import { lookAtOdds, opening } from './openings.ts'
import type { Person } from './person.ts'
import type { Change, Scene } from './scene.ts'
import { isSignedIn } from './sign-in.ts'
import { buying } from './viewer.ts'

/** People of whom each has a session. */
function present(scene: Scene, count: number, kind: string): Scene[] {
  const ready = scene.people.filter(
    (person) => person.name.startsWith(kind) && isSignedIn(scene.as(person)),
  )
  const chosen: Person[] = []
  while (chosen.length < count && chosen.length < ready.length) {
    const one = scene.chance.pick(ready.filter((person) => !chosen.includes(person)))
    chosen.push(one)
  }
  return chosen.map((person) => scene.as(person))
}

const key = (scene: Scene) => `${scene.person.name}-crowd-${scene.turn}`

async function openAtOnce(scene: Scene): Promise<void> {
  const { model } = scene
  const changes: Change[] = []
  for (const viewer of present(scene, 3, 'viewer')) {
    const held = model.names('packs').find((name) => {
      const [accountId] = name.split(' ')
      return Number(accountId) === viewer.person.accountId && model.count('packs', name) > 0
    })
    const shown = held && (await lookAtOdds(viewer, Number(held.split(' ')[1])))
    if (shown) changes.push({ ...opening(viewer, shown, 1, key(viewer)), by: viewer })
  }
  if (scene.chance.isLikely(0.3)) {
    const [staff] = present(scene, 1, 'staff')
    if (staff) changes.push({ ...editingPrize(staff), key: key(staff), by: staff })
  }
  if (changes.length > 0) await scene.together(changes)
}

async function buyAtOnce(scene: Scene): Promise<void> {
  const viewers = present(scene, 3, 'viewer')
  if (viewers.length === 0) return
  await scene.together(viewers.map((viewer) => ({ ...buying(viewer, key(viewer)), by: viewer })))
}

/** Two members of staff take the same thing into their hands. */
async function sameRecord(scene: Scene): Promise<void> {
  const staff = present(scene, 2, 'staff').filter(
    ({ model, accountId }) => model.get('account', accountId)?.role === 'admin',
  )
  if (staff.length < 2) return
  const { model, chance } = scene
  const [claim] = model.all('claim').filter((one) => one.status === 'pending' && !one.isDeleted)
  const batch = model.all('batch').findLast(({ isReversed }) => !isReversed)
  if (claim !== undefined && (batch === undefined || chance.isLikely(0.5))) {
    // Which of the two it was, the audit log could not tell after a lost answer.
    if (scene.isRisky) return
    await scene.together(staff.map((by) => ({ ...moving(by, claim, 'completed'), by })))
  } else if (batch !== undefined) {
    await scene.together(staff.map((by) => ({ ...reversing(by, batch.id, key(by)), by })))
  }
}

async function restart(scene: Scene): Promise<void> {
  const process = scene.chance.pick(scene.world.processes)
  scene.tell(`kills process ${process.number} and starts it again`)
  await scene.world.restart(process.number)
}

export const crowdHabits: readonly Habit[] = [
  { name: 'open-at-once', weight: 5, act: openAtOnce },
  { name: 'buy-at-once', weight: 4, act: buyAtOnce },
  { name: 'same-record', weight: 3, act: sameRecord },
]

export const operatorHabits: readonly Habit[] = [{ name: 'restart', weight: 1, act: restart }]
