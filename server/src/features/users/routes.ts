// Profile and wallet over HTTP.

import { usersContract } from '@redpack/contract'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { updateProfile } from './update-profile.ts'
import { updateWallet } from './update-wallet.ts'
import { profileOf } from './views.ts'

export function registerUsers({ app, world, guards }: FeatureContext): void {
  serve(app, guards, usersContract.profile, ({ actor }) => profileOf(world.db, actor.userId))
  serve(app, guards, usersContract.updateProfile, async ({ actor, body }) => {
    await updateProfile(world, actor.userId, body)
    return profileOf(world.db, actor.userId)
  })
  serve(app, guards, usersContract.updateWallet, async ({ actor, body }) => {
    await updateWallet(world, actor.userId, body.walletAddress)
    return profileOf(world.db, actor.userId)
  })
}
