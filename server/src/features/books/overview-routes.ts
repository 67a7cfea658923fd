// The overview over HTTP: counters, the reset, the settings of the economy.

import { adminEconomyContract, adminOverviewContract as contract } from '@redpack/contract'
import { command, withAnswer } from '../../adapters/http/command.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { serverHealth } from '../../adapters/http/server-health.ts'
import type { BooksFigures } from '../../rules/server-figures.ts'
import { numberText } from '../../shared/number-text.ts'
import { booksAnswer, booksDetails, booksFigures } from './books-answers.ts'
import { staffCounters } from './counter-views.ts'
import { currentConsolation, saveConsolation } from './economy-settings.ts'
import { resetOpenings } from './reset-openings.ts'

/** Answers where the figures of the books are to be had. */
export function registerOverview(context: FeatureContext): {
  booksFigures(): Promise<BooksFigures>
} {
  const { app, deps, guards } = context
  serve(app, guards, contract.stats, async () => ({
    ...(await staffCounters(deps.db, deps.clock.now())),
    serverHealth: serverHealth(),
    books: await booksAnswer(deps),
  }))
  serve(app, guards, adminEconomyContract.books, () => booksDetails(deps))
  command(context, contract.resetOpenings, {
    order: () => undefined,
    run: async (tx, by) => {
      const done = await resetOpenings(tx, by)
      const message = `${numberText(done.answer)} openings were reset`
      return withAnswer(done, { success: true as const, message, deletedCount: done.answer })
    },
  })
  serve(app, guards, contract.economySettings, async () => ({
    consolationRedCoin: await currentConsolation(deps.db),
  }))
  command(context, contract.saveEconomySettings, {
    order: ({ body }) => body,
    run: saveConsolation,
  })
  return { booksFigures: () => booksFigures(deps) }
}
