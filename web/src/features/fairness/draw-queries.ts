// What opening packs asks of fairness. The code that draws and remembers is loaded when it is first
// needed, so that screens that only look at packs do without.

import type { OddsResponse, OpenPacksResponse } from '@redpack/contract'
import type { DrawTerms, Order } from './ask-opening.ts'

const asking = () => import('./ask-opening.ts')

/** Fresh terms for an order, remembered before it leaves. */
export async function drawTerms(
  userId: number,
  key: string,
  order: Order,
  odds: OddsResponse | undefined,
): Promise<DrawTerms> {
  return (await asking()).drawTerms(userId, key, order, odds)
}

/** Whether an answer is proven. @throws Error that `isNotProven` knows when it contradicts */
export async function proveAnswer(
  userId: number,
  key: string,
  answer: OpenPacksResponse,
): Promise<boolean> {
  return (await asking()).proveAnswer(userId, key, answer)
}

/** Remembers that a request came to nothing, and how. */
export async function noteFailure(userId: number, key: string, error: unknown): Promise<void> {
  await (await asking()).noteFailure(userId, key, error)
}

/** True of an answer that contradicts what was asked; an alarm was raised for it. */
export function isNotProven(error: unknown): boolean {
  return error instanceof Error && error.name === 'NotProven'
}
