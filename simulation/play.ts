// Plays a seed: wakes one actor after the other, in the order of the schedule, until the days are
// over or product and model disagree.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Chance, realMillis } from './chance.ts'
import {
  checkBooks,
  checkNothingIsStuck,
  compareWithModel,
  newReplay,
  readOn,
  verdictOf,
} from './checks.ts'
import { type Actor, communityOf } from './community.ts'
import { type Fault, faultOf, type Severity } from './faults.ts'
import { found, isSignedIn } from './founding.ts'
import { Model } from './model.ts'
import { type Habit, type Person, Scene } from './scene.ts'
import { Disagreement, Story } from './story.ts'
import { begin, World } from './world.ts'

const [dayMillis, jobsEveryMillis, liveMillis] = [86_400_000, 21_600_000, 280_000]

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

export interface Plan {
  readonly seed: number
  readonly days: number
  readonly viewers: number
  readonly faults: Severity
  /** Actors that take part; everybody when absent. */
  readonly only?: ReadonlySet<string> | undefined
  /** Acts that are left out, and acts whose fault is, by actor and turn as in `viewer-3:12`. */
  readonly skip?: ReadonlySet<string> | undefined
  readonly spare?: ReadonlySet<string> | undefined
}

/** What whoever started the run wants to hear of it. */
export interface Watching {
  readonly onLine?: (line: string) => void
  readonly onDay?: (run: Run) => void
  /** True when the run is to end. */
  readonly isStopped?: () => boolean
}

export async function play(plan: Plan, watching: Watching = {}): Promise<Run> {
  const world = await World.open(plan.faults)
  const run = new Run(plan, world, watching)
  const startMillis = realMillis()
  try {
    await run.live()
  } catch (error) {
    if (!(error instanceof Disagreement)) throw error
    await run.fail(error)
  } finally {
    run.seconds = (realMillis() - startMillis) / 1000
    await world.close()
  }
  return run
}

export class Run {
  readonly story: Story
  /** Names of acts in their order, and of those that met a fault. */
  readonly done: string[] = []
  readonly faulty: string[] = []
  readonly faults = new Map<string, number>()
  failure: Disagreement | undefined
  /** Which side is wrong. */
  verdict = ''
  seconds = 0
  invariants = 0
  readonly replay = newReplay()
  private readonly model = new Model()
  private people: readonly Person[] = []
  private askedAt = 0

  constructor(
    readonly plan: Plan,
    private readonly world: World,
    private readonly watching: Watching,
  ) {
    this.story = new Story(watching.onLine)
  }

  get days(): number {
    return (this.world.clock.millis - begin) / dayMillis
  }

  get crashes(): number {
    return this.world.crashes
  }

  get calls(): number {
    const counts = [...this.story.counts].filter(([name]) => name.includes(' '))
    return counts.reduce((sum, [, count]) => sum + count, 0)
  }

  async fail(failure: Disagreement): Promise<void> {
    const { db, encryptionKeys } = this.world
    this.failure = failure
    this.verdict = await verdictOf(failure, db, this.model, encryptionKeys[0] ?? '')
  }

  async live(): Promise<void> {
    const { plan, world, watching } = this
    const community = communityOf(plan.viewers, world)
    this.people = community.map(({ person }) => person)
    const [keeper] = community as [Actor]
    await this.act(keeper.person, 0, found)
    const present = community.filter(({ person }) => plan.only?.has(person.name) ?? true)
    for (const actor of present) actor.at = begin + this.gap(actor, 0)
    const end = begin + plan.days * dayMillis
    let [jobsAt, checkAt] = [begin + jobsEveryMillis, begin + dayMillis]
    while (watching.isStopped?.() !== true) {
      const next = present.reduce((best, one) => (best.at <= one.at ? best : one))
      const at = Math.min(next.at, jobsAt, checkAt, end)
      world.clock.millis = Math.max(world.clock.millis, at)
      if (at === end || at === jobsAt) await this.runJobs(at)
      if (at === end || at === checkAt) await this.check()
      if (at === end) return
      if (at === checkAt) await this.tidy()
      if (at === jobsAt) jobsAt += jobsEveryMillis
      if (at === checkAt) checkAt += dayMillis
      if (at === next.at) await this.wake(next)
    }
  }

  /** Until this actor's next act. */
  private gap({ person, actsPerDay }: Actor, turn: number): number {
    const chance = new Chance(`${this.plan.seed} ${person.name} rest ${turn}`)
    const rest = -Math.log(1 - chance.number()) * (dayMillis / actsPerDay)
    return Math.ceil(Math.min(rest, 3 * dayMillis)) + 1
  }

  /** Nobody earns while Twitch was not asked for five minutes: it is, while somebody watches. */
  private async keepLive(name: string): Promise<void> {
    const { world } = this
    if (world.clock.millis - this.askedAt < liveMillis) return
    this.askedAt = world.clock.millis
    world.begin(`${this.plan.seed} live ${name}`)
    await world.processes[0]?.liveScheduler.runDueJobs().catch(() => undefined)
  }

  private async wake(actor: Actor): Promise<void> {
    const { person, turn } = actor
    const name = `${person.name}:${turn}`
    if (person.watching !== undefined) await this.keepLive(name)
    actor.turn += 1
    if (this.plan.skip?.has(name) !== true) {
      await this.act(person, turn, async (scene) => {
        if (!isSignedIn(scene) && !(await actor.signIn(scene))) return
        await scene.live(pickHabit(actor, scene.chance))
      })
      this.done.push(name)
    }
    const isWatching = person.watching !== undefined || person.isGreedy
    const rest = isWatching ? 60_000 + (turn % 7) * 4_000 : this.gap(actor, turn)
    actor.at = Math.max(actor.at, this.world.clock.millis) + rest
  }

  private async act(person: Person, turn: number, work: (scene: Scene) => Promise<void>) {
    const { plan, world, model, story, people } = this
    const chance = new Chance(`${plan.seed} ${person.name}:${turn}`)
    const scene = new Scene(world, model, story, people, chance, turn, person)
    await this.meeting(`${person.name}:${turn}`, turn === 0, () => work(scene))
    model.settle()
  }

  /** Does it under the fault that its name has. */
  private async meeting(name: string, isSpared: boolean, work: () => Promise<unknown>) {
    const { plan, world } = this
    const act = `${plan.seed} ${name}`
    const isNone = isSpared || plan.spare?.has(name) === true
    const fault: Fault | undefined = isNone ? undefined : faultOf(plan.faults, act)
    world.begin(act, fault)
    await work()
    if (fault !== undefined && world.processes.some(({ database }) => !database.fault)) {
      this.faulty.push(name)
      this.faults.set(fault.kind, (this.faults.get(fault.kind) ?? 0) + 1)
    }
    if (world.doubled) throw new Disagreement(`two processes run ${world.doubled} at once`)
  }

  /** Both processes look for what is due at the same moment. */
  private async runJobs(at: number): Promise<void> {
    const { world } = this
    await this.meeting(`jobs:${at}`, false, async () => {
      await Promise.all(
        world.processes.map(({ scheduler }) => scheduler.runDueJobs().catch(() => undefined)),
      )
      for (const { number, database } of world.processes) {
        if (!database.isDead) continue
        this.story.tell(at, 'jobs', `process ${number} dies and is started again`)
        await world.restart(number)
      }
    })
  }

  private async check(): Promise<void> {
    const { world, model } = this
    world.begin(`${this.plan.seed} check`)
    this.invariants += await checkBooks(world.db, world.encryptionKeys[0] ?? '')
    await compareWithModel(world.db, model)
    await readOn(this.replay, world.db)
    await checkNothingIsStuck(world.db, world.clock.now())
    this.watching.onDay?.(this)
  }

  /** What a month would pile up goes at midnight. */
  private async tidy(): Promise<void> {
    const { world, model } = this
    // Nobody tidies the embedded database in the background, nor memory before there is need. What
    // was analysed is planned anew, so that is for every fifth night.
    collectGarbage()
    if (Math.round(this.days) % 5 === 1) await world.db.script('VACUUM ANALYZE')
    await world.db.script('CHECKPOINT')
    const before = world.clock.millis - 2 * dayMillis
    model.keys.forget(before, ({ madeAt }) => madeAt)
    model.sessions.forget(before, ({ endsAt }) => endsAt)
  }
}

function pickHabit({ habits, person }: Actor, chance: Chance): Habit {
  const watches = person.watching !== undefined && chance.isLikely(0.85)
  const wanted = person.isGreedy ? 'leave-for-more' : watches ? 'watch' : undefined
  const chosen = habits.find(({ name }) => name === wanted)
  if (chosen !== undefined) return chosen
  let left = chance.number() * habits.reduce((sum, { weight }) => sum + weight, 0)
  for (const habit of habits) {
    left -= habit.weight
    if (left < 0) return habit
  }
  throw new RangeError('An actor has no habits')
}
