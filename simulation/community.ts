// Who takes part, how busy they are, and which habits they have.

import { attackerHabits } from './attacker.ts'
import { catalogueHabits } from './catalogue.ts'
import { claimHabits } from './claims.ts'
import { crowdHabits, operatorHabits } from './crowd.ts'
import { signInLocally } from './founding.ts'
import { grantHabits } from './grants.ts'
import type { Actor } from './habit.ts'
import { personOf } from './person.ts'
import { signIn } from './sign-in.ts'
import { keeperHabits, peopleHabits } from './staff.ts'
import { viewerHabits } from './viewer.ts'
import { streamerHabits, watchHabits } from './watching.ts'

const staffHabits = [...catalogueHabits, ...grantHabits, ...claimHabits, ...peopleHabits]
const nobody = async () => true

/** Ten members of staff for 300 viewers, and at least two. */
export function communityOf(viewers: number): Actor[] {
  const staff = Math.max(2, Math.round(viewers / 30))
  let number = 0
  const group = (name: string, count: number, habits: Actor['habits'], actsPerDay: number) =>
    Array.from({ length: count }, (_, at): Actor => {
      number += 1
      return { person: personOf(`${name}-${at + 1}`, number), habits, actsPerDay, signIn }
    })
  const unseen = (name: string, habits: Actor['habits'], actsPerDay: number): Actor[] =>
    group(name, 1, habits, actsPerDay).map((actor) => ({ ...actor, signIn: nobody }))
  return [
    // The local account, which makes everything and everybody else.
    { person: personOf('keeper', 0), habits: keeperHabits, actsPerDay: 4, signIn: signInLocally },
    ...group('viewer', viewers, [...viewerHabits, ...watchHabits], 2.4),
    ...group('staff', staff, staffHabits, 30),
    ...group('attacker', 1, attackerHabits, 20),
    ...unseen('streamers', streamerHabits, 12),
    ...unseen('crowd', crowdHabits, 20 + viewers / 10),
    ...unseen('operator', operatorHabits, 0.5),
  ]
}
