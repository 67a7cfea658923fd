// Faults at the boundaries of `Deps`, as the seed's plan says: which act meets which, and how a
// database behaves that has one.

import type { Database, Queryable } from '../server/src/adapters/db/database.ts'
import { Chance } from './chance.ts'

/** How likely an act meets a fault, and an event between processes or a call of a far side. */
const rates = {
  none: { act: 0, other: 0 },
  usual: { act: 0.006, other: 0.02 },
  harsh: { act: 0.06, other: 0.2 },
} as const
export type Severity = keyof typeof rates
export const severities = Object.keys(rates) as Severity[]
export const otherFaults = (severity: Severity) => rates[severity].other

const failure = (message: string, code: string) => () => Object.assign(new Error(message), { code })
const lost = failure('terminating connection due to administrator command', '57P01')
/** What can go wrong, and what the product is told of it. */
const kinds = {
  /** The connection is lost before a statement runs. */
  refused: lost,
  /** The database has chosen this transaction to break a deadlock. */
  deadlock: failure('deadlock detected', '40P01'),
  /** The statement or commit took effect, and the connection was lost before it could say so. */
  unheard: lost,
  'disk full': failure('could not extend file: disk full', '53100'),
  /** The process dies before a statement, or after it. */
  'crash before': lost,
  'crash after': lost,
  /** Everything went well, and the answer is lost on its way to the browser. */
  'answer lost': lost,
}
type Kind = keyof typeof kinds

export interface Fault {
  readonly kind: Kind
  /** Which step of the act meets it, from 1. */
  readonly step: number
}

/** How far into an act its fault may lie; how far into a look at all jobs, which are rare. */
const [stepsMax, lookStepsMax, looksFactor] = [9, 400, 5]

/** The fault that an act meets, or a look at what jobs are due: by its name alone. */
export function faultOf(severity: Severity, act: string, isLook: boolean): Fault | undefined {
  const chance = new Chance(`fault ${act}`)
  if (!chance.isLikely(rates[severity].act * (isLook ? looksFactor : 1))) return undefined
  const kind = chance.pick(Object.keys(kinds) as Kind[])
  return { kind, step: chance.between(1, isLook ? lookStepsMax : stepsMax) }
}

/** What is about to happen to a process, and what has happened. */
export type ProcessState = Pick<FaultyDatabase, 'fault' | 'met' | 'isDead' | 'meet'>

/** The database as one process sees it. */
export class FaultyDatabase {
  isDead = false
  /** The fault of the act under way; gone once it was met. */
  fault: Fault | undefined
  met: Fault | undefined
  private steps = 0

  constructor(private readonly db: Database) {}

  begin(fault: Fault | undefined): void {
    Object.assign(this, { fault, met: undefined, steps: 0 })
  }

  asDatabase(): Database {
    const transaction: Database['transaction'] = async (work) => {
      this.step()
      const result = await this.db.transaction((tx) => {
        this.step()
        return work(this.over(tx))
      })
      this.step('unheard', 'crash after')
      return result
    }
    const longTransaction: Database['longTransaction'] = (_millis, work) => transaction(work)
    return { ...this.db, ...this.over(this.db), transaction, longTransaction }
  }

  private over(runner: Queryable): Queryable {
    return {
      allow: (millis) => runner.allow(millis),
      run: async (statement, values) => {
        if (!this.isDead) this.steps += 1
        this.step('refused', 'deadlock', 'disk full', 'crash before')
        const rows = await runner.run(statement, values)
        this.step('unheard', 'crash after')
        return rows as never
      },
    }
  }

  /** Only the living get further. Here the fault is met if it is one of these. */
  private step(...here: Kind[]): void {
    if (this.isDead) throw lost()
    const { fault } = this
    if (fault === undefined || this.steps < fault.step || !here.includes(fault.kind)) return
    this.meet()
    this.isDead = fault.kind.startsWith('crash')
    throw kinds[fault.kind]()
  }

  meet(): void {
    this.met = this.fault
    this.fault = undefined
  }
}
