// What happened, in plain words: the whole of it as a hash, and of each person the last steps.

import { createHash } from 'node:crypto'

const stepsKept = 10

export interface Step {
  readonly at: number
  readonly who: string
  readonly words: string
}

export class Story {
  steps = 0
  /** Acts by what they were. */
  readonly counts = new Map<string, number>()
  private readonly hash = createHash('sha256')
  private readonly last = new Map<string, Step[]>()
  private readonly listen: ((line: string) => void) | undefined

  constructor(listen?: (line: string) => void) {
    this.listen = listen
  }

  tell(at: number, who: string, words: string): void {
    this.steps += 1
    const step = { at, who, words }
    const line = lineOf(step)
    this.hash.update(`${line}\n`)
    this.listen?.(line)
    const own = this.last.get(who) ?? []
    own.push(step)
    if (own.length > stepsKept) own.shift()
    this.last.set(who, own)
  }

  count(kind: string): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1)
  }

  /** The last ten steps of these people together, as lines. */
  lastSteps(people: readonly string[]): string[] {
    const steps = [...new Set(people)].flatMap((who) => this.last.get(who) ?? [])
    return steps
      .sort((a, b) => a.at - b.at)
      .slice(-stepsKept * Math.max(1, people.length))
      .map(lineOf)
  }

  /** Two runs of one seed have the same. */
  digest(): string {
    return this.hash.copy().digest('hex')
  }
}

function lineOf({ at, who, words }: Step): string {
  return `${new Date(at).toISOString().slice(5, 19).replace('T', ' ')}  ${who.padEnd(11)} ${words}`
}
