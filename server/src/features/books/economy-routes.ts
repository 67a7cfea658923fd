// The tools of the economy over HTTP: everything here reads, nothing changes.

import { adminEconomyContract as contract } from '@redpack/contract'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { packsForStaff, previewForStaff } from './catalogue-views.ts'
import { flowForStaff } from './flow-views.ts'
import { simulationForStaff } from './simulation-views.ts'
import { stockForStaff } from './stock-views.ts'

export function registerEconomy({ app, deps, guards }: FeatureContext): void {
  serve(app, guards, contract.packs, () => packsForStaff(deps.db))
  serve(app, guards, contract.preview, ({ body }) => previewForStaff(deps.db, body))
  serve(app, guards, contract.stock, () => stockForStaff(deps.db, deps.clock.now()))
  serve(app, guards, contract.simulate, ({ body }) =>
    simulationForStaff(deps.db, deps.simulate, body),
  )
  serve(app, guards, contract.flow, ({ query }) =>
    flowForStaff(deps.db, query.days, deps.clock.now()),
  )
}
