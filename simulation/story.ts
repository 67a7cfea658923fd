// What happened, in plain words: the whole of it as a hash, and of each person the last steps; and
// what cannot be.

import { createHash } from 'node:crypto'

const stepsKept = 10

/** That product and model do not say the same: the product did `what`, which the model refuses. */
export class Disagreement extends Error {
  constructor(
    what: string,
    /** Names of those whose last steps tell how it came. */
    readonly people: readonly string[] = [],
    /** What the product said, and of what, where one value stood against another. */
    readonly values?: { readonly what: string; readonly said: unknown },
  ) {
    super(what)
  }
}

/** What was caught: a throw that nobody expected counts as well, and says where it came from. */
export const asDisagreement = (error: unknown, people: readonly string[] = []) =>
  error instanceof Disagreement
    ? error
    : new Disagreement(`throws ${(error as Error).stack}`, people)

/** What was typed cannot be meant. */
export class BadArguments extends Error {}

export class Story {
  /** Acts by what they were. */
  readonly counts = new Map<string, number>()
  private readonly hash = createHash('sha256')
  private readonly last = new Map<string, string[]>()

  constructor(private readonly listen?: (line: string) => void) {}

  tell(at: number, who: string, words: string): void {
    const time = new Date(at).toISOString().slice(5, 19).replace('T', ' ')
    const line = `${time}  ${who.padEnd(11)} ${words}`
    this.hash.update(`${line}\n`)
    this.listen?.(line)
    this.last.set(who, [...(this.last.get(who) ?? []), line].slice(-stepsKept))
  }

  count(kind: string): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1)
  }

  /** How many calls there were: their names have a method before their path. */
  get calls(): number {
    const counts = [...this.counts].filter(([name]) => name.includes(' '))
    return counts.reduce((sum, [, count]) => sum + count, 0)
  }

  /** The last ten steps of each of these people, in their order. */
  lastSteps(people: readonly string[]): string[] {
    return [...new Set(people)].flatMap((who) => this.last.get(who) ?? []).sort()
  }

  /** Two runs of one seed have the same. */
  readonly digest = () => this.hash.copy().digest('hex')
}
