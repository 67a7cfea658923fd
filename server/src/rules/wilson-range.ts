// The range for a chance after a number of draws that was fixed before the first of them.

/** Quantile of the normal distribution that leaves 0.5 % on each side. */
const z99 = 2.5758293035489004

/**
 * The Wilson score interval at 99 % for `hits` out of `draws` (1 or more); it stays sound for rare
 * prizes and few draws. E. B. Wilson, Journal of the American Statistical Association 22, 1927. It
 * is good for one look: who looks again as draws go on takes `anytime-test.ts`.
 */
export function wilsonRange(hits: number, draws: number): { low: number; high: number } {
  const share = hits / draws
  const square = z99 * z99
  const centre = share + square / (2 * draws)
  const reach = z99 * Math.sqrt((share * (1 - share) + square / (4 * draws)) / draws)
  const scale = 1 + square / draws
  return {
    low: hits === 0 ? 0 : Math.max(0, (centre - reach) / scale),
    high: hits === draws ? 1 : Math.min(1, (centre + reach) / scale),
  }
}
