// What an invariant is.

export interface Invariant {
  readonly id: string
  readonly title: string
  /** Answers the rows that break it; none when it holds. */
  readonly sql: string
}
