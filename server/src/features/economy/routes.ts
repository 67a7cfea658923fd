// The tools of the economy over HTTP: everything here reads, nothing changes.

import { adminEconomyContract as contract } from '@redpack/contract'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import type { RunSimulation } from '../../rules/simulation.ts'
import { packsForStaff, previewForStaff } from './catalogue-views.ts'
import { flowForStaff } from './flow-views.ts'
import { simulationForStaff } from './simulation-views.ts'
import { stockForStaff } from './stock-views.ts'

export function registerEconomy(
  { app, world, guards }: FeatureContext,
  simulate: RunSimulation,
): void {
  serve(app, guards, contract.packs, () => packsForStaff(world.db))
  serve(app, guards, contract.preview, ({ body }) => previewForStaff(world.db, body))
  serve(app, guards, contract.stock, () => stockForStaff(world.db, world.clock.now()))
  serve(app, guards, contract.simulate, ({ body }) => simulationForStaff(world.db, simulate, body))
  serve(app, guards, contract.flow, ({ query }) =>
    flowForStaff(world.db, query.days, world.clock.now()),
  )
}
