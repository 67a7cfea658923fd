// The caller's prize claims over HTTP.

import { claimsContract } from '@redpack/contract'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { claimsPage } from './views.ts'

export function registerClaims({ app, world, guards }: FeatureContext): void {
  serve(app, guards, claimsContract.list, ({ actor, query }) =>
    claimsPage(world.db, actor.userId, query),
  )
}
