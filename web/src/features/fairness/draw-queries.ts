// What opening packs asks of fairness. The code that draws and remembers is loaded when it is first
// needed, so that screens that only look at packs do without.

export const opening = () => import('./ask-opening.ts')

/** True of an answer that contradicts what was asked; an alarm was raised for it. */
export function isNotProven(error: unknown): boolean {
  return error instanceof Error && error.name === 'NotProven'
}
