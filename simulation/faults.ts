// Faults at the boundaries of `Deps`, as the seed's plan says: which act meets which, and how a
// database behaves that has one.

import type { Database, Queryable, Statement } from '../server/src/adapters/db/database.ts'
import type { Values } from '../server/src/adapters/db/named-parameters.ts'
import { Chance } from './chance.ts'

export const severities = ['none', 'usual', 'harsh'] as const
export type Severity = (typeof severities)[number]

const kinds = [
  /** The connection is lost before a statement runs. */
  'refused',
  /** The database has chosen this transaction to break a deadlock. */
  'deadlock',
  /** The statement or commit took effect, and the connection was lost before it could say so. */
  'unheard',
  'disk full',
  /** The process dies before a statement, or after it. */
  'crash before',
  'crash after',
  /** Everything went well, and the answer is lost on its way to the browser. */
  'answer lost',
] as const
export type FaultKind = (typeof kinds)[number]

export interface Fault {
  readonly kind: FaultKind
  /** Which step of the act meets it, from 1. */
  readonly step: number
}

const rates: Readonly<Record<Severity, number>> = { none: 0, usual: 0.006, harsh: 0.06 }
/** Of a hundred. */
const lostEvents: Readonly<Record<Severity, number>> = { none: 0, usual: 0.02, harsh: 0.2 }
export const farFailures: Readonly<Record<Severity, number>> = { none: 0, usual: 0.02, harsh: 0.2 }
const stepsMax = 9

/** The fault that an act meets, by its name alone. */
export function faultOf(severity: Severity, act: string): Fault | undefined {
  const chance = new Chance(`fault ${act}`)
  if (!chance.isLikely(rates[severity])) return undefined
  return { kind: chance.pick(kinds), step: chance.between(1, stepsMax) }
}

/** How often an event reaches another process: lost, as it should, or doubled. */
export function arrivals(severity: Severity, chance: Chance): number {
  if (!chance.isLikely(lostEvents[severity])) return 1
  return chance.isLikely(0.5) ? 0 : 2
}

const failure = (message: string, code: string) => Object.assign(new Error(message), { code })
const lost = () => failure('terminating connection due to administrator command', '57P01')

/** The database as one process sees it. */
export class FaultyDatabase {
  isDead = false
  /** The fault of the act under way; gone once it was met. */
  fault: Fault | undefined
  met: Fault | undefined
  private steps = 0
  private readonly db: Database

  constructor(db: Database) {
    this.db = db
  }

  begin(fault: Fault | undefined): void {
    this.fault = fault
    this.met = undefined
    this.steps = 0
  }

  asDatabase(): Database {
    const runner = this.over(this.db)
    const within: Database['transaction'] = async (work) => {
      this.requireAlive()
      const result = await this.db.transaction((tx) => {
        this.requireAlive()
        return work(this.over(tx))
      })
      this.after()
      return result
    }
    return {
      ...this.db,
      ...runner,
      transaction: within,
      patient: (_millis, work) => within(work),
    }
  }

  private over(runner: Queryable): Queryable {
    return {
      allow: (millis) => runner.allow(millis),
      run: async <Row>(statement: Statement, values: Values) => {
        this.requireAlive()
        this.before()
        const rows = await runner.run<Row>(statement, values)
        this.after()
        return rows
      },
    }
  }

  private requireAlive(): void {
    if (this.isDead) throw lost()
  }

  private before(): void {
    this.steps += 1
    const { fault } = this
    if (fault === undefined || this.steps < fault.step) return
    if (fault.kind === 'unheard' || fault.kind === 'crash after' || fault.kind === 'answer lost') {
      return
    }
    this.meet(fault)
    if (fault.kind === 'deadlock') throw failure('deadlock detected', '40P01')
    if (fault.kind === 'disk full') throw failure('could not extend file: disk full', '53100')
    throw lost()
  }

  private after(): void {
    this.requireAlive()
    const { fault } = this
    if (fault === undefined || this.steps < fault.step) return
    if (fault.kind !== 'unheard' && fault.kind !== 'crash after') return
    this.meet(fault)
    throw lost()
  }

  private meet(fault: Fault): void {
    this.fault = undefined
    this.met = fault
    if (fault.kind.startsWith('crash')) this.isDead = true
  }
}
