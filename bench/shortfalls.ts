// When a benchmark has lost too much.

/** Of two ways in one run: machines differ, ratios of one run hardly do. The larger the better. */
export type Ratios = Readonly<Record<string, number>>

const lossMax = 0.2

const toSlowWayMax = 20

/**
 * A ratio to a way so slow that it answers a handful of calls while it is measured, so that the
 * ratio is another one each time: above 20 they are all the same.
 */
export function toSlowWay(ratio: number): number {
  return Math.min(ratio, toSlowWayMax)
}

/**
 * A sentence for each ratio that lost more than a fifth of what it was. One that is gone counts as
 * lost; one that is new has nothing to lose.
 */
export function shortfalls(before: Ratios, now: Ratios): string[] {
  return Object.entries(before).flatMap(([name, was]) => {
    const is = now[name]
    if (is === undefined) return [`${name} was ${was} and is not measured any more`]
    // Written so that a figure which is no number has lost too.
    return is >= was * (1 - lossMax) ? [] : [`${name} was ${was} and is ${is}`]
  })
}
