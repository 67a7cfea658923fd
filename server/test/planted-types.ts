// Faults that must not compile: the types of the server check this file, and a planted fault that
// compiles after all fails them (`npm run check`, step Types of server).

import {
  type AdminStream,
  adminStreamsContract,
  authContract,
  packsContract,
  storeContract,
} from '@redpack/contract'
import { command } from '../src/adapters/http/command.ts'
import { idempotentAnswer } from '../src/adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../src/adapters/http/feature-context.ts'
import { type JsonText, jsonText } from '../src/shared/json-text.ts'

const stored = <Answer>(answer: Answer) => ({ body: jsonText(answer), replayed: false })
const purchase = { success: true, message: 'Purchase successful', updatedBalance: 1 } as const
const loss = { won: false, prizeId: null, prize: null, claimId: null, redCoinEarned: 5 }

const hash = 'a0'.repeat(32)
const proof = {
  ...{ requestId: 'r', chainId: 1, index: 0, commitment: hash, serverSeed: hash, entropy: hash },
  ...{ entropyFrom: 'player' as const, tableHash: hash, nextCommitment: hash },
}

/** Where money's answers are sent; never run. */
export function plantedFaults(): void {
  idempotentAnswer(storeContract.purchase, stored(purchase))
  const { updatedBalance, ...short } = purchase
  // @ts-expect-error a renamed field
  idempotentAnswer(storeContract.purchase, stored({ ...short, newBalance: updatedBalance }))
  // @ts-expect-error a missing field
  idempotentAnswer(storeContract.purchase, stored(short))
  // @ts-expect-error a field of another type
  idempotentAnswer(storeContract.purchase, stored({ ...short, updatedBalance: '1' }))
  // @ts-expect-error a field that the contract does not know
  idempotentAnswer(storeContract.purchase, stored({ ...purchase, email: 'ana@example.com' }))

  idempotentAnswer(packsContract.open, stored({ results: [loss], proof, updatedBalance: 1 }))
  const { redCoinEarned, ...rest } = loss
  const renamed = [{ ...rest, redCoinWon: redCoinEarned }]
  // @ts-expect-error a field renamed inside of a result
  idempotentAnswer(packsContract.open, stored({ results: renamed, proof, updatedBalance: 1 }))

  // @ts-expect-error text that nobody has typed
  const text: JsonText<{ id: string }> = '{}'
  void text
}

/** A command whose answer is `answer`; never run. */
const answering = <Answer>(answer: Answer) => ({
  order: () => undefined,
  run: async () => ({ answer }),
})

/** What commands answer; never run. */
export function plantedCommands(context: FeatureContext): void {
  command(context, storeContract.purchase, answering(purchase))
  const { updatedBalance, ...short } = purchase
  // @ts-expect-error a renamed field
  command(context, storeContract.purchase, answering({ ...short, newBalance: updatedBalance }))
  // @ts-expect-error a missing field
  command(context, storeContract.purchase, answering(short))
  // @ts-expect-error a field of another type
  command(context, storeContract.purchase, answering({ ...short, updatedBalance: '1' }))
  // @ts-expect-error a field that the contract does not know
  command(context, storeContract.purchase, answering({ ...purchase, email: 'ana@example.com' }))
  const bare = { ...({} as AdminStream), rewards: [{}] }
  // @ts-expect-error a field inside of a row
  command(context, adminStreamsContract.toggle, answering(bare))
  // @ts-expect-error an endpoint that does not know its caller
  command(context, authContract.logout, answering({ success: true as const, message: '' }))

  // The same of a command written in place, as routes do.
  command(context, storeContract.purchase, {
    order: ({ body }) => body.quantity,
    run: async (_tx, _by, quantity) => ({ answer: { ...purchase, updatedBalance: quantity } }),
  })
  command(context, storeContract.purchase, {
    order: ({ body }) => body.quantity,
    // @ts-expect-error a missing field
    run: async () => ({ answer: { success: true as const, message: '' } }),
  })
}
