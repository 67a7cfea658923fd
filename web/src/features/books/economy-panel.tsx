// The Economy tab: whether the books agree, where RedCoin comes from and goes, what packs really
// hold, how long stock lasts, and a trial run.

import { PanelTitle } from '../../ui/layout/headings.tsx'
import { BooksTile } from './books-tile.tsx'
import { FlowCard } from './flow-card.tsx'
import { PackEconomies } from './pack-economies.tsx'
import { SimulationCard } from './simulation-card.tsx'
import { StockForecastCard } from './stock-forecast-card.tsx'

export function EconomyPanel() {
  return (
    <section aria-labelledby="economy-heading" className="grid grid-cols-1 gap-6">
      <PanelTitle id="economy-heading">Economy</PanelTitle>
      <BooksTile />
      <FlowCard />
      <PackEconomies />
      <StockForecastCard />
      <SimulationCard />
    </section>
  )
}
