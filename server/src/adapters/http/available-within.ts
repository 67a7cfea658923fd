// What callers are not kept waiting for.

import { Unavailable } from '../../shared/domain-error.ts'
import { withinMillis } from '../clock/within.ts'

/**
 * The outcome of `work`.
 * @throws Unavailable with `message` when the work fails or takes longer than `millisMax`
 */
export async function availableWithin<Result>(
  work: Promise<Result>,
  millisMax: number,
  message: string,
): Promise<Result> {
  try {
    return await withinMillis(work, millisMax)
  } catch (cause) {
    throw new Unavailable(message, { cause })
  }
}
