// Who takes part: viewers, and the local account that founds it all.

import { signInLocally } from './founding.ts'
import type { Actor } from './habit.ts'
import { personOf, signIn } from './people.ts'
import { viewerHabits } from './viewer.ts'

const viewerActsPerDay = 6

export const founder: Actor = {
  person: personOf('keeper', 0),
  habits: [],
  actsPerDay: 0,
  signIn: signInLocally,
}

export function communityOf(viewers: number): Actor[] {
  return Array.from({ length: viewers }, (_, at) => ({
    person: personOf(`viewer-${at + 1}`, at + 1),
    habits: viewerHabits,
    actsPerDay: viewerActsPerDay,
    signIn,
  }))
}
