// Grants and removals over HTTP; those by file stand in batch-routes.ts.

import { adminGrantsContract as contract } from '@redpack/contract'
import { command } from '../../adapters/http/command.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { distribute } from './distribute.ts'
import {
  packsAnswer,
  packsOfOneAnswer,
  redCoinAnswer,
  redCoinOfOneAnswer,
} from './grant-answers.ts'
import { takeFromAll } from './take-all.ts'

export function registerGrants(context: FeatureContext): void {
  const { random } = context.deps
  command(context, contract.distributePacks, {
    order: ({ body: { packTypeId, recipients: target, quantity: amount, description } }) => {
      return { packTypeId, target, amount, description }
    },
    run: (tx, by, order) => distribute(tx, by, order, random.uuidInOrder(), packsAnswer),
  })
  command(context, contract.distributeRedCoin, {
    order: ({ body: { recipients: target, amount, description } }) => {
      return { packTypeId: undefined, target, amount, description }
    },
    run: (tx, by, order) => distribute(tx, by, order, random.uuidInOrder(), redCoinAnswer),
  })
  command(context, contract.removeUserPacks, {
    order: ({ body: { userId, packTypeId, quantity, description } }) => {
      const target = { kind: 'user', userId } as const
      return { packTypeId, target, amount: -quantity, description }
    },
    run: (tx, by, order) => distribute(tx, by, order, random.uuidInOrder(), packsOfOneAnswer),
  })
  command(context, contract.removeUserRedCoin, {
    order: ({ body: { userId, amount, description } }) => {
      const target = { kind: 'user', userId } as const
      return { packTypeId: undefined, target, amount: -amount, description }
    },
    run: (tx, by, order) => distribute(tx, by, order, random.uuidInOrder(), redCoinOfOneAnswer),
  })
  command(context, contract.removeAllRedCoin, {
    order: () => 'redcoin' as const,
    run: (tx, by, what) => takeFromAll(tx, by, what, random.uuidInOrder()),
  })
  command(context, contract.removeAllPacks, {
    order: () => 'packs' as const,
    run: (tx, by, what) => takeFromAll(tx, by, what, random.uuidInOrder()),
  })
}
