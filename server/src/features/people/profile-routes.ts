// Profile and wallet over HTTP.

import { usersContract } from '@redpack/contract'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { profileOf } from './profile-views.ts'
import { updateProfile } from './update-profile.ts'
import { updateWallet } from './update-wallet.ts'

export function registerUsers({ app, deps, guards }: FeatureContext): void {
  serve(app, guards, usersContract.profile, ({ actor }) => profileOf(deps.db, actor.userId))
  serve(app, guards, usersContract.updateProfile, async ({ actor, body }) => {
    await updateProfile(deps, actor.userId, body)
    return profileOf(deps.db, actor.userId)
  })
  serve(app, guards, usersContract.updateWallet, async ({ actor, body }) => {
    await updateWallet(deps, actor.userId, body.walletAddress)
    return profileOf(deps.db, actor.userId)
  })
}
