// `npm run simulate`: plays a seed, or one after the other, and says what came of it.

import { parseArgs } from 'node:util'
import { realMillis } from './chance.ts'
import { severities } from './faults.ts'
import { plantAll } from './planted-faults.ts'
import type { Plan, Run } from './play.ts'
import { BadArguments } from './story.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)
let isStopped = false

const text = { type: 'string' } as const
const flag = { type: 'boolean', default: false } as const
const options = {
  seed: { ...text, default: '1' },
  seeds: { ...text, default: '1' },
  days: { ...text, default: '30' },
  viewers: { ...text, default: '300' },
  faults: { ...text, default: 'usual' },
  ...{ minutes: text, only: text, skip: text, spare: text, database: text, planted: text },
  ...{ story: flag, shrink: flag },
}

/** @throws BadArguments with a sentence for whoever typed them */
function readArguments(args: string[]) {
  const { values } = parseArgs({ args, options })
  const number = (name: 'seed' | 'seeds' | 'days' | 'viewers' | 'minutes', max: number) => {
    const value = Number(values[name])
    if (/^\d{1,12}(\.\d+)?$/.test(values[name] ?? '') && value <= max) return value
    throw new BadArguments(`--${name} must be a number up to ${max}, not "${values[name]}"`)
  }
  const faults = severities.find((one) => one === values.faults)
  const known = severities.join(', ')
  if (faults === undefined) throw new BadArguments(`--faults must be one of ${known}`)
  if (values.database !== undefined && !URL.canParse(values.database)) {
    throw new BadArguments('--database must be the address of a database')
  }
  const set = (words: string | undefined) => (words ? new Set(words.split(',')) : undefined)
  const plan: Plan = {
    ...{ seed: number('seed', 1e12), days: number('days', 1_000), faults },
    ...{ only: set(values.only), skip: set(values.skip), spare: set(values.spare) },
    viewers: number('viewers', 10_000),
  }
  const minutes = values.minutes === undefined ? undefined : number('minutes', 10_000)
  return { ...values, plan, minutes, seeds: number('seeds', 1e6) }
}
type Arguments = ReturnType<typeof readArguments>

/** The command that plays a plan again. */
function commandOf(plan: Plan): string {
  const words = Object.entries(plan).flatMap(([name, value]) =>
    value === undefined || value.size === 0
      ? []
      : [`--${name} ${value instanceof Set ? [...value].join(',') : value}`],
  )
  return `npm run simulate -- ${words.join(' ')}`
}

const megabytes = () => `${Math.round(process.memoryUsage().rss / 1e6)} MB`

/** Acts by kind, faults survived, what was checked. */
function tellTable({ world, plan, days, seconds, failure, ...run }: Run): void {
  const { story, crashes } = world
  const { user, system } = process.cpuUsage()
  const acts = [...story.counts].filter(([name]) => !name.includes(' '))
  const faults = [...run.faults].map(([kind, count]) => [`faults: ${kind}`, count] as const)
  const perSecond = `${Math.round(story.calls / seconds)} a second`
  for (const [words, count] of [
    ...acts.sort(([, a], [, b]) => b - a),
    ...faults.sort(([, a], [, b]) => b - a),
    ['processes that died', crashes],
    ['invariants checked', run.invariants],
    ['entries of the public log replayed', run.replay.size],
    [`calls in ${days.toFixed(1)} days, ${perSecond}, ${megabytes()}`, story.calls],
    ['seconds of processor', Math.round((user + system) / 1e6)],
    ['disagreements', failure === undefined ? 0 : 1],
  ] as const) {
    say(`${String(count).padStart(9)}  ${words}`)
  }
  say(`story ${story.digest()}`)
}

/** What the product did, the last steps of those concerned, and how to go on. */
function tellFailure({ plan, failure, verdict, world }: Run): void {
  if (failure === undefined) return
  say(`Product and model disagree with seed ${plan.seed}. The product ${failure.message}`)
  say(`Which side is wrong? ${verdict}`)
  const steps = world.story.lastSteps(failure.people)
  if (steps.length > 0) say(`The last steps of those concerned:\n  ${steps.join('\n  ')}`)
  say(`Play it again:  ${commandOf(plan)} --story`)
  say(`Make it small:  ${commandOf(plan)} --shrink`)
}

async function playOne(plan: Plan, given: Arguments, isQuiet: boolean) {
  const startMillis = realMillis()
  let shownAt = startMillis
  // With the whole product behind it, which nobody waits for to hear what they typed wrong.
  const { play, shrink } = await import('./play.ts')
  const run = await play(plan, {
    isStopped: () => isStopped,
    ...(given.story && { onLine: say }),
    onDay({ days, world, faulty }) {
      if (isQuiet || realMillis() - shownAt < 2_000) return
      shownAt = realMillis()
      const { calls } = world.story
      const perSecond = Math.round((calls * 1000) / (shownAt - startMillis))
      const said = `${calls} calls, ${faulty.length} faults, ${perSecond} calls a second`
      say(`day ${Math.round(days)} of ${plan.days}: ${said}, ${megabytes()}`)
    },
  })
  const { calls } = run.world.story
  if (isStopped) {
    say(`Interrupted on day ${Math.ceil(run.days)} after ${calls} calls of seed ${plan.seed}.`)
    say(`Go on from the beginning, for the same story:  ${commandOf(plan)}`)
  }
  tellFailure(run)
  if (run.failure !== undefined) say(`Found after ${run.done.length} acts.`)
  if (run.failure !== undefined && given.shrink) {
    const onStep = (words: string) => say(`still disagree: ${words}`)
    const { best, plays } = await shrink(run, onStep, () => isStopped)
    say(`Small after ${plays} plays: ${best.done.length} acts of ${run.done.length}.`)
    tellFailure(best)
  }
  return run
}

async function playSeveral(given: Arguments): Promise<boolean> {
  const { plan, minutes, seeds } = given
  const end = minutes === undefined ? Number.POSITIVE_INFINITY : realMillis() + minutes * 60_000
  const isDue = (count: number) => (minutes === undefined ? count < seeds : realMillis() < end)
  let clean = 0
  for (; isDue(clean); clean += 1) {
    const run = await playOne({ ...plan, seed: plan.seed + clean }, given, true)
    if (run.failure !== undefined || isStopped) return false
    const { calls, digest } = run.world.story
    const mark = digest().slice(0, 16)
    say(`seed ${run.plan.seed}: ${calls} calls, ${run.faulty.length} faults, story ${mark}`)
  }
  say(`${clean} seeds, 0 disagreements`)
  return true
}

async function main(words: string[]): Promise<boolean> {
  const given = readArguments(words)
  process.once('SIGINT', () => {
    isStopped = true
  })
  if (given.planted !== undefined) return plantAll(given.planted, given.shrink, say)
  if (given.database !== undefined) {
    const { playOnPostgres } = await import('./on-postgres.ts')
    return playOnPostgres(given.database, given.plan, given.minutes ?? 1, say)
  }
  if (given.minutes !== undefined || given.seeds > 1) return playSeveral(given)
  const run = await playOne(given.plan, given, false)
  tellTable(run)
  return run.failure === undefined && !isStopped
}

try {
  process.exit((await main(process.argv.slice(2))) ? 0 : 1)
} catch (error) {
  const isTyped = error instanceof BadArguments || String(error).includes('ERR_PARSE_ARGS')
  if (!isTyped) throw error
  process.stderr.write(`${(error as Error).message}\n`)
  process.exit(2)
}
