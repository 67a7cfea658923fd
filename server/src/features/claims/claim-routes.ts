// The caller's prize claims over HTTP.

import { claimsContract } from '@redpack/contract'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { claimsPage } from './claim-views.ts'

export function registerClaims({ app, deps, guards }: FeatureContext): void {
  serve(app, guards, claimsContract.list, ({ actor, query }) =>
    claimsPage(deps.db, actor.userId, query),
  )
}
