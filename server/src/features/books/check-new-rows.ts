// Looks at what the books have gained since the last look, by the same rules as the check of all of
// them, so that what is forged today is found within minutes however long the history is.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import { drawSeeds } from '../../adapters/random/draw-seeds.ts'
import { grouped } from '../../shared/grouped.ts'
import { readBooksRows } from './books-tables.ts'
import { brokenLog, isWalk, type Walk } from './broken-log.ts'
import type { Found, Invariant, NewPart } from './invariant.ts'
import { allInvariants } from './invariants.ts'
import { histories, isHistory, keys, states } from './keys.ts'
import {
  beginAnew,
  committedMarks,
  currentHorizon,
  type Marks,
  moveMarks,
  type NewMarks,
  type Reach,
  readMarks,
  readReaches,
  reportNewBroken,
} from './new-marks.ts'
import { Pace, readingBooks, sizeAtStart, workShare } from './throttle.ts'

type LookingDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'random' | 'encryption'>

const againMillisMin = 55_000
const againMillisMax = 600_000
/** After a longer silence everything is due anyway, and transactions are told apart no more. */
const silenceMillisMax = 86_400_000
/** New ids whose keys are gathered at once: whom they are about is then looked at once. */
const idsAtOnce = 20_000
/** Keys of one kind that are remembered. */
const seenMax = 200_000
/** What has only a time is looked at from so long before: clocks differ, commits come late. */
const overlapMillis = 120_000

/**
 * Looks at new rows when that is due, for at most four minutes. What it finds makes the whole check
 * of that rule due. Where it cannot tell what is new (never looked, a restored dump, more than a
 * run can take) it begins anew and makes every rule due. Any number of processes may run it.
 * @throws whatever the database throws; what was found before is kept, and the marks stay
 */
export async function checkNewRows(
  deps: LookingDeps,
  stopping: AbortSignal = new AbortController().signal,
): Promise<void> {
  const { db, clock, log } = deps
  const marks = await readMarks(db)
  if (marks === undefined) return await beginAnew(deps, marks, null)
  const age = clock.now().getTime() - marks.lookedAt.getTime()
  const isWhole = Object.keys(histories).every((history) => history in marks.ids)
  if (!marks.areOurs || !isWhole || age > silenceMillisMax) {
    log.info({ areOurs: marks.areOurs }, 'all books are due: what is new cannot be told')
    return await beginAnew(deps, marks, null)
  }
  const again = Math.max(againMillisMin, marks.workMillis * workShare)
  if (age >= 0 && age < Math.min(againMillisMax, again)) return
  const look = new IncrementalCheck(deps, marks, stopping)
  if ((await look.run()) === 'too much') {
    log.info('all books are due: more is new than a look can take')
    await beginAnew(deps, marks, marks.walk)
  }
}

const windows = Object.fromEntries(
  Object.entries({ ...histories, ...states }).map(([feed, { table }]) => {
    const ids = `SELECT id AS "upTo" FROM ${table} WHERE id > $1 AND id <= $2 ORDER BY id`
    return [feed, statement(`window_of_new_${feed}`, `${ids} OFFSET $3 - 1 LIMIT 1`)]
  }),
)

/** Every kind of keys, with what answers the new ones as text. */
const sources = Object.values(keys).map((kind) => ({
  kind,
  news: kind.news.map(({ feed, key, from }, index) => ({
    feed,
    newKeys: statement(
      `newly_written_keys_of_${kind.name}_${index}`,
      `SELECT DISTINCT k.key::text AS key FROM (SELECT ${key} AS key FROM ${from}) k
       WHERE k.key IS NOT NULL`,
    ),
  })),
}))

interface PartOfRule {
  readonly rule: Invariant
  readonly part: NewPart
}

/** What is asked about keys, by their kind. */
function partsByKeys(rules: readonly Invariant[]) {
  const parts = rules.flatMap((rule) => rule.newParts.map((part) => ({ rule, part })))
  return grouped<PartOfRule, unknown>(parts, ({ part }) => part.keys)
}

class IncrementalCheck {
  private readonly deps: LookingDeps
  private readonly marks: Marks
  private readonly stopping: AbortSignal
  private readonly pace: Pace
  private readonly rules: readonly Invariant[]
  /** Broken rows by rule. */
  private readonly found = new Map<string, number>()
  private readonly since: Date
  private walk: Walk | null

  constructor(deps: LookingDeps, marks: Marks, stopping: AbortSignal) {
    this.deps = deps
    this.marks = marks
    this.stopping = stopping
    this.pace = new Pace(deps.db.kind, stopping)
    this.walk = marks.walk
    this.since = new Date(marks.lookedAt.getTime() - overlapMillis)
    this.rules = allInvariants(drawSeeds(deps.random, deps.encryption))
  }

  async run(): Promise<'done' | 'stopped' | 'too much'> {
    const { db, clock } = this.deps
    const lookedAt = clock.now()
    // In this order: what is written from the horizon on, or gets an id later, is for the next.
    const horizon = await currentHorizon(db)
    const reaches = await readReaches(db)
    const ids = { ...this.marks.ids, ...(await committedMarks(db, reaches)) }
    try {
      await readingBooks(db, (reads) => this.lookAtAll(reads, reaches))
    } finally {
      await this.report()
    }
    if (this.stopping.aborted) return 'stopped'
    if (this.pace.isOver()) return 'too much'
    const marks: NewMarks = { ids, horizon, walk: this.walk, lookedAt }
    // Moved by another process meanwhile, they say what that one has looked at.
    await moveMarks(db, this.marks, marks, Math.round(this.pace.workMillis))
    return 'done'
  }

  private async lookAtAll(reads: Queryable, reaches: readonly Reach[]): Promise<void> {
    const byFeed = new Map(reaches.map((reach) => [String(reach.feed), reach]))
    const partsOf = partsByKeys(this.rules)
    for (const { kind, news } of sources) {
      const parts = partsOf.get(kind) ?? []
      const seen = new Set<string>()
      for (const { feed, newKeys } of news) {
        const lookAt = (values: readonly unknown[]) =>
          this.lookAtKeys(reads, parts, seen, () => reads.run<{ key: string }>(newKeys, values))
        const reach = byFeed.get(feed)
        if (reach !== undefined) await this.lookAtRange(reads, reach, lookAt)
        else await lookAt([feed === 'written' ? this.marks.horizon : this.since])
      }
    }
    await this.followLog(reads)
  }

  private async lookAtRange(
    reads: Queryable,
    { feed, before, newest }: Reach,
    lookAt: (range: readonly unknown[]) => Promise<void>,
  ): Promise<void> {
    const windowEnd = windows[feed]
    if (windowEnd === undefined) return
    const isAdded = isHistory(feed)
    let after = isAdded ? (this.marks.ids[feed] ?? before) : before
    while (after < newest && !this.pace.isOver()) {
      const [row] = await reads.run<{ upTo: number }>(windowEnd, [after, newest, idsAtOnce])
      const upTo = row?.upTo ?? newest
      await lookAt(isAdded ? [after, upTo] : [after, upTo, this.marks.horizon])
      after = upTo
    }
  }

  private async lookAtKeys(
    reads: Queryable,
    parts: readonly PartOfRule[],
    seen: Set<string>,
    readKeys: () => Promise<{ readonly key: string }[]>,
  ): Promise<void> {
    let unseen: string[] = []
    await this.pace.take(async () => {
      // All that is new could be seen from the beginning of this look.
      unseen = (await readKeys()).map(({ key }) => key).filter((key) => !seen.has(key))
    })
    if (seen.size > seenMax) seen.clear()
    for (const key of unseen) seen.add(key)
    for (const { rule, part } of parts) {
      let size = sizeAtStart
      for (let from = 0; from < unseen.length && !this.pace.isOver(); ) {
        const some = unseen.slice(from, from + Math.min(size, part.keysMax))
        from += some.length
        const look = async () => this.note(rule, await part.look(reads, some))
        size = await this.pace.step(size, look)
      }
    }
  }

  /** Goes on where the last walk through the public log has ended, once there was one. */
  private async followLog(reads: Queryable): Promise<void> {
    let size = sizeAtStart
    let hasMore = true
    while (this.walk !== null && hasMore && !this.pace.isOver()) {
      const walk = this.walk
      size = await this.pace.step(size, async () => {
        const step = await brokenLog.step(reads, walk, size)
        this.note(brokenLog, step)
        hasMore = isWalk(step.next)
        if (isWalk(step.next)) this.walk = step.next
      })
    }
  }

  private note({ id }: Invariant, { brokenCount }: Found): void {
    if (brokenCount > 0) this.found.set(id, (this.found.get(id) ?? 0) + brokenCount)
  }

  private async report(): Promise<void> {
    if (this.found.size === 0) return
    const { db, log } = this.deps
    const known = new Map((await readBooksRows(db)).map((row) => [row.invariant, row]))
    for (const [invariant, brokenRows] of this.found) {
      await reportNewBroken(db, invariant, brokenRows)
      const row = known.get(invariant)
      if ((row?.brokenRows ?? 0) > 0 || (row?.newBrokenRows ?? 0) > 0) continue
      const title = this.rules.find(({ id }) => id === invariant)?.title
      log.error({ invariant, title, brokenRows, isNew: true }, 'the books do not agree')
    }
  }
}
