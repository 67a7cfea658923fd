// What an actor is: a person with habits, of which chance picks one whenever they wake.

import type { Person } from './person.ts'
import type { Scene } from './scene.ts'

export interface Habit {
  /** Short, in kebab-case: it stands in the table at the end and after `--only`. */
  readonly name: string
  /** How often it is picked, compared with the others of its actor. */
  readonly weight: number
  /** Does it. What the product answers is compared with the model on the way. */
  act(scene: Scene): Promise<void>
}

export interface Actor {
  readonly person: Person
  readonly habits: readonly Habit[]
  /** Acts a simulated day, about. */
  readonly actsPerDay: number
  /** Signs the person in when they have no session. */
  readonly signIn: (scene: Scene) => Promise<boolean>
}
