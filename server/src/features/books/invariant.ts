// What an invariant is, and how it is looked at: in steps that are short and can be gone on with.

import type { Queryable } from '../../adapters/db/database.ts'
import type { Keys } from './keys.ts'

export type BrokenRow = Readonly<Record<string, unknown>>

/** How far a check of one invariant has come, as JSON; `part` names what is being looked at. */
export interface Progress {
  readonly part: string
  readonly [more: string]: unknown
}

/** What a look at some of the books has found. */
export interface Found {
  /** Rows that break the invariant, at most `brokenRowsMax`. */
  readonly broken: readonly BrokenRow[]
  /** How many there were in all. */
  readonly brokenCount: number
}

export interface Step extends Found {
  /** Where to go on; undefined when everything was looked at. */
  readonly next: Progress | undefined
}

/** One query of an invariant, over keys that new rows are about. */
export interface NewPart {
  readonly keys: Keys
  /** Keys at once. */
  readonly keysMax: number
  /** Finds what breaks the invariant among these keys, given as text, by the rules of `step`. */
  look(db: Queryable, keys: readonly string[]): Promise<Found>
}

export interface Invariant {
  readonly id: string
  readonly title: string
  /**
   * Looks at about `size` things from `progress` on, from the beginning without it. Each statement
   * sees one moment, so that a step is right by itself and steps may lie hours apart.
   */
  step(db: Queryable, progress: Progress | undefined, size: number): Promise<Step>
  /** The same for what new rows are about. */
  readonly newParts: readonly NewPart[]
}

/** Rows that are kept as examples. */
export const brokenRowsMax = 20

/** All that was found, with the first rows. */
export function foundOf(broken: readonly BrokenRow[]): Found {
  return { broken: broken.slice(0, brokenRowsMax), brokenCount: broken.length }
}

/** A step from all that it has found. */
export function stepOf(broken: readonly BrokenRow[], next: Progress | undefined): Step {
  return { ...foundOf(broken), next }
}
