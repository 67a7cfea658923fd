// Makes a failing run small: fewer days, fewer actors, fewer faults, fewer acts, as long as product
// and model go on to disagree in the same way.

import { type Plan, play, type Run } from './play.ts'

const playsMax = 60

/** Numbers differ from run to run; the kind of a disagreement is what is left without them. */
const kindOf = ({ failure }: Run) =>
  failure?.message.replace(/"[^"]*"|\{.*|[\d.]+|\b(PR-)?[A-Z\d]{8}\b/g, '#').slice(0, 60)

export async function shrink(first: Run, onStep: (text: string) => void) {
  let [best, plays] = [first, 0]
  const holds = async (change: Partial<Plan>): Promise<boolean> => {
    if (plays >= playsMax) return false
    plays += 1
    const run = await play({ ...best.plan, ...change })
    if (run.failure === undefined || kindOf(run) !== kindOf(first)) return false
    best = run
    onStep(`${run.calls} calls, ${run.done.length} acts, ${run.days.toFixed(1)} days`)
    return true
  }
  // What comes after the disagreement says nothing of it.
  await holds({ days: Math.ceil(first.days * 100) / 100 })
  // Those who acted last are tried first.
  const latest = [...new Set(first.done.map((act) => act.replace(/:.*/, '')).toReversed())]
  for (let count = 1; count < latest.length; count *= 2) {
    const few = latest.slice(0, count)
    const needed = latest.filter((name) => !/^(viewer|attacker|operator)/.test(name))
    let only = new Set([...few, 'keeper-1', ...needed])
    if (!(await holds({ only }))) continue
    for (const name of [...only].toReversed()) {
      const fewer = new Set([...only].filter((other) => other !== name))
      if (await holds({ only: fewer })) only = fewer
    }
    break
  }
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
