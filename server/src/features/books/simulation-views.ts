// What packs would give: a simulation, beside what its numbers promise.

import type { SimulationResult } from '@redpack/contract'
import { thresholdsOf } from '@redpack/fair/draw'
import type { Queryable } from '../../adapters/db/database.ts'
import {
  oddsEntriesOf,
  packEconomies,
  prizesOfPack,
  wilsonRange,
  withDrafts,
} from '../../rules/pack-economy.ts'
import type { RunSimulation } from '../../rules/simulation.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { type DraftBody, draftsOf, readCatalogue } from './catalogue-views.ts'

export interface SimulationOrder extends DraftBody {
  readonly packTypeId: number
  readonly openings: number
}

/**
 * Opens packs as they are saved or as the drafts would have them. Nothing is written.
 * @throws DomainError not_found, wrong_state while another simulation runs; Unavailable after 20 s
 */
export async function simulationForStaff(
  db: Queryable,
  run: RunSimulation,
  order: SimulationOrder,
): Promise<SimulationResult> {
  const catalogue = withDrafts(await readCatalogue(db), draftsOf(order))
  const pack = packEconomies(catalogue).find(({ packTypeId }) => packTypeId === order.packTypeId)
  if (pack === undefined) throw new DomainError('not_found', 'Pack type not found')
  const prizes = prizesOfPack(catalogue.prizes, order.packTypeId)
  const { openings } = order
  const startedAt = performance.now()
  const counts = await run({
    thresholds: thresholdsOf(oddsEntriesOf(prizes)),
    stock: prizes.map(({ stock }) => stock),
    openings,
  })
  const durationMillis = Math.round(performance.now() - startedAt)
  const results = prizes.map((prize, index) => {
    const entry = counts.entries[index] ?? { wins: 0, soldOut: 0, soldOutAtOpening: null }
    const hits = entry.wins + entry.soldOut
    const chance = pack.entries[index]?.chance ?? 0
    return {
      prizeId: prize.prizeId,
      name: prize.name,
      chance,
      expectedWins: chance * openings,
      ...entry,
      observed: hits / openings,
      ...wilsonRange(hits, openings),
      redCoinPaid: whole(entry.wins * prize.redCoinAmount),
      packsGiven: prize.packTypeId === null ? 0 : whole(entry.wins * prize.packQuantity),
    }
  })
  const consolationPaid = whole(counts.losingPacks * pack.consolationRedCoin)
  const won = results.reduce((sum, { redCoinPaid }) => sum + redCoinPaid, 0)
  return {
    packTypeId: pack.packTypeId,
    packTypeName: pack.packTypeName,
    openings,
    prizes: results,
    losingPacks: counts.losingPacks,
    consolationPaid,
    redCoinPaid: whole(won + consolationPaid),
    packsGiven: whole(results.reduce((sum, { packsGiven }) => sum + packsGiven, 0)),
    storePrice: pack.storePrice,
    redCoinSpent: pack.storePrice === null ? null : whole(pack.storePrice * openings),
    durationMillis,
  }
}

/** Amounts beyond what numbers carry exactly stop there: a simulation pays nobody. */
function whole(amount: number): number {
  return Math.min(amount, Number.MAX_SAFE_INTEGER)
}
