// `npm run simulate`: plays a seed, or one after the other, and says what came of it.

import { type Arguments, BadArguments, commandOf, readArguments } from './arguments.ts'
import { plantAll } from './plant.ts'
import { type Plan, type Played, play } from './play.ts'
import { failureText, tableOf } from './report.ts'
import { shrink } from './shrink.ts'
import { realMillis } from './simulated-clock.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)
let isStopped = false

async function playOne(plan: Plan, { isTold, isShrunk }: Arguments, isQuiet: boolean) {
  const startMillis = realMillis()
  let [shownAt, day] = [startMillis, 0]
  const played = await play(plan, {
    isStopped: () => isStopped,
    ...(isTold && { onLine: say }),
    onProgress(progress) {
      day = progress.day
      if (isQuiet || realMillis() - shownAt < 2_000) return
      shownAt = realMillis()
      const perSecond = Math.round(progress.acts / ((shownAt - startMillis) / 1000))
      const { acts, faults } = progress
      say(
        `day ${day} of ${plan.days}: ${acts} calls, ${faults} faults, ${perSecond} calls a second`,
      )
    },
  })
  if (isStopped) {
    say(
      `Interrupted on day ${Math.ceil(played.days)} after ${played.acts} calls of seed ${plan.seed}.`,
    )
    say(`Go on from the beginning, for the same story:  ${commandOf(plan)}`)
  }
  for (const line of failureText(plan, played)) say(line)
  if (played.failure !== undefined && isShrunk) await makeSmall(plan, played)
  return played
}

async function makeSmall(plan: Plan, played: Played): Promise<void> {
  const small = await shrink(plan, played, (text) => say(`still disagree: ${text}`))
  say(
    `Small after ${small.plays} plays: ${small.played.done.length} acts of ${played.done.length}.`,
  )
  for (const line of failureText(small.plan, small.played)) say(line)
}

async function playSeveral(given: Arguments): Promise<boolean> {
  const { plan, minutes = Number.POSITIVE_INFINITY, seeds } = given
  const count = given.minutes === undefined ? seeds : Number.POSITIVE_INFINITY
  const end = realMillis() + minutes * 60_000
  let clean = 0
  for (let seed = plan.seed; seed < plan.seed + count && realMillis() < end; seed += 1) {
    const played = await playOne({ ...plan, seed }, given, true)
    if (played.failure !== undefined || isStopped) return !isStopped && false
    clean += 1
    const { acts, faulty, story } = played
    say(
      `seed ${seed}: ${acts} calls, ${faulty.length} faults, story ${story.digest().slice(0, 16)}`,
    )
  }
  say(`${clean} seeds, 0 disagreements`)
  return true
}

async function main(words: readonly string[]): Promise<boolean> {
  const given = readArguments(words)
  process.once('SIGINT', () => {
    isStopped = true
  })
  if (given.planted !== undefined) return plantAll(given.planted, given.isShrunk, say)
  if (given.database !== undefined) {
    const { playOnPostgres } = await import('./on-postgres.ts')
    return playOnPostgres(given, say)
  }
  if (given.minutes !== undefined || given.seeds > 1) return playSeveral(given)
  const played = await playOne(given.plan, given, false)
  for (const line of tableOf(played)) say(line)
  say(`story ${played.story.digest()}`)
  return played.failure === undefined && !isStopped
}

try {
  process.exit((await main(process.argv.slice(2))) ? 0 : 1)
} catch (error) {
  if (!(error instanceof BadArguments)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exit(2)
}
