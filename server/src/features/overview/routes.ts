// The overview over HTTP: counters, the reset, the settings of the economy.

import { adminEconomyContract, adminOverviewContract as contract } from '@redpack/contract'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { serverHealth } from '../../adapters/http/server-health.ts'
import type { BooksFigures } from '../../rules/server-figures.ts'
import { booksAnswer, booksDetails, booksFigures } from './books-answers.ts'
import { currentConsolation, saveConsolation } from './economy-settings.ts'
import { resetOpenings } from './reset-openings.ts'
import { staffCounters } from './views.ts'

const shown = new Intl.NumberFormat('en')

/** Answers where the figures of the books are to be had. */
export function registerOverview({ app, world, guards }: FeatureContext): {
  booksFigures(): Promise<BooksFigures>
} {
  serve(app, guards, contract.stats, async () => ({
    ...(await staffCounters(world.db, world.clock.now())),
    serverHealth: serverHealth(),
    books: await booksAnswer(world),
  }))
  serve(app, guards, adminEconomyContract.books, () => booksDetails(world))
  serve(app, guards, contract.resetOpenings, async ({ actor, request }) => {
    const deletedCount = await resetOpenings(world, actor.userId, request.id)
    const message = `${shown.format(deletedCount)} openings were reset`
    return { success: true as const, message, deletedCount }
  })
  serve(app, guards, contract.economySettings, async () => ({
    consolationRedCoin: await currentConsolation(world.db),
  }))
  serve(app, guards, contract.saveEconomySettings, async ({ actor, body, request }) => {
    await saveConsolation(world, actor.userId, request.id, body.consolationRedCoin)
    return { consolationRedCoin: body.consolationRedCoin }
  })
  return { booksFigures: () => booksFigures(world) }
}
