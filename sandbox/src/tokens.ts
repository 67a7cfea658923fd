// What the stand-ins hand out: codes that count once, and tokens, all in memory.

import { randomBytes } from 'node:crypto'

const entriesMax = 50_000

interface Entry<Value> {
  readonly value: Value
  readonly expiresAtMillis: number
}

/** Secrets and what they stand for, until they expire. The oldest go when there are very many. */
export class IssuedSecrets<Value> {
  private readonly entries = new Map<string, Entry<Value>>()
  private readonly now: () => Date

  constructor(now: () => Date) {
    this.now = now
  }

  issue(value: Value, lifeSeconds: number): string {
    const secret = randomBytes(20).toString('hex')
    if (this.entries.size >= entriesMax) {
      const oldest = this.entries.keys().next()
      if (oldest.done !== true) this.entries.delete(oldest.value)
    }
    this.entries.set(secret, {
      value,
      expiresAtMillis: this.now().getTime() + lifeSeconds * 1000,
    })
    return secret
  }

  find(secret: string): Value | undefined {
    const entry = this.entries.get(secret)
    const isAlive = entry !== undefined && entry.expiresAtMillis > this.now().getTime()
    return isAlive ? entry.value : undefined
  }

  /** Finds a secret and ends it. */
  take(secret: string): Value | undefined {
    const value = this.find(secret)
    this.entries.delete(secret)
    return value
  }
}
