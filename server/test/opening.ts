// What one process of the product opens packs with, for tests that call the use-case.

import type { Deps } from '../src/adapters/deps.ts'
import { Opening } from '../src/features/packs/open-packs.ts'
import type { Person, TestDeps } from './deps.ts'

/** Odds, turns and groups of its own, as a process has them. */
export function openingProcess(deps: Deps): Opening {
  return new Opening(deps)
}

/**
 * People with packs of one type, called by `prefix` and a number. They have a draw chain already,
 * so that all of them are drawn in their first attempt.
 */
export async function peopleWithChains(
  t: TestDeps,
  count: number,
  packs: Readonly<Record<number, number>>,
  prefix = 'p',
): Promise<Person[]> {
  const people: Person[] = []
  for (let index = 0; index < count; index += 1) {
    const person = await t.person(`${prefix}${index}`, { packs })
    await person.get('/api/fairness')
    people.push(person)
  }
  return people
}
