// Tokens that say themselves what they stand for, signed, so that they outlive a restart.

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

interface Content<Value> {
  readonly value: Value
  readonly expiresAtMillis: number
  /** Grows with every token, so that a holder's earlier tokens can be told from later ones. */
  readonly number: number
  readonly salt: string
}

/** Ended tokens are remembered until the process ends. */
export class SignedGrants<Value extends object> {
  private readonly key: Buffer
  private readonly now: () => Date
  private readonly ended = new Set<string>()
  private readonly endedBefore = new Map<string, number>()
  private lastNumber = Date.now() * 1_000

  constructor(now: () => Date, secret: string) {
    this.now = now
    this.key = createHash('sha256').update(`sandbox grants ${secret}`).digest()
  }

  /** `holder` names whose token it is, for `endAllOf`. */
  issue(value: Value & { readonly holder?: string }, lifeSeconds: number): string {
    this.lastNumber += 1
    const content: Content<Value> = {
      value,
      expiresAtMillis: this.now().getTime() + lifeSeconds * 1_000,
      number: this.lastNumber,
      salt: randomBytes(6).toString('hex'),
    }
    const body = Buffer.from(JSON.stringify(content)).toString('hex')
    return body + this.signatureOf(body)
  }

  find(token: string): Value | undefined {
    return this.alive(token)?.value
  }

  /** Whole seconds that are left of a token; 0 when it is unknown or expired. */
  secondsLeft(token: string): number {
    const content = this.alive(token)
    if (content === undefined) return 0
    return Math.floor((content.expiresAtMillis - this.now().getTime()) / 1_000)
  }

  /** Finds a token and ends it. */
  take(token: string): Value | undefined {
    const value = this.find(token)
    if (value !== undefined) this.ended.add(token)
    return value
  }

  /** Ends every token of a holder that was issued until now. */
  endAllOf(holder: string): void {
    this.endedBefore.set(holder, this.lastNumber)
  }

  private alive(token: string): Content<Value & { readonly holder?: string }> | undefined {
    const body = token.slice(0, -64)
    const signature = Buffer.from(this.signatureOf(body))
    const shown = Buffer.from(token.slice(-64))
    if (shown.length !== signature.length || !timingSafeEqual(shown, signature)) return undefined
    if (this.ended.has(token)) return undefined
    const content = JSON.parse(Buffer.from(body, 'hex').toString()) as Content<
      Value & { readonly holder?: string }
    >
    if (content.expiresAtMillis <= this.now().getTime()) return undefined
    const endedUntil = this.endedBefore.get(content.value.holder ?? '') ?? 0
    return content.number <= endedUntil ? undefined : content
  }

  private signatureOf(body: string): string {
    return createHmac('sha256', this.key).update(body).digest('hex')
  }
}
