// How long the stock of each limited prize lasts at the pace of the last week.

import type { StockForecast } from '@redpack/contract'
import { PackageCheck } from 'lucide-react'
import { formatDate, formatList, formatNumber } from '../../lib/format.ts'
import { Badge } from '../../ui/feedback/badge.tsx'
import { DataState } from '../../ui/feedback/data-state.tsx'
import { Empty } from '../../ui/feedback/empty.tsx'
import { Card, CardHeader } from '../../ui/layout/card.tsx'
import { daysText, decimalText } from './economy-numbers.ts'
import { useStockForecasts } from './economy-queries.ts'

/** Within this many days a run-out is marked. */
const soonDays = 7

export function StockForecastCard() {
  const forecasts = useStockForecasts()
  return (
    <Card>
      <CardHeader
        level={3}
        title="When stock runs out"
        description="Limited prizes, soonest first, at the pace of the last 7 days."
      />
      <DataState query={forecasts} what="the forecast" skeleton="h-48">
        {(data) =>
          data.length === 0 ? (
            <Empty
              picture={<PackageCheck aria-hidden="true" />}
              title="No limited prizes"
              description="Every prize has unlimited stock."
            />
          ) : (
            <ForecastTable forecasts={data} />
          )
        }
      </DataState>
    </Card>
  )
}

function ForecastTable({ forecasts }: { readonly forecasts: readonly StockForecast[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <section aria-label="When stock runs out" tabIndex={0} className="overflow-x-auto">
      <table className="w-full min-w-150 text-sm tabular-nums">
        <thead className="text-muted">
          <tr className="border-b border-line [&>th]:py-2 [&>th]:pe-4 [&>th]:text-start [&>th]:font-medium">
            <th scope="col">Prize</th>
            <th scope="col">Stock</th>
            <th scope="col">Wins per day</th>
            <th scope="col">Openings left</th>
            <th scope="col">Runs out</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line [&_td]:py-2 [&_td]:pe-4 [&_th]:py-2 [&_th]:pe-4">
          {forecasts.map((forecast) => (
            <tr key={forecast.prizeId}>
              <th scope="row" className="text-start font-medium">
                {forecast.name}
                <span className="block font-normal text-muted">
                  {formatList(forecast.packTypes.map(({ name }) => name)) || 'In no pack'}
                </span>
              </th>
              <td>{formatNumber(forecast.stock)}</td>
              <td>{decimalText(forecast.winsPerDay)}</td>
              <td>{forecast.openingsLeft === null ? '–' : formatNumber(forecast.openingsLeft)}</td>
              <td>
                <RunsOut forecast={forecast} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function RunsOut({ forecast }: { readonly forecast: StockForecast }) {
  const { stock, daysLeft, runsOutAt } = forecast
  if (stock === 0) return <Badge tone="danger">Sold out</Badge>
  if (daysLeft === null) return <span className="text-muted">Not at this pace</span>
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <Badge tone={daysLeft <= soonDays ? 'warning' : 'idle'}>In {daysText(daysLeft)}</Badge>
      {runsOutAt && <span className="text-muted">{formatDate(runsOutAt)}</span>}
    </span>
  )
}
