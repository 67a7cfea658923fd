// A test of published chances that holds however often anyone looks. docs/economy.md says why.

/** What one prize's draws gave in tables that promised it the same chance. */
export interface ChanceDraws {
  /** The chance of every one of these draws, 0 to 1. */
  readonly chance: number
  readonly draws: number
  readonly hits: number
}

/** The odds are supposed to be better (1) or worse (-1) than was published. */
type Side = 1 | -1

/** Of so many installations whose draws are fair at most one ever sees an alarm. */
export const fairPerAlarm = 100

/** So many prizes share the first half of that allowance; all that follow share the rest. */
const prizesOfFirstHalf = 20

/** How far off the bets suppose the odds to be, as logarithms: 4, 2, 1, 1/2, ... 1/128. */
const betSteps = Array.from({ length: 10 }, (_, index) => 2 ** (2 - index))
/** The same as factors, by side. */
const betFactors = {
  1: betSteps.map((step) => Math.exp(step)),
  [-1]: betSteps.map((step) => Math.exp(-step)),
} as const

/** No chance that a table can state lies this far from another, as a logarithm of odds. */
const shiftMax = 64

/** Halvings of a bracket of that width, which leave an error of less than a hundred-thousandth. */
const halvings = 24

/**
 * Where the evidence of one side becomes an alarm, as a logarithm. `rank` counts prizes from 1 in
 * the order in which they came: the first r together use r / (r + 20) of the allowance, so it is
 * never used up however many come.
 */
export function alarmAt(rank: number): number {
  const before = prizesOfFirstHalf + rank - 1
  const share = prizesOfFirstHalf / (before * (before + 1))
  return Math.log((2 * fairPerAlarm) / share)
}

/**
 * True when a draw gave what its table rules out: a miss of the certain or a hit of the impossible.
 */
function isRuledOut(tables: readonly ChanceDraws[]): boolean {
  return tables.some(
    ({ chance, draws, hits }) => (chance === 1 && hits < draws) || (chance === 0 && hits > 0),
  )
}

/**
 * Logarithm of what a player would own who began with 1 and has bet at the published odds that the
 * odds are off to one side, spread evenly over the steps. A fair draw leaves it as it is on the
 * mean, so by Ville's inequality it ever reaches x with a chance of 1 / x at most. It depends on
 * sums alone and equals what betting draw by draw would give. With a `shift` the question is
 * whether the odds are off from e^shift times those published; it then falls as the shift moves to
 * the side. The tables are not ruled out.
 */
export function logEvidence(tables: readonly ChanceDraws[], side: Side, shift = 0): number {
  const growths = betSteps.map(() => 0)
  const shifted = Math.exp(shift)
  for (const { chance, draws, hits } of tables) {
    // Nothing is learned from what had to come.
    if (chance === 0 || chance === 1) continue
    const base = logMass(chance, shifted)
    for (const [index, factor] of betFactors[side].entries()) {
      const grown = draws * (logMass(chance, shifted * factor) - base)
      growths[index] = (growths[index] ?? 0) + side * (betSteps[index] ?? 0) * hits - grown
    }
  }
  const largest = Math.max(...growths)
  const sum = growths.reduce((total, growth) => total + Math.exp(growth - largest), 0)
  return largest + Math.log(sum / betSteps.length)
}

/** Logarithm of hit and miss together, once the odds of a hit are `factor` times as high. */
function logMass(chance: number, factor: number): number {
  const more = chance * (factor - 1)
  // Near -1 its last digits are lost: the sum itself still has them.
  return more > -0.5 ? Math.log1p(more) : Math.log(1 - chance + chance * factor)
}

/** True when the draws are evidence enough that the published odds are not kept. */
export function isAlarm(tables: readonly ChanceDraws[], rank: number): boolean {
  if (isRuledOut(tables)) return true
  const limit = alarmAt(rank)
  return logEvidence(tables, 1) >= limit || logEvidence(tables, -1) >= limit
}

/**
 * The mean chances that the draws do not speak against: those of all factors on the published odds
 * that the same test lets stand. It holds the published mean unless there is an alarm, and is as
 * sound at any time as the alarm. Where a draw is ruled out no factor is left, and the range is
 * that of one constant chance.
 */
export function soundRange(
  tables: readonly ChanceDraws[],
  rank: number,
): { low: number; high: number } {
  if (isRuledOut(tables)) return rangeOfShare(tables, rank)
  return {
    low: meanChance(tables, -farthestShift(tables, rank, 1)),
    high: meanChance(tables, farthestShift(tables, rank, -1)),
  }
}

function rangeOfShare(tables: readonly ChanceDraws[], rank: number): { low: number; high: number } {
  const draws = tables.reduce((sum, table) => sum + table.draws, 0)
  const hits = tables.reduce((sum, table) => sum + table.hits, 0)
  const { low, high } = soundRange([{ chance: 0.5, draws, hits }], rank)
  return {
    low: hits > 0 ? Math.max(low, Number.EPSILON) : low,
    high: hits < draws ? Math.min(high, 1 - Number.EPSILON) : high,
  }
}

/** How far the odds can be shifted away from `side` until its evidence becomes an alarm. */
function farthestShift(tables: readonly ChanceDraws[], rank: number, side: Side): number {
  const limit = alarmAt(rank)
  const stands = (distance: number) => logEvidence(tables, side, -side * distance) < limit
  if (stands(shiftMax)) return Number.POSITIVE_INFINITY
  let near = stands(0) ? 0 : -shiftMax
  let far = stands(0) ? shiftMax : 0
  for (let turn = 0; turn < halvings; turn += 1) {
    const middle = (near + far) / 2
    if (stands(middle)) near = middle
    else far = middle
  }
  return near
}

/** Mean of the published chances over the draws, with e^shift times the odds. */
export function meanChance(tables: readonly ChanceDraws[], shift = 0): number {
  let sum = 0
  let all = 0
  for (const { chance, draws } of tables) {
    sum += draws * shiftedChance(chance, shift)
    all += draws
  }
  return sum / all
}

function shiftedChance(chance: number, shift: number): number {
  if (shift === 0 || chance === 0 || chance === 1) return chance
  return 1 / (1 + ((1 - chance) / chance) * Math.exp(-shift))
}
