// Plays a seed: wakes one actor after the other, in the order of the schedule, until the days are
// over or product and model disagree.

import { Chance } from './chance.ts'
import { checkBooks, checkNothingIsStuck, compareWithModel, LogReader } from './checks.ts'
import { communityOf } from './community.ts'
import { Disagreement } from './disagreement.ts'
import { type Fault, faultOf, type Severity } from './faults.ts'
import { found } from './founding.ts'
import type { Actor } from './habit.ts'
import { Model } from './model.ts'
import type { Person } from './person.ts'
import { Scene } from './scene.ts'
import { isSignedIn } from './sign-in.ts'
import { realMillis } from './simulated-clock.ts'
import { Story } from './story.ts'
import { World } from './world.ts'

const dayMillis = 86_400_000
const jobsEveryMillis = 10_800_000
const liveMillis = 200_000

export interface Plan {
  readonly seed: number
  readonly days: number
  readonly viewers: number
  readonly severity: Severity
  /** Actors that take part; everybody when absent. */
  readonly only?: ReadonlySet<string> | undefined
  /** Acts that are left out, and acts whose fault is, by actor and turn as in `viewer-3:12`. */
  readonly skipped?: ReadonlySet<string> | undefined
  readonly spared?: ReadonlySet<string> | undefined
}

export interface Progress {
  readonly day: number
  readonly acts: number
  readonly faults: number
}

export interface Played {
  readonly story: Story
  readonly acts: number
  /** Names of acts in their order, and of those that met a fault. */
  readonly done: readonly string[]
  readonly faulty: readonly string[]
  readonly faults: ReadonlyMap<string, number>
  readonly invariants: number
  readonly logEntries: number
  readonly crashes: number
  readonly days: number
  readonly seconds: number
  readonly failure: Disagreement | undefined
}

interface Waiting {
  readonly actor: Actor
  turn: number
  at: number
}

export interface Watching {
  readonly onLine?: (line: string) => void
  readonly onProgress?: (progress: Progress) => void
  /** True when whoever started the run wants it to end. */
  readonly isStopped?: () => boolean
}

export async function play(plan: Plan, watching: Watching = {}): Promise<Played> {
  const world = await World.open(plan.severity)
  try {
    return await new Run(plan, world, watching).toEnd()
  } finally {
    await world.close()
  }
}

class Run {
  private readonly model = new Model()
  private readonly log = new LogReader()
  private readonly story: Story
  private readonly done: string[] = []
  private readonly faulty: string[] = []
  private readonly faults = new Map<string, number>()
  private people: readonly Person[] = []
  private askedAt = 0
  private invariants = 0
  private readonly plan: Plan
  private readonly world: World
  private readonly watching: Watching

  constructor(plan: Plan, world: World, watching: Watching) {
    this.plan = plan
    this.world = world
    this.watching = watching
    this.story = new Story(watching.onLine)
  }

  async toEnd(): Promise<Played> {
    const startMillis = realMillis()
    const begin = this.world.clock.millis
    let failure: Disagreement | undefined
    try {
      await this.live(begin)
    } catch (error) {
      if (!(error instanceof Disagreement)) throw error
      failure = error
    }
    return {
      story: this.story,
      acts: this.acts(),
      done: this.done,
      faulty: this.faulty,
      faults: this.faults,
      invariants: this.invariants,
      logEntries: this.log.replay.size,
      crashes: this.world.crashes,
      days: (this.world.clock.millis - begin) / dayMillis,
      seconds: (realMillis() - startMillis) / 1000,
      failure,
    }
  }

  private acts(): number {
    return [...this.story.counts.values()].reduce((sum, count) => sum + count, 0)
  }

  private async live(begin: number): Promise<void> {
    const { plan, world } = this
    const community = communityOf(plan.viewers)
    this.people = community.map(({ person }) => person)
    const [keeper] = community
    if (keeper !== undefined) await this.act(keeper, 0, found)
    const waiting: Waiting[] = community
      .filter(({ person }) => plan.only?.has(person.name) ?? true)
      .map((actor) => ({ actor, turn: 1, at: begin + this.gap(actor, 0) }))
    const end = begin + plan.days * dayMillis
    let [jobsAt, checkAt] = [begin + jobsEveryMillis, begin + dayMillis]
    for (;;) {
      const next = waiting.reduce<Waiting | undefined>(
        (best, one) => (best === undefined || one.at < best.at ? one : best),
        undefined,
      )
      const at = Math.min(next?.at ?? end, jobsAt, checkAt)
      if (this.watching.isStopped?.() === true) return
      if (at >= end) break
      world.clock.moveTo(at)
      if (at === jobsAt) {
        await this.runJobs(at)
        jobsAt += jobsEveryMillis
      } else if (at === checkAt) {
        await this.check()
        checkAt += dayMillis
      } else if (next !== undefined) {
        await this.wake(next)
      }
    }
    world.clock.moveTo(end)
    await this.runJobs(end)
    await this.check()
  }

  /** Until this actor's next act; evenings are busier than nights. */
  private gap({ person, actsPerDay }: Actor, turn: number): number {
    const chance = new Chance(`${this.plan.seed} ${person.name} rest ${turn}`)
    const rest = -Math.log(1 - chance.number()) * (dayMillis / actsPerDay)
    return Math.ceil(Math.min(rest, 3 * dayMillis)) + 1
  }

  /** Nobody earns while Twitch was not asked for five minutes: it is, while somebody watches. */
  private async keepLive(turn: string): Promise<void> {
    const { world } = this
    if (world.clock.millis - this.askedAt < liveMillis) return
    this.askedAt = world.clock.millis
    world.begin(`${this.plan.seed} live ${turn}`)
    await world.processes[0]?.liveScheduler.runDueJobs().catch(() => undefined)
  }

  private async wake(waiting: Waiting): Promise<void> {
    const { actor, turn } = waiting
    const { person } = actor
    if (person.watching !== undefined) await this.keepLive(`${person.name}:${turn}`)
    const name = `${person.name}:${turn}`
    waiting.turn += 1
    if (!(this.plan.skipped?.has(name) ?? false)) {
      await this.act(actor, turn, async (scene) => {
        const isIn = isSignedIn(scene) || (await actor.signIn(scene))
        if (!isIn) return
        const habit = pickHabit(actor, scene.chance)
        this.story.count(habit.name)
        await habit.act(scene)
      })
      this.done.push(name)
    }
    const isWatching = person.watching !== undefined || person.isGreedy
    waiting.at = Math.max(waiting.at, this.world.clock.millis)
    waiting.at += isWatching ? 60_000 + (turn % 7) * 4_000 : this.gap(actor, turn)
  }

  private async act(actor: Actor, turn: number, work: (scene: Scene) => Promise<void>) {
    const { plan, world, model, story } = this
    const name = `${actor.person.name}:${turn}`
    const act = `${plan.seed} ${name}`
    const isSpared = turn === 0 || (plan.spared?.has(name) ?? false)
    const fault = isSpared ? undefined : faultOf(plan.severity, act)
    world.begin(act, fault)
    const { person } = actor
    const parts = { world, model, story, person, people: this.people, turn: String(turn) }
    await work(new Scene({ ...parts, chance: new Chance(act) }))
    this.noteFault(name, fault)
    if (world.found !== undefined) throw world.found
  }

  private noteFault(name: string, planned: Fault | undefined): void {
    if (planned === undefined) return
    const met = this.world.processes.some(({ database }) => database.fault === undefined)
    if (!met) return
    this.faulty.push(name)
    this.faults.set(planned.kind, (this.faults.get(planned.kind) ?? 0) + 1)
  }

  /** Both processes look for what is due at the same moment. */
  private async runJobs(at: number): Promise<void> {
    const { world, plan } = this
    const name = `jobs:${at}`
    const fault = plan.spared?.has(name)
      ? undefined
      : faultOf(plan.severity, `${plan.seed} ${name}`)
    world.begin(`${plan.seed} ${name}`, fault)
    await Promise.all(
      world.processes.map(({ scheduler }) => scheduler.runDueJobs().catch(() => undefined)),
    )
    for (const { number, database } of world.processes) {
      if (!database.isDead) continue
      this.story.tell(world.clock.millis, 'jobs', `process ${number} dies and is started again`)
      await world.restart(number)
    }
    this.noteFault(name, fault)
    if (world.found !== undefined) throw world.found
  }

  private async check(): Promise<void> {
    const { world, model } = this
    world.begin(`${this.plan.seed} check`)
    this.invariants += await checkBooks(world.db)
    await compareWithModel(world.db, model)
    await this.log.readOn(world.db)
    await checkNothingIsStuck(world)
    const day = Math.round((world.clock.millis - Date.parse('2026-01-05T06:00:00Z')) / dayMillis)
    const faults = [...this.faults.values()].reduce((sum, count) => sum + count, 0)
    this.watching.onProgress?.({ day, acts: this.acts(), faults })
  }
}

function pickHabit({ habits, person }: Actor, chance: Chance) {
  const greedy = habits.find(({ name }) => name === 'leave-for-more')
  if (person.isGreedy && greedy) return greedy
  const watching = habits.find(({ name }) => name === 'watch')
  if (person.watching !== undefined && watching && chance.isLikely(0.85)) return watching
  const total = habits.reduce((sum, { weight }) => sum + weight, 0)
  let left = chance.number() * total
  for (const habit of habits) {
    left -= habit.weight
    if (left < 0) return habit
  }
  const [first] = habits
  if (first === undefined) throw new Error('An actor has no habits')
  return first
}
