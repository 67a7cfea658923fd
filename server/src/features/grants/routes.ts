// Grants and removals over HTTP; those by file stand in batch-routes.ts.

import { adminGrantsContract as contract } from '@redpack/contract'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { onceAnswer } from '../../adapters/http/once-answer.ts'
import { staffCall } from '../../adapters/http/staff-call.ts'
import { distribute } from './distribute.ts'
import {
  packsAnswer,
  packsOfOneAnswer,
  redCoinAnswer,
  redCoinOfOneAnswer,
} from './grant-answers.ts'
import { takeFromAll } from './take-all.ts'

export function registerGrants({ app, world, guards }: FeatureContext): void {
  serve(app, guards, contract.distributePacks, async (call) => {
    const { packTypeId, recipients: target, quantity: amount, description } = call.body
    const order = { packTypeId, target, amount, description }
    return onceAnswer(
      contract.distributePacks,
      await distribute(world, staffCall(contract.distributePacks, call), order, packsAnswer),
    )
  })
  serve(app, guards, contract.distributeRedCoin, async (call) => {
    const { recipients: target, amount, description } = call.body
    const order = { packTypeId: undefined, target, amount, description }
    return onceAnswer(
      contract.distributeRedCoin,
      await distribute(world, staffCall(contract.distributeRedCoin, call), order, redCoinAnswer),
    )
  })
  serve(app, guards, contract.removeUserPacks, async (call) => {
    const { userId, packTypeId, quantity, description } = call.body
    const target = { kind: 'user', userId } as const
    const order = { packTypeId, target, amount: -quantity, description }
    return onceAnswer(
      contract.removeUserPacks,
      await distribute(world, staffCall(contract.removeUserPacks, call), order, packsOfOneAnswer),
    )
  })
  serve(app, guards, contract.removeUserRedCoin, async (call) => {
    const { userId, amount, description } = call.body
    const target = { kind: 'user', userId } as const
    const order = { packTypeId: undefined, target, amount: -amount, description }
    return onceAnswer(
      contract.removeUserRedCoin,
      await distribute(
        world,
        staffCall(contract.removeUserRedCoin, call),
        order,
        redCoinOfOneAnswer,
      ),
    )
  })
  serve(app, guards, contract.removeAllRedCoin, async (call) =>
    onceAnswer(
      contract.removeAllRedCoin,
      await takeFromAll(world, staffCall(contract.removeAllRedCoin, call), 'redcoin'),
    ),
  )
  serve(app, guards, contract.removeAllPacks, async (call) =>
    onceAnswer(
      contract.removeAllPacks,
      await takeFromAll(world, staffCall(contract.removeAllPacks, call), 'packs'),
    ),
  )
}
