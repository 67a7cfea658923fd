// How much a step of a check looks at, so that it takes about the time it is meant to take.

export const sizeAtStart = 500
const sizeMax = 20_000

/** The size of the next step after one that took `tookMillis`. Another part begins small again. */
export function sizeAfter(
  size: number,
  tookMillis: number,
  aimMillis: number,
  isSamePart: boolean,
): number {
  if (!isSamePart) return Math.min(size, sizeAtStart)
  const change = Math.min(2, Math.max(0.25, aimMillis / Math.max(tookMillis, 0.1)))
  return Math.min(sizeMax, Math.max(1, Math.round(size * change)))
}
