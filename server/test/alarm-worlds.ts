// Many small worlds that open packs and look at the alarm after every opening, quickly.

import { entryAt, type OddsEntry, rollRange, thresholdsOf } from '@redpack/fair/draw'
import { type ChanceDraws, isAlarm } from '../src/rules/anytime-test.ts'

/** Whole numbers of 32 bits from a seed: xoshiro128** of Blackman and Vigna. */
type Chance = () => number

export function seededChance(seed: number): Chance {
  let [a, b, c, d] = [0x9e3779b9 ^ seed, 0x243f6a88, 0xb7e15162, seed | 1]
  const next = () => {
    const turned = Math.imul(b, 5)
    const result = Math.imul((turned << 7) | (turned >>> 25), 9)
    const kept = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= kept
    d = (d << 11) | (d >>> 21)
    return result >>> 0
  }
  for (let turn = 0; turn < 20; turn += 1) next()
  return next
}

/** A roll of 52 bits, as the draw takes it. */
export function rollOf(chance: Chance): number {
  return (chance() >>> 6) * 2 ** 26 + (chance() >>> 6)
}

/** One pack type through its life: each odds table serves for so many openings. */
export type TypeLife = readonly { readonly entries: readonly OddsEntry[]; readonly until: number }[]

/** From which and up to which sum of hits a prize is quiet, by openings of its pack type. */
export interface QuietBounds {
  readonly prizeId: number
  readonly least: Int32Array
  readonly most: Int32Array
}

/** The exact chance of a prize in each table of a life, undefined where it is not in it. */
export function chancesIn(life: TypeLife, prizeId: number) {
  return life.map(({ entries, until }) => {
    const thresholds = thresholdsOf(entries)
    const index = entries.findIndex((entry) => entry.prizeId === prizeId)
    const width = (thresholds[index] ?? 0) - (thresholds[index - 1] ?? 0)
    return { until, chance: index === -1 ? undefined : width / rollRange }
  })
}

/** A prize's draws after so many openings of its type, with so many hits in all. */
export function drawsSoFar(
  chances: ReturnType<typeof chancesIn>,
  openings: number,
  hits: number,
): ChanceDraws[] {
  const tables: ChanceDraws[] = []
  let [since, hitsLeft] = [0, hits]
  for (const { chance, until } of chances) {
    const draws = Math.min(until, openings) - since
    since = until
    if (draws <= 0) break
    if (chance === undefined) continue
    const taken = Math.min(hitsLeft, draws)
    hitsLeft -= taken
    tables.push({ chance, draws, hits: taken })
  }
  return tables
}

/**
 * The bounds of the alarm for every opening up to the life's end. Looking them up is the same as
 * asking the alarm, which hears of hits only as a sum; more openings move both bounds up.
 */
export function quietBounds(life: TypeLife, prizeId: number, rank: number): QuietBounds {
  const chances = chancesIn(life, prizeId)
  const openings = life.at(-1)!.until
  const bounds = { least: new Int32Array(openings + 1), most: new Int32Array(openings + 1) }
  let [least, most, draws] = [0, 0, 0]
  for (let n = 1; n <= openings; n += 1) {
    const quiet = (hits: number) => !isAlarm(drawsSoFar(chances, n, hits), rank)
    if (chances.find(({ until }) => n <= until)?.chance !== undefined) draws += 1
    if (draws > 0) {
      while (most < draws && quiet(most + 1)) most += 1
      while (least <= most && !quiet(least)) least += 1
    }
    bounds.least[n] = least
    bounds.most[n] = most
  }
  return { prizeId, ...bounds }
}

/** Ranks by first table, then by place in it, as the product counts them. */
function ranksOf(lives: readonly TypeLife[]): Map<string, number> {
  const ranks = new Map<string, number>()
  for (let step = 0; lives.some((life) => step < life.length); step += 1) {
    for (const [type, life] of lives.entries()) {
      for (const { prizeId } of life[step]?.entries ?? []) {
        const key = `${type}:${prizeId}`
        if (!ranks.has(key)) ranks.set(key, ranks.size + 1)
      }
    }
  }
  return ranks
}

/** The bounds of every prize, by pack type. */
export function allBounds(lives: readonly TypeLife[]): QuietBounds[][] {
  const ranks = ranksOf(lives)
  return lives.map((life, type) => {
    const ids = new Set(life.flatMap(({ entries }) => entries.map(({ prizeId }) => prizeId)))
    return [...ids].map((id) => quietBounds(life, id, ranks.get(`${type}:${id}`)!))
  })
}

/**
 * Prizes that raise an alarm, over so many fair installations, each looked at after every opening
 * until all its lives are over.
 */
export function fairAlarms(
  lives: readonly TypeLife[],
  bounds: readonly (readonly QuietBounds[])[],
  worlds: number,
  chance: Chance,
): number {
  const players = lives.map((life, type) => fairPlayer(life, bounds[type]!))
  let alarms = 0
  for (let deps = 0; deps < worlds; deps += 1) {
    for (const player of players) player.restart()
    let going = players
    while (going.length > 0) {
      const player = going[chance() % going.length]!
      player.open(rollOf(chance))
      if (player.isOver()) going = going.filter((other) => other !== player)
    }
    alarms += players.reduce((sum, player) => sum + player.alarms(), 0)
  }
  return alarms
}

function fairPlayer(life: TypeLife, bounds: readonly QuietBounds[]) {
  const steps = life.map(({ entries, until }) => ({
    until,
    thresholds: thresholdsOf(entries),
    places: entries.map((entry) => bounds.findIndex(({ prizeId }) => prizeId === entry.prizeId)),
  }))
  const end = steps.at(-1)!.until
  const prizes = bounds.length
  // Side by side for each opening, as they are looked at: this runs a few hundred million times.
  const rows = {
    least: new Int32Array(prizes * (end + 1)),
    most: new Int32Array(prizes * (end + 1)),
  }
  for (const [place, { least, most }] of bounds.entries()) {
    for (let n = 0; n <= end; n += 1) {
      rows.least[n * prizes + place] = least[n]!
      rows.most[n * prizes + place] = most[n]!
    }
  }
  const hits = new Int32Array(prizes)
  const alarmed = new Uint8Array(prizes)
  let [openings, step] = [0, 0]
  return {
    restart() {
      hits.fill(0)
      alarmed.fill(0)
      openings = 0
      step = 0
    },
    isOver: () => openings === end,
    alarms: () => alarmed.reduce((sum, flag) => sum + flag, 0),
    open(roll: number) {
      if (openings === steps[step]!.until) step += 1
      openings += 1
      const index = entryAt(steps[step]!.thresholds, roll)
      if (index !== undefined) hits[steps[step]!.places[index]!]! += 1
      const row = openings * prizes
      for (let place = 0; place < prizes; place += 1) {
        const count = hits[place]!
        if (count < rows.least[row + place]! || count > rows.most[row + place]!) alarmed[place] = 1
      }
    },
  }
}

/**
 * The chance that a prize really drawn with `real` has left its bounds, after each opening;
 * by exact sums over all that can happen.
 */
export function alarmChances(
  { least, most }: QuietBounds,
  real: (opening: number) => number,
): Float64Array {
  const alarmed = new Float64Array(least.length)
  let quiet = new Float64Array([1])
  for (let n = 1; n < least.length; n += 1) {
    const chance = real(n)
    const next = new Float64Array(most[n]! + 1)
    let still = 0
    for (let hits = least[n]!; hits < next.length; hits += 1) {
      next[hits] = (quiet[hits] ?? 0) * (1 - chance) + (quiet[hits - 1] ?? 0) * chance
      still += next[hits]!
    }
    alarmed[n] = 1 - still
    quiet = next
  }
  return alarmed
}

/** The published chance of a prize at each opening, 0 where it is in no table. */
export function publishedIn(life: TypeLife, prizeId: number): (opening: number) => number {
  const chances = chancesIn(life, prizeId)
  return (opening) => chances.find(({ until }) => opening <= until)?.chance ?? 0
}
