// What a trial run gave, beside what was to be expected.

import type { SimulationResult } from '@redpack/contract'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatNumber, formatRedCoin, plural } from '../../lib/format.ts'
import { decimalText, shareText } from './economy-numbers.ts'

export function SimulationReport({ result }: { readonly result: SimulationResult }) {
  const paid = result.redCoinPaid + result.consolationPaid
  return (
    <div className="mt-6 grid gap-4">
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Figure term={`Paid by ${plural(result.openings, 'pack', 'packs')}`}>
          {formatRedCoin(paid)}
        </Figure>
        <Figure term="Paid per pack">{decimalText(paid / result.openings)} RedCoin</Figure>
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

function Figure({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col-reverse rounded-control border border-line p-3">
      <dt className="text-sm text-muted">{term}</dt>
      <dd className="break-words font-display text-lg font-semibold tabular-nums">{children}</dd>
    </div>
  )
}

function PrizeTable({ result }: { readonly result: SimulationResult }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <section aria-label="Prizes of the simulation" tabIndex={0} className="overflow-x-auto">
      <table className="w-full min-w-160 text-sm tabular-nums">
        <thead className="text-muted">
          <tr className="border-b border-line [&>th]:py-2 [&>th]:pe-4 [&>th]:text-start [&>th]:font-medium">
            <th scope="col">Prize</th>
            <th scope="col">Chance</th>
            <th scope="col">Observed (99% range)</th>
            <th scope="col">Wins (expected)</th>
            <th scope="col">RedCoin paid</th>
            <th scope="col">Stock gone</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line [&_td]:py-2 [&_td]:pe-4 [&_th]:py-2 [&_th]:pe-4">
          {result.prizes.map((prize) => (
            <tr key={prize.prizeId}>
              <th scope="row" className="text-start font-medium">
                {prize.name}
              </th>
              <td>{shareText(prize.chance)}</td>
              <td>
                <Observed {...prize} />
              </td>
              <td>
                {formatNumber(prize.wins)} ({decimalText(prize.expectedWins)})
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
        </tbody>
      </table>
    </section>
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
