// What an invariant is, and how it is looked at: in steps that are short and can be gone on with.

import type { Queryable } from '../../adapters/db/database.ts'

export type BrokenRow = Readonly<Record<string, unknown>>

/** How far a check of one invariant has come, as JSON; `part` names what is being looked at. */
export interface Progress {
  readonly part: string
  readonly [more: string]: unknown
}

/** What one step has found. */
export interface Step {
  /** Rows that break the invariant, at most `brokenRowsMax`. */
  readonly broken: readonly BrokenRow[]
  /** How many there were in all. */
  readonly brokenCount: number
  /** Where to go on; undefined when everything was looked at. */
  readonly next: Progress | undefined
}

export interface Invariant {
  readonly id: string
  readonly title: string
  /**
   * Looks at about `size` things from `progress` on, from the beginning without it. Each statement
   * sees one moment, so that a step is right by itself and steps may lie hours apart.
   */
  step(db: Queryable, progress: Progress | undefined, size: number): Promise<Step>
}

/** Rows that are kept as examples. */
export const brokenRowsMax = 20

/** A step from all that it has found. */
export function stepOf(broken: readonly BrokenRow[], next: Progress | undefined): Step {
  return { broken: broken.slice(0, brokenRowsMax), brokenCount: broken.length, next }
}
