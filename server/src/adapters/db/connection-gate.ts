// Who may use a connection: so many at once, so many waiting, and some kept for reading.

import { DatabaseUnavailable } from './database-unavailable.ts'

export type Lane = 'read' | 'write'

export interface GateLimits {
  readonly connectionsMax: number
  /** Of these; the others are left to reads when writes wait for locks or for a standby. */
  readonly writesMax: number
  /** Who comes when so many wait is refused at once. */
  readonly waitersMax: number
  readonly waitMillisMax: number
}

interface Waiter {
  readonly lane: Lane
  readonly enter: () => void
  readonly refuse: (error: DatabaseUnavailable) => void
}

export class ConnectionGate {
  private readonly waiters = new Set<Waiter>()
  private readonly limits: GateLimits
  private readonly inside = { read: 0, write: 0 }

  constructor(limits: GateLimits) {
    this.limits = limits
  }

  get waiting(): number {
    return this.waiters.size
  }

  get busy(): number {
    return this.inside.read + this.inside.write
  }

  /**
   * Waits for the right to use a connection, first come first served within a lane. Answers what
   * gives it back, to be called once.
   * @throws DatabaseUnavailable when too many wait or the wait is too long
   */
  async enter(lane: Lane): Promise<() => void> {
    if (!this.hasRoom(lane)) await this.wait(lane)
    else this.inside[lane] += 1
    return () => {
      this.inside[lane] -= 1
      this.letIn()
    }
  }

  /** Refuses who waits now, of one lane or of both. */
  refuseWaiting(error: DatabaseUnavailable, lane?: Lane): void {
    for (const waiter of [...this.waiters]) {
      if (lane === undefined || waiter.lane === lane) waiter.refuse(error)
    }
  }

  private hasRoom(lane: Lane): boolean {
    if (this.busy >= this.limits.connectionsMax) return false
    return lane === 'read' || this.inside.write < this.limits.writesMax
  }

  private wait(lane: Lane): Promise<void> {
    const { waitersMax, waitMillisMax } = this.limits
    if (this.waiters.size >= waitersMax) {
      throw new DatabaseUnavailable(`is waited for by ${waitersMax} others already`)
    }
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer)
        this.waiters.delete(waiter)
      }
      const waiter: Waiter = {
        lane,
        enter: () => {
          end()
          this.inside[lane] += 1
          resolve()
        },
        refuse: (error) => {
          end()
          reject(error)
        },
      }
      const timer = setTimeout(() => {
        waiter.refuse(new DatabaseUnavailable(`had no free connection for ${waitMillisMax} ms`))
      }, waitMillisMax)
      this.waiters.add(waiter)
    })
  }

  private letIn(): void {
    for (const waiter of this.waiters) {
      if (this.busy >= this.limits.connectionsMax) return
      if (this.hasRoom(waiter.lane)) waiter.enter()
    }
  }
}
