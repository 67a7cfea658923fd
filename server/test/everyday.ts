// How much a test does each day, and how much when it may take its time.

/** True under `npm run test:faults`, which plays the tests of `longRuns` as long as they are. */
const isLong = process.env['LONG_RUNS'] === 'on'

/** `few` in `npm test`, `many` in `npm run test:faults`. */
export function everyday<Value>(few: Value, many: Value): Value {
  return isLong ? many : few
}

/** Every third in `npm test`, for what says the same of each; all in `npm run test:faults`. */
export function everyThird<Value>(all: readonly Value[]): readonly Value[] {
  return everyday(
    all.filter((_, index) => index % 3 === 0),
    all,
  )
}
