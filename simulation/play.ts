// Plays a seed: wakes one actor after the other, in the order of the schedule, until the days are
// over or product and model disagree; and makes a run small in which they do.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { begin, Chance, realMillis } from './chance.ts'
import * as checks from './checks.ts'
import { type Actor, communityOf } from './community.ts'
import { faultOf, type Severity } from './faults.ts'
import { found, isSignedIn } from './founding.ts'
import { checkMails, checkNews } from './mail.ts'
import type { Person } from './model.ts'
import { type Habit, Scene } from './scene.ts'
import { bookEnded } from './shipping.ts'
import { asDisagreement, Disagreement, Story } from './story.ts'
import { World } from './world.ts'

const [dayMillis, jobsEveryMillis, liveMillis, playsMax] = [86_400_000, 21_600_000, 280_000, 60]

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

/** What whoever started the run wants to hear of it, and whether it is to end. */
interface Watching {
  readonly onLine?: (line: string) => void
  readonly onDay?: (run: Run) => void
  readonly isStopped?: () => boolean
}

export async function play(plan: Plan, watching: Watching = {}): Promise<Run> {
  const world = await World.open(plan.seed, plan.faults, new Story(watching.onLine))
  const run = new Run(plan, world, watching)
  const startMillis = realMillis()
  try {
    await run.live()
  } catch (error) {
    run.failure = asDisagreement(error)
    const key = world.encryptionKeys[0]
    run.verdict = await checks
      .verdictOf(run.failure, world.db, world.model, key)
      .catch((reason: unknown) => `Nothing can be read any more: ${reason}`)
  } finally {
    run.seconds = (realMillis() - startMillis) / 1000
    await world.close()
  }
  return run
}

export class Run {
  /** Names of acts in their order, and of those that met a fault. */
  readonly done: string[] = []
  readonly faulty: string[] = []
  readonly faults = new Map<string, number>()
  failure: Disagreement | undefined
  /** Which side is wrong. */
  verdict = ''
  seconds = 0
  invariants = 0
  readonly replay = checks.newReplay()
  private askedAt = 0

  constructor(
    readonly plan: Plan,
    readonly world: World,
    private readonly watching: Watching,
  ) {}

  get days(): number {
    return (this.world.clock.millis - begin) / dayMillis
  }

  async live(): Promise<void> {
    const { plan, world, watching } = this
    const community = communityOf(plan.viewers, world)
    world.people.push(...community.map(({ person }) => person))
    await this.act(world.people[0] as Person, 0, found)
    const present = community.filter(({ person }) => plan.only?.has(person.name) ?? true)
    const end = begin + plan.days * dayMillis
    // Each is done at its moment, and answers when it is due again.
    const schedule = [
      { at: begin + jobsEveryMillis, work: (at: number) => this.runJobs(at) },
      { at: begin + dayMillis, work: (at: number) => this.spendMidnight(at) },
      ...present.map((actor) => ({
        at: begin + this.gap(actor, 0),
        work: (at: number) => this.wake(actor, at),
      })),
    ]
    while (watching.isStopped?.() !== true) {
      const next = schedule.reduce((best, one) => (best.at <= one.at ? best : one))
      world.clock.millis = Math.max(world.clock.millis, Math.min(next.at, end))
      if (next.at < end) {
        const { crashes } = world
        next.at = await next.work(next.at)
        if (world.crashes > crashes) await this.checkAfterCrash()
      } else {
        await this.runJobs(end)
        return this.check()
      }
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

  private async wake(actor: Actor, at: number): Promise<number> {
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
    return Math.max(at, this.world.clock.millis) + rest
  }

  private async act(person: Person, turn: number, work: (scene: Scene) => Promise<void>) {
    const scene = new Scene(this.world, person, turn)
    await this.meeting(`${person.name}:${turn}`, turn === 0, () => work(scene)).catch((error) => {
      throw asDisagreement(error, [person.name])
    })
  }

  /** Does it under the fault that its name has. */
  private async meeting(name: string, isSpared: boolean, work: () => Promise<unknown>) {
    const { plan, world } = this
    const act = `${plan.seed} ${name}`
    const isNone = isSpared || plan.spare?.has(name) === true
    const fault = isNone ? undefined : faultOf(plan.faults, act, name.startsWith('jobs:'))
    world.begin(act, fault)
    await work()
    if (fault !== undefined && world.processes.some(({ database }) => !database.fault)) {
      this.faulty.push(name)
      this.faults.set(fault.kind, (this.faults.get(fault.kind) ?? 0) + 1)
    }
    if (world.doubled) throw new Disagreement(`two processes run ${world.doubled} at once`)
  }

  /** Both processes look for what is due at the same moment. */
  private async runJobs(at: number): Promise<number> {
    const { processes, story } = this.world
    await this.meeting(`jobs:${at}`, false, async () => {
      const looking = processes.map(({ scheduler }) => scheduler.runDueJobs())
      await Promise.allSettled(looking)
      for (const { number, database } of processes) {
        if (!database.isDead) continue
        story.tell(at, 'jobs', `process ${number} dies and is started again`)
        await this.world.restart(number)
      }
    })
    checkMails(this.world, this.faulty.at(-1) === `jobs:${at}`)
    await bookEnded(this.world.db, this.world.model, this.world.clock.millis)
    return at + jobsEveryMillis
  }

  /** What was acknowledged before a process died is there, in its rows and in the log. */
  private async checkAfterCrash(): Promise<void> {
    const { db, encryptionKeys } = this.world
    if (this.plan.faults === 'harsh') await checks.checkBooks(db, encryptionKeys[0])
    await checks.compareWithModel(db, this.world)
    await checks.readOn(this.replay, db)
  }

  private async check(): Promise<void> {
    const { db, clock, encryptionKeys } = this.world
    this.world.begin(`${this.plan.seed} check`)
    this.invariants += await checks.checkBooks(db, encryptionKeys[0])
    await checks.compareWithModel(db, this.world)
    await checks.readOn(this.replay, db)
    await checkNews(this.world)
    await checks.checkNothingIsStuck(db, clock.now())
    this.watching.onDay?.(this)
  }

  /** Everything is checked, and what a month would pile up goes. */
  private async spendMidnight(at: number): Promise<number> {
    await this.check()
    const { clock, db, model } = this.world
    // Nobody tidies the embedded database in the background, nor memory before there is need. What
    // was analysed is planned anew, so that is for every fifth night.
    collectGarbage()
    if (Math.round(this.days) % 5 === 1) await db.script('VACUUM ANALYZE')
    await db.script('CHECKPOINT')
    const before = clock.millis - 2 * dayMillis
    model.keys.forget(before, ({ madeAt }) => madeAt)
    model.sessions.forget(before, ({ endsAt }) => endsAt)
    return at + dayMillis
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

/** Numbers differ from run to run; the kind of a disagreement is what is left without them. */
const kindOf = ({ failure }: Run) =>
  failure?.message.replace(/"[^"]*"|\{.*|[\d.]+|\b(PR-)?[A-Z\d]{8}\b/g, '#').slice(0, 60)

/**
 * Fewer days, fewer actors, fewer faults, fewer acts, as long as product and model go on to
 * disagree in the same way.
 */
export async function shrink(first: Run, onStep: (text: string) => void, isStopped: () => boolean) {
  let [best, plays] = [first, 0]
  const holds = async (change: Partial<Plan>): Promise<boolean> => {
    if (plays >= playsMax || isStopped()) return false
    plays += 1
    const run = await play({ ...best.plan, ...change }, { isStopped })
    if (run.failure === undefined || kindOf(run) !== kindOf(first)) return false
    best = run
    const { calls } = run.world.story
    onStep(`${calls} calls, ${run.done.length} acts, ${run.days.toFixed(1)} days`)
    return true
  }
  // What comes after the disagreement says nothing of it, and those who acted last say most.
  await holds({ days: Math.ceil(first.days * 100) / 100 })
  const actors = [...new Set(first.done.map((act) => act.replace(/:.*/, '')).toReversed())]
  const only = (out: Set<string>) => new Set(actors.filter((name) => !out.has(name)))
  await without(actors.toReversed(), (out) => holds({ only: only(out) }))
  await without(best.faulty, (spare) => holds({ spare }))
  await without(best.done, (skip) => holds({ skip }))
  return { best, plays }
}

/** Leaves out as many of the items as can be, half of them first, then smaller parts. */
async function without(items: readonly string[], holds: (out: Set<string>) => Promise<boolean>) {
  let out = new Set<string>()
  for (let parts = 2; parts <= 40 && parts < items.length * 2; parts *= 2) {
    const size = Math.ceil(items.length / parts)
    for (let from = 0; from < items.length; from += size) {
      const more = new Set([...out, ...items.slice(from, from + size)])
      if (more.size > out.size && (await holds(more))) out = more
    }
  }
}
