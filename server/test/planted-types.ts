// Faults that must not compile: the types of the server check this file, and a planted fault that
// compiles after all fails them (`npm run check`, step Types of server).

import { packsContract, storeContract } from '@redpack/contract'
import { onceAnswer } from '../src/adapters/http/once-answer.ts'
import { type JsonText, jsonText } from '../src/rules/json-text.ts'

const stored = <Answer>(answer: Answer) => ({ body: jsonText(answer), replayed: false })
const purchase = { success: true, message: 'Purchase successful', updatedBalance: 1 } as const
const loss = { won: false, prizeId: null, prize: null, claimId: null, redCoinEarned: 5 }

/** Where money's answers are sent; never run. */
export function plantedFaults(): void {
  onceAnswer(storeContract.purchase, stored(purchase))
  const { updatedBalance, ...short } = purchase
  // @ts-expect-error a renamed field
  onceAnswer(storeContract.purchase, stored({ ...short, newBalance: updatedBalance }))
  // @ts-expect-error a missing field
  onceAnswer(storeContract.purchase, stored(short))
  // @ts-expect-error a field of another type
  onceAnswer(storeContract.purchase, stored({ ...short, updatedBalance: '1' }))
  // @ts-expect-error a field that the contract does not know
  onceAnswer(storeContract.purchase, stored({ ...purchase, email: 'ana@example.com' }))

  onceAnswer(packsContract.open, stored({ results: [loss], updatedBalance: 1 }))
  const { redCoinEarned, ...rest } = loss
  const renamed = [{ ...rest, redCoinWon: redCoinEarned }]
  // @ts-expect-error a field renamed inside of a result
  onceAnswer(packsContract.open, stored({ results: renamed, updatedBalance: 1 }))

  // @ts-expect-error text that nobody has typed
  const text: JsonText<{ id: string }> = '{}'
  void text
}
