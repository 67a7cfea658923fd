// The overview and the tools of the economy over HTTP.

import {
  adminEconomyContract as economy,
  adminOverviewContract as overview,
} from '@redpack/contract'
import { command, withAnswer } from '../../adapters/http/command.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { serverHealth } from '../../adapters/http/server-health.ts'
import type { BooksFigures } from '../../rules/server-figures.ts'
import { numberText } from '../../shared/number-text.ts'
import { booksAnswer, booksDetails, booksFigures } from './books-state.ts'
import { currentConsolation, resetOpenings, saveConsolation } from './economy-settings.ts'
import {
  packsForStaff,
  previewForStaff,
  simulationForStaff,
  stockForStaff,
} from './economy-views.ts'
import { flowForStaff, staffCounters } from './overview-views.ts'

/** Answers where the figures of the books are to be had. */
export function registerBooks(context: FeatureContext): {
  figures(): Promise<BooksFigures>
} {
  const { app, deps, guards } = context
  serve(app, guards, overview.stats, async () => ({
    ...(await staffCounters(deps.db, deps.clock.now())),
    serverHealth: serverHealth(),
    books: await booksAnswer(deps),
  }))
  command(context, overview.resetOpenings, {
    order: () => undefined,
    run: async (tx, by) => {
      const done = await resetOpenings(tx, by)
      const word = done.answer === 1 ? 'opening was' : 'openings were'
      const message = `${numberText(done.answer)} ${word} reset`
      return withAnswer(done, { success: true as const, message, deletedCount: done.answer })
    },
  })
  serve(app, guards, overview.economySettings, async () => ({
    consolationRedCoin: await currentConsolation(deps.db),
  }))
  command(context, overview.saveEconomySettings, {
    order: ({ body }) => body,
    run: saveConsolation,
  })

  serve(app, guards, economy.books, () => booksDetails(deps))
  serve(app, guards, economy.packs, () => packsForStaff(deps.db))
  serve(app, guards, economy.preview, ({ body }) => previewForStaff(deps.db, body))
  serve(app, guards, economy.stock, () => stockForStaff(deps.db, deps.clock.now()))
  serve(app, guards, economy.simulate, ({ body }) =>
    simulationForStaff(deps.db, deps.simulate, body),
  )
  serve(app, guards, economy.flow, ({ query }) =>
    flowForStaff(deps.db, query.days, deps.clock.now()),
  )
  return { figures: () => booksFigures(deps) }
}
