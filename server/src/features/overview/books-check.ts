// The state of the books for the overview: counted in the background, never while somebody waits.

import { becauseOf } from '../../adapters/log/because-of.ts'
import { type ServerSeeds, serverSeeds } from '../../adapters/random/server-seeds.ts'
import type { World } from '../../adapters/world.ts'
import type { BooksFigures } from '../../rules/server-figures.ts'
import { brokenInvariants, type InvariantResult, runInvariants } from './invariants.ts'

const ageMillisMax = 60_000

type BooksWorld = Pick<World, 'db' | 'clock' | 'log' | 'random' | 'encryption'>

/** Counts the broken invariants at most once a minute, and only while somebody looks. */
export class BooksCheck {
  private readonly world: BooksWorld
  private last: { drift: number; checkedAt: Date; results: readonly InvariantResult[] } | undefined
  private readonly seeds: ServerSeeds
  private isRunning = false

  constructor(world: BooksWorld) {
    this.world = world
    this.seeds = serverSeeds(world.random, world.encryption)
  }

  /** What was found last; both null before the first count has ended. */
  state(): { drift: number | null; checkedAt: string | null } {
    const { last } = this
    const now = this.world.clock.now().getTime()
    if (last === undefined || now - last.checkedAt.getTime() > ageMillisMax) this.start()
    return { drift: last?.drift ?? null, checkedAt: last?.checkedAt.toISOString() ?? null }
  }

  /** The same, invariant by invariant; of each at most 20 rows are counted. */
  details() {
    const invariants = (this.last?.results ?? []).map(({ id, title, rows }) => ({
      id,
      title,
      brokenRows: rows.length,
    }))
    return { ...this.state(), invariants }
  }

  /** What was found last, without starting a count. */
  figures(): BooksFigures {
    const { last } = this
    return { broken: last?.drift, checkedAt: last?.checkedAt, isOverdue: false }
  }

  private start(): void {
    if (this.isRunning) return
    this.isRunning = true
    this.count()
      .catch((error: unknown) =>
        this.world.log.error({ err: error, ...becauseOf(error) }, 'books could not be checked'),
      )
      .finally(() => {
        this.isRunning = false
      })
  }

  private async count(): Promise<void> {
    const results = await runInvariants(this.world.db, this.seeds)
    const broken = brokenInvariants(results)
    if (broken.length > 0) this.world.log.error({ broken }, 'the books do not agree')
    this.last = { drift: broken.length, checkedAt: this.world.clock.now(), results }
  }
}
