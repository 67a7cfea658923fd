// Makes a failing run small: fewer days, fewer actors, fewer faults, fewer acts, as long as product
// and model go on to disagree in the same way.

import { communityOf } from './community.ts'
import { type Plan, type Played, play } from './play.ts'

const playsMax = 60

export interface Shrunk {
  readonly plan: Plan
  readonly played: Played
  readonly plays: number
}

/** Numbers differ from run to run; the kind of a disagreement is what is left without them. */
const kindOf = ({ failure }: Played) =>
  failure?.message.replace(/"[^"]*"|\{.*|[\d.]+|\b(PR-)?[A-Z\d]{8}\b/g, '#').slice(0, 60)

export async function shrink(
  plan: Plan,
  first: Played,
  onStep: (text: string) => void,
): Promise<Shrunk> {
  const wanted = kindOf(first)
  let best = { plan, played: first, plays: 0 }
  let plays = 0
  const holds = async (smaller: Plan): Promise<boolean> => {
    if (plays >= playsMax) return false
    plays += 1
    const played = await play(smaller)
    if (played.failure === undefined || kindOf(played) !== wanted) return false
    best = { plan: smaller, played, plays }
    onStep(`${played.acts} calls, ${played.done.length} acts, ${played.days.toFixed(1)} days`)
    return true
  }
  // What comes after the disagreement says nothing of it.
  const days = Math.ceil(first.days * 100) / 100
  await holds({ ...plan, days })
  await fewerActors(best.plan, first, holds)
  const faulty = best.played.faulty
  await without(faulty, (spared) => holds({ ...best.plan, spared: new Set(spared) }))
  const { done } = best.played
  await without(done, (skipped) => holds({ ...best.plan, skipped: new Set(skipped) }))
  return { ...best, plays }
}

type Holds = (plan: Plan) => Promise<boolean>

/** Those who acted last are tried first. */
async function fewerActors(plan: Plan, { done }: Played, holds: Holds): Promise<void> {
  const latest = [...new Set(done.map((act) => act.split(':')[0] ?? '').toReversed())]
  const everybody = communityOf(plan.viewers).map(({ person }) => person.name)
  const needed = everybody.filter((name) => !/^(viewer|attacker|operator)/.test(name))
  for (const count of [1, 2, 4, 8, 16, 32]) {
    if (count >= latest.length) return
    const only = new Set([...latest.slice(0, count), ...needed])
    if (await holds({ ...plan, only })) return dropOthers({ ...plan, only }, holds)
  }
}

async function dropOthers(plan: Plan, holds: Holds): Promise<void> {
  let { only = new Set<string>() } = plan
  for (const name of [...only].toReversed()) {
    const fewer = new Set([...only].filter((other) => other !== name))
    if (await holds({ ...plan, only: fewer })) only = fewer
  }
}

/** Leaves out as many of the items as can be, half of them first, then smaller parts. */
async function without(items: readonly string[], holds: (left: string[]) => Promise<boolean>) {
  let out: string[] = []
  for (
    let size = Math.ceil(items.length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let from = 0; from < items.length; from += size) {
      const part = items.slice(from, from + size).filter((item) => !out.includes(item))
      if (part.length > 0 && (await holds([...out, ...part]))) out = [...out, ...part]
    }
    if (items.length / size > 40) return
  }
}
