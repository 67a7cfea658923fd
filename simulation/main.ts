// `npm run simulate`: plays a seed, or one after the other, and says what came of it.

import { parseArgs } from 'node:util'
import { realMillis } from './chance.ts'
import { severities } from './faults.ts'
import { plantAll } from './planted-faults.ts'
import { type Plan, play, type Run } from './play.ts'
import { shrink } from './shrink.ts'
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
  const { database, planted, story: isTold, shrink: isShrunk } = values
  if (database !== undefined && !URL.canParse(database)) {
    throw new BadArguments('--database must be the address of a database')
  }
  const set = (words: string | undefined) => (words ? new Set(words.split(',')) : undefined)
  const lists = { only: set(values.only), skip: set(values.skip), spare: set(values.spare) }
  const plan: Plan = {
    ...{ seed: number('seed', 1e12), days: number('days', 1_000), faults, ...lists },
    viewers: number('viewers', 10_000),
  }
  const minutes = values.minutes === undefined ? undefined : number('minutes', 10_000)
  return { plan, minutes, seeds: number('seeds', 1e6), database, planted, isTold, isShrunk }
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

/** Acts by kind, faults survived, what was checked. */
function tableOf(run: Run): string[] {
  const row = (count: number, words: string) => `${String(count).padStart(9)}  ${words}`
  const most = (counts: ReadonlyMap<string, number>) => [...counts].sort(([, a], [, b]) => b - a)
  const { user, system } = process.cpuUsage()
  const memory = Math.round(process.memoryUsage().rss / 1e6)
  const perSecond = Math.round(run.calls / run.seconds)
  const acts = most(run.story.counts).filter(([name]) => !name.includes(' '))
  return [
    ...acts.map(([name, count]) => row(count, name)),
    ...most(run.faults).map(([kind, count]) => row(count, `faults: ${kind}`)),
    row(run.crashes, 'processes that died'),
    row(run.invariants, 'invariants checked'),
    row(run.replay.size, 'entries of the public log replayed'),
    row(run.calls, `calls in ${run.days.toFixed(1)} days, ${perSecond} a second, ${memory} MB`),
    row(Math.round((user + system) / 1e6), 'seconds of processor'),
    row(run.failure === undefined ? 0 : 1, 'disagreements'),
    `story ${run.story.digest()}`,
  ]
}

/** What the product did, the last steps of those concerned, and how to go on. */
function tellFailure({ plan, failure, verdict, story }: Run): void {
  if (failure === undefined) return
  say(`Product and model disagree with seed ${plan.seed}. The product ${failure.message}`)
  say(`Which side is wrong? ${verdict}`)
  const steps = story.lastSteps(failure.people)
  if (steps.length > 0) say(`The last steps of those concerned:\n  ${steps.join('\n  ')}`)
  say(`Play it again:  ${commandOf(plan)} --story`)
  say(`Make it small:  ${commandOf(plan)} --shrink`)
}

async function playOne(plan: Plan, { isTold, isShrunk }: Arguments, isQuiet: boolean) {
  const startMillis = realMillis()
  let shownAt = startMillis
  const run = await play(plan, {
    isStopped: () => isStopped,
    ...(isTold && { onLine: say }),
    onDay({ days, calls, faulty }) {
      if (isQuiet || realMillis() - shownAt < 2_000) return
      shownAt = realMillis()
      const perSecond = Math.round((calls * 1000) / (shownAt - startMillis))
      const said = `${calls} calls, ${faulty.length} faults, ${perSecond} calls a second`
      const memory = Math.round(process.memoryUsage().rss / 1e6)
      say(`day ${Math.round(days)} of ${plan.days}: ${said}, ${memory} MB`)
    },
  })
  if (isStopped) {
    const day = Math.ceil(run.days)
    say(`Interrupted on day ${day} after ${run.calls} calls of seed ${plan.seed}.`)
    say(`Go on from the beginning, for the same story:  ${commandOf(plan)}`)
  }
  tellFailure(run)
  if (run.failure !== undefined) say(`Found after ${run.done.length} acts.`)
  if (run.failure !== undefined && isShrunk) {
    const { best, plays } = await shrink(run, (words) => say(`still disagree: ${words}`))
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
    const { calls, faulty, story } = run
    const mark = story.digest().slice(0, 16)
    say(`seed ${run.plan.seed}: ${calls} calls, ${faulty.length} faults, story ${mark}`)
  }
  say(`${clean} seeds, 0 disagreements`)
  return true
}

async function main(words: string[]): Promise<boolean> {
  const given = readArguments(words)
  process.once('SIGINT', () => {
    isStopped = true
  })
  if (given.planted !== undefined) return plantAll(given.planted, given.isShrunk, say)
  if (given.database !== undefined) {
    const { playOnPostgres } = await import('./on-postgres.ts')
    return playOnPostgres(given.database, given.plan, given.minutes ?? 1, say)
  }
  if (given.minutes !== undefined || given.seeds > 1) return playSeveral(given)
  const run = await playOne(given.plan, given, false)
  for (const line of tableOf(run)) say(line)
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
