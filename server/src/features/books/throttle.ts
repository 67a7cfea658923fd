// How a check of the books goes about it beside everybody else: its pace, its steps, and the
// settings of its connection.

import { setTimeout } from 'node:timers/promises'
import {
  type Queryable,
  type Statement,
  statement,
  type Values,
} from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'

interface Throttle {
  readonly stepMillisAim: number
  /** Rest after a step, as a multiple of what the step took. */
  readonly rest: number
}

export const throttles: Readonly<Record<Deps['db']['kind'], Throttle>> = {
  // On its own connection a step holds up nobody but those who share the machine.
  postgres: { stepMillisAim: 100, rest: 1 },
  // The one connection serves requests as well, which wait for a step to end.
  embedded: { stepMillisAim: 15, rest: 2 },
}

/** A run gives its lease back after this time; the next one goes on. */
const runMillisMax = 240_000
const statementMillisMax = 60_000
const transactionMillisMax = 1_000
/** A look takes this part of one core at most. */
export const workShare = 20

/** The pace of one run, which ends when its time is over or it is to stop. */
export class Pace {
  /** What the work has taken so far, without rests. */
  workMillis = 0
  private readonly until = performance.now() + runMillisMax
  private readonly throttle: Throttle
  private readonly stopping: AbortSignal

  constructor(kind: Deps['db']['kind'], stopping: AbortSignal) {
    this.throttle = throttles[kind]
    this.stopping = stopping
  }

  isOver(): boolean {
    return this.stopping.aborted || performance.now() > this.until
  }

  /** Works, rests, and answers how many milliseconds the work took. */
  async take(work: () => Promise<void>): Promise<number> {
    const started = performance.now()
    await work()
    const millis = performance.now() - started
    this.workMillis += millis
    const rest = millis * this.throttle.rest
    if (rest >= 1 && !this.isOver()) {
      await setTimeout(rest, undefined, { signal: this.stopping }).catch(() => undefined)
    }
    return millis
  }

  /** The same for a step of a size; answers the size of the next one. */
  async step(size: number, work: () => Promise<void>, isSamePart = () => true): Promise<number> {
    const millis = await this.take(work)
    return sizeAfter(size, millis, this.throttle.stepMillisAim, isSamePart())
  }
}

export const sizeAtStart = 500
const sizeMax = 20_000

/** The size of the next step after one that took `tookMillis`. Another part begins small again. */
export function sizeAfter(
  size: number,
  tookMillis: number,
  aimMillis: number,
  isSamePart: boolean,
): number {
  if (!isSamePart) return Math.min(size, sizeAtStart)
  const change = Math.min(2, Math.max(0.25, aimMillis / Math.max(tookMillis, 0.1)))
  return Math.min(sizeMax, Math.max(1, Math.round(size * change)))
}

const settings = [
  // A range is known when the query is planned; a plan for any range would look up too much.
  statement('books_plans', 'SET LOCAL plan_cache_mode = force_custom_plan'),
  // A second process is no use beside requests.
  statement('books_one_process', 'SET LOCAL max_parallel_workers_per_gather = 0'),
  statement('books_memory', "SET LOCAL work_mem = '64MB'"),
  statement('books_without_jit', 'SET LOCAL jit = off'),
]
const beginAnew = statement('books_begin_anew', 'COMMIT AND CHAIN')

/** Runs `work` where checks may read: on PostgreSQL on a prepared connection of its own. */
export async function readingBooks(
  db: Deps['db'],
  work: (reads: Queryable) => Promise<void>,
): Promise<void> {
  if (db.kind === 'embedded') return await work(db)
  await db.longTransaction(statementMillisMax, async (tx) => {
    await prepareForBooks(tx)
    await work(inShortTransactions(tx))
  })
}

/** What was read stays locked until its transaction ends, and a migration waits for it. */
function inShortTransactions(tx: Queryable): Queryable {
  let begunAt = performance.now()
  return {
    ...tx,
    async run<Row>(asked: Statement, values: Values) {
      if (performance.now() - begunAt > transactionMillisMax) {
        await tx.run(beginAnew, [])
        await tx.allow(statementMillisMax)
        await prepareForBooks(tx)
        begunAt = performance.now()
      }
      return tx.run<Row>(asked, values)
    },
  }
}

/** Prepares a transaction for checks; the settings end with it. */
export async function prepareForBooks(tx: Queryable): Promise<void> {
  for (const setting of settings) await tx.run(setting, [])
}
