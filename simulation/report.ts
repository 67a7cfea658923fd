// What a run says of itself: progress, one table at its end, and how to read a failure.

import { commandOf } from './arguments.ts'
import type { Plan, Played } from './play.ts'

const pad = (text: string | number, width: number) => String(text).padStart(width)

/** Acts by kind, faults survived, what was checked. */
export function tableOf(played: Played): string[] {
  const { story, acts, faults, invariants, logEntries, crashes, days, seconds } = played
  const habits = [...story.counts].filter(([name]) => !name.includes(' /'))
  const calls = habits.toSorted(([, a], [, b]) => b - a)
  const met = [...faults].toSorted(([, a], [, b]) => b - a)
  const perSecond = Math.round(acts / seconds)
  const { user, system } = process.cpuUsage()
  const processor = Math.round((user + system) / 1e6)
  const memory = Math.round(process.memoryUsage().rss / 1e6)
  return [
    ...calls.map(([name, count]) => `${pad(count, 9)}  ${name}`),
    ...met.map(([kind, count]) => `${pad(count, 9)}  faults: ${kind}`),
    `${pad(crashes, 9)}  processes that died`,
    `${pad(invariants, 9)}  invariants checked`,
    `${pad(logEntries, 9)}  entries of the public log replayed`,
    `${pad(acts, 9)}  calls in ${days.toFixed(1)} days, ${perSecond} a second, ${memory} MB`,
    `${pad(processor, 9)}  seconds of processor`,
    `${pad(played.failure === undefined ? 0 : 1, 9)}  disagreements`,
  ]
}

/** Which of the two says what cannot be, the last steps of those concerned, and how to go on. */
export function failureText(plan: Plan, { failure, story }: Played): string[] {
  if (failure === undefined) return []
  const steps = story.lastSteps(failure.people)
  return [
    `Product and model disagree with seed ${plan.seed}. The ${failure.whose} ${failure.message}`,
    ...(steps.length > 0 ? ['The last steps of those concerned:'] : []),
    ...steps.map((line) => `  ${line}`),
    'If the product is right, the model in simulation/ is wrong: mend that instead.',
    `Play it again:  ${commandOf(plan)} --story`,
    `Make it small:  ${commandOf(plan)} --shrink`,
  ]
}
