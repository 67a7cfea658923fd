// The Economy tab: whether the books agree, where RedCoin comes from and goes, what packs really
// hold, how long stock lasts, and a trial run.

import {
  adminEconomyContract,
  type BooksState,
  type PackEconomy,
  type SimulationResult,
  type StockForecast,
  simulationOpeningsMax,
  simulationRange,
} from '@redpack/contract'
import { useQuery } from '@tanstack/react-query'
import {
  BookCheck,
  BookX,
  Boxes,
  CircleCheck,
  CircleX,
  FlaskConical,
  Hourglass,
  PackageCheck,
  TriangleAlert,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { messageOf } from '../../lib/api-error.ts'
import {
  formatDate,
  formatDecimal,
  formatList,
  formatNumber,
  formatRedCoin,
  plural,
} from '../../lib/format.ts'
import { useCall } from '../../lib/use-call.ts'
import { announce } from '../../ui/feedback/live-region.tsx'
import { Badge, DataState, Empty, Notice } from '../../ui/feedback/state.tsx'
import { Button } from '../../ui/form/button.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { Form } from '../../ui/form/text-field.tsx'
import { Card, CardHeader, Disclosure, Figure, PanelHeader } from '../../ui/layout/section.tsx'
import { Moment } from '../../ui/media/moment.tsx'
import { PlainTable } from '../../ui/table/plain-table.tsx'
import { PackTypeSelect } from '../catalogue/shared/pack-type-select.tsx'
import { booksQuery, packEconomiesQuery, stockForecastsQuery } from './economy-queries.ts'
import { FlowCard, ShareBar } from './flow-card.tsx'

function PackEconomies() {
  const packs = useQuery(packEconomiesQuery)
  return (
    <Card>
      <CardHeader
        level={3}
        title="Packs"
        description="What one pack pays on average, consolation included."
      />
      <DataState query={packs} what="the packs" skeleton="h-80">
        {(data) =>
          data.length === 0 ? (
            <Empty picture={<Boxes />} title="No pack types found" />
          ) : (
            <ul className="grid list-none grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] gap-4 p-0">
              {data.map((pack) => (
                <li key={pack.packTypeId}>
                  <PackFigures pack={pack} />
                </li>
              ))}
            </ul>
          )
        }
      </DataState>
    </Card>
  )
}

function PackFigures({ pack }: { readonly pack: PackEconomy }) {
  const { packTypeId, packTypeName, entries, noPrizeChance, warnings, storePrice } = pack
  const titleId = `pack-economy-${packTypeId}`
  return (
    <article
      aria-labelledby={titleId}
      className="flex h-full flex-col gap-3 rounded-card border border-line p-4"
    >
      <h4 id={titleId} className="wrap-anywhere font-display text-lg font-semibold">
        {packTypeName}
      </h4>
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 text-sm tabular-nums">
        <dt className="text-muted">Pays on average</dt>
        <dd className="text-end">{formatDecimal(pack.expectedRedCoin)} RedCoin</dd>
        <dt className="text-muted">Including packs won</dt>
        <dd className="text-end">
          {pack.expectedRedCoinWithPacks === null
            ? 'No limit'
            : `${formatDecimal(pack.expectedRedCoinWithPacks)} RedCoin`}
        </dd>
        <dt className="text-muted">Store price</dt>
        <dd className="text-end">{storePrice === null ? 'Not sold' : formatRedCoin(storePrice)}</dd>
      </dl>
      {warnings.map(({ code, message }) => (
        <Notice key={code} tone="warning">
          {message}
        </Notice>
      ))}
      <ul aria-label={`Chances of ${packTypeName}`} className="grid grid-cols-1 gap-2 text-sm">
        {entries.map((entry) => (
          <Chance key={entry.prizeId} name={entry.name} chance={entry.chance}>
            {entry.stock === 0 && <Badge tone="danger">Sold out</Badge>}
          </Chance>
        ))}
        <Chance
          name={`No prize (pays ${formatNumber(pack.consolationRedCoin)} RedCoin)`}
          chance={noPrizeChance}
          isQuiet
        />
      </ul>
    </article>
  )
}

interface ChanceProps {
  readonly name: string
  readonly chance: number
  readonly isQuiet?: boolean
  readonly children?: ReactNode
}

function Chance({ name, chance, isQuiet = false, children }: ChanceProps) {
  return (
    <li>
      <div className="flex flex-wrap justify-between gap-x-3">
        <span className={isQuiet ? 'min-w-0 wrap-anywhere text-muted' : 'min-w-0 wrap-anywhere'}>
          {name} {children}
        </span>
        <span className="tabular-nums">{shareText(chance)}</span>
      </div>
      <ShareBar
        share={chance}
        className="mt-1 h-1.5 w-full"
        fill={isQuiet ? 'fill-control' : 'fill-accent-graphic'}
      />
    </li>
  )
}

/** A share in percent: 0.1234 reads '12.34%'; what is there but too small reads '<0.01%'. */
export function shareText(share: number): string {
  if (share > 0 && share < 0.000_05) return '<0.01%'
  return `${(share * 100).toFixed(2)}%`
}

/** '12 days', '5 hours', 'less than an hour'. */
export function daysText(days: number): string {
  if (days >= 1) return plural(Math.round(days), 'day', 'days')
  const hours = Math.floor(days * 24)
  return hours < 1 ? 'less than an hour' : plural(hours, 'hour', 'hours')
}

export function EconomyPanel() {
  return (
    <section aria-labelledby="economy-heading" className="grid grid-cols-1 gap-6">
      <PanelHeader id="economy-heading" title="Economy" />
      <BooksTile />
      <FlowCard />
      <PackEconomies />
      <StockForecastCard />
      <SimulationCard />
    </section>
  )
}

function BooksTile() {
  const books = useQuery(booksQuery)
  return (
    <Card>
      <DataState query={books} what="the books" skeleton="h-16">
        {(state) => <Books state={state} />}
      </DataState>
    </Card>
  )
}

function Books({ state }: { readonly state: BooksState }) {
  const { drift, checkedAt, invariants } = state
  const looks =
    drift === null
      ? { Icon: Hourglass, tone: 'text-muted', text: 'The books have not been checked yet' }
      : drift === 0
        ? { Icon: BookCheck, tone: 'text-success', text: 'The books are OK' }
        : {
            Icon: BookX,
            tone: 'text-danger',
            text: `${plural(drift, 'check', 'checks')} failed`,
          }
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <looks.Icon className={`size-8 flex-none ${looks.tone}`} />
        <h3 className="text-xl">{looks.text}</h3>
        {checkedAt && (
          <p className="text-sm text-muted sm:ms-auto">
            Checked <Moment at={checkedAt} />
          </p>
        )}
      </div>
      {invariants.length > 0 && (
        <Disclosure summary={plural(invariants.length, 'check', 'checks')}>
          <ul className="grid gap-1 text-sm">
            {invariants.map(({ id, title, brokenRows, failure }) => (
              <li key={id} className="flex gap-2">
                {brokenRows === 0 ? (
                  <CircleCheck aria-label="OK" className="mt-0.5 size-4 flex-none text-success" />
                ) : (
                  <CircleX aria-label="Broken" className="mt-0.5 size-4 flex-none text-danger" />
                )}
                <span className="min-w-0 break-words">
                  {title}
                  {brokenRows > 0 && ` (${plural(brokenRows, 'row', 'rows')})`}
                  {failure !== null && `. Could not be checked: ${failure}`}
                </span>
              </li>
            ))}
          </ul>
        </Disclosure>
      )}
    </>
  )
}

/** Within this many days a run-out is marked. */
const soonDays = 7

function StockForecastCard() {
  const forecasts = useQuery(stockForecastsQuery)
  return (
    <Card>
      <CardHeader
        level={3}
        title="When stock runs out"
        description="Limited prizes at the pace of the last 7 days, soonest first."
      />
      <DataState query={forecasts} what="the forecast" skeleton="h-48">
        {(data) =>
          data.length === 0 ? (
            <Empty
              picture={<PackageCheck />}
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
    <PlainTable
      label="When stock runs out"
      heads={['Prize', 'Runs out', 'Stock', 'Wins per day', 'Openings left']}
      className="min-w-150 tabular-nums"
    >
      {forecasts.map((forecast) => (
        <tr key={forecast.prizeId}>
          <th scope="row" className="font-medium">
            {forecast.name}
            <span className="block font-normal text-muted">
              {formatList(forecast.packTypes.map(({ name }) => name)) || 'In no pack'}
            </span>
          </th>
          <td className="min-w-32">
            <RunsOut forecast={forecast} />
          </td>
          <td>{formatNumber(forecast.stock)}</td>
          <td>{formatDecimal(forecast.winsPerDay)}</td>
          <td>{forecast.openingsLeft === null ? '–' : formatNumber(forecast.openingsLeft)}</td>
        </tr>
      ))}
    </PlainTable>
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

// A trial run: packs that nobody has are opened, to see what they would give.
const openingsDefault = 10_000

function SimulationCard() {
  const [packTypeId, setPackTypeId] = useState('')
  const [openings, setOpenings] = useState<number | null>(openingsDefault)
  const [issue, setIssue] = useState<string>()
  const simulation = useCall(adminEconomyContract.simulate)
  const isInRange = openings !== null && openings >= 1 && openings <= simulationOpeningsMax
  const run = () => {
    setIssue(packTypeId === '' ? 'Please select a pack type' : undefined)
    if (packTypeId === '' || !isInRange || simulation.isPending) return
    simulation.mutate(
      { body: { packTypeId: Number(packTypeId), openings: Math.trunc(openings) } },
      {
        onSuccess: (result) =>
          announce(`${formatNumber(result.openings)} openings of ${result.packTypeName} simulated`),
      },
    )
  }
  return (
    <Card>
      <CardHeader
        level={3}
        title="Simulation"
        description="A trial run with today’s odds and stock. Nobody’s balance changes."
      />
      <Form
        noValidate
        onSubmit={run}
        aria-label="Simulation"
        className="grid grid-cols-1 items-start gap-4 sm:grid-cols-[1fr_1fr_auto]"
      >
        <PackTypeSelect
          value={packTypeId}
          onChange={(event) => {
            setIssue(undefined)
            setPackTypeId(event.target.value)
          }}
          error={issue}
        />
        <NumberField
          label="Openings"
          unit="openings"
          min={1}
          max={simulationOpeningsMax}
          step={1000}
          value={openings}
          onChange={setOpenings}
          error={isInRange ? undefined : simulationRange}
        />
        <Button
          icon={FlaskConical}
          pendingLabel="Simulating..."
          type="submit"
          isPending={simulation.isPending}
          className="sm:mt-7.5"
        >
          Simulate
        </Button>
      </Form>
      {simulation.error && (
        <Notice tone="danger" role="alert" className="mt-4">
          {messageOf(simulation.error, 'The simulation failed.')}
        </Notice>
      )}
      {simulation.data && <SimulationReport result={simulation.data} />}
    </Card>
  )
}

function SimulationReport({ result }: { readonly result: SimulationResult }) {
  const paid = result.redCoinPaid
  return (
    <div className="mt-6 grid gap-4">
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Figure term={`Paid by ${plural(result.openings, 'pack', 'packs')}`}>
          {formatRedCoin(paid)}
        </Figure>
        <Figure term="Paid per pack">{formatDecimal(paid / result.openings)} RedCoin</Figure>
        <Figure term="Spent in the store">
          {result.redCoinSpent === null ? 'Not sold' : formatRedCoin(result.redCoinSpent)}
        </Figure>
        <Figure term="Losing packs">
          {formatNumber(result.losingPacks)} ({shareText(result.losingPacks / result.openings)})
        </Figure>
      </dl>
      <PrizeTable result={result} />
      <p className="text-sm text-muted">
        {plural(result.openings, 'opening', 'openings')} of {result.packTypeName} in{' '}
        {formatNumber(result.durationMillis)} ms
        {result.packsGiven > 0 &&
          `; ${plural(result.packsGiven, 'pack', 'packs')} came with prizes`}
        . One range in a hundred misses its chance by luck alone.
      </p>
    </div>
  )
}

function PrizeTable({ result }: { readonly result: SimulationResult }) {
  return (
    <PlainTable
      label="Prizes of the simulation"
      heads={[
        'Prize',
        'Chance',
        'Observed (99% range)',
        'Wins (expected)',
        'RedCoin paid',
        'Stock gone',
      ]}
      className="min-w-160 tabular-nums"
    >
      {result.prizes.map((prize) => (
        <tr key={prize.prizeId}>
          <th scope="row" className="font-medium">
            {prize.name}
          </th>
          <td>{shareText(prize.chance)}</td>
          <td>
            <Observed {...prize} />
          </td>
          <td>
            {formatNumber(prize.wins)} ({formatDecimal(prize.expectedWins)})
          </td>
          <td>{formatNumber(prize.redCoinPaid)}</td>
          <td>
            {prize.soldOutAtOpening === null
              ? '–'
              : `At opening ${formatNumber(prize.soldOutAtOpening)}`}
            {prize.soldOut > 0 && (
              <span className="block text-muted">
                {formatNumber(prize.soldOut)} found it sold out
              </span>
            )}
          </td>
        </tr>
      ))}
    </PlainTable>
  )
}

type ObservedProps = Pick<
  SimulationResult['prizes'][number],
  'chance' | 'observed' | 'low' | 'high'
>

function Observed({ chance, observed, low, high }: ObservedProps) {
  const isInside = chance >= low && chance <= high
  return (
    <span className="inline-flex items-center gap-1.5">
      {isInside ? (
        <CircleCheck aria-label="As expected" className="size-4 flex-none text-success" />
      ) : (
        <TriangleAlert aria-label="Outside the range" className="size-4 flex-none text-warning" />
      )}
      {shareText(observed)}
      <span className="text-muted">
        ({shareText(low)} – {shareText(high)})
      </span>
    </span>
  )
}
