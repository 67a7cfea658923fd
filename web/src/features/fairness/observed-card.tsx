// Per pack type: what was published about each prize, and what was drawn.

import type { ObservedPrize, ObservedResponse } from '@redpack/contract'
import { CircleCheck, Scale, TriangleAlert } from 'lucide-react'
import { formatNumber, plural } from '../../lib/format.ts'
import { Badge, DataState, Empty } from '../../ui/feedback/state.tsx'
import { Card, CardHeader, Disclosure } from '../../ui/layout/section.tsx'
import { useObserved } from './queries.ts'

const percentFormat = new Intl.NumberFormat(undefined, {
  style: 'percent',
  maximumSignificantDigits: 3,
})

const chanceText = (chance: number) => percentFormat.format(chance)

function observedText(prize: ObservedPrize): string {
  const { draws, soldOutDraws } = prize
  if (draws === 0) return 'no draws yet'
  // Draws that found it sold out landed on it all the same, and speak for its chance.
  const hits = prize.observedWins + soldOutDraws
  const share = `${chanceText(hits / draws)}, ${formatNumber(hits)} of ${formatNumber(draws)} packs`
  return soldOutDraws === 0 ? share : `${share} (${formatNumber(soldOutDraws)} while sold out)`
}

function rangeText({ low, high }: ObservedPrize): string {
  // One miss rules certainty out, which rounding must not bring back.
  const isRoundedUp = high < 1 && chanceText(high) === chanceText(1)
  return `${chanceText(low)} to ${isRoundedUp ? 'below ' : ''}${chanceText(high)}`
}

export function ObservedCard() {
  return (
    <Card>
      <CardHeader
        title="Published and observed"
        icon={Scale}
        iconClassName="size-6 text-accent-text"
        description="Each prize's published chance next to the results of all draws so far."
      />
      <DataState query={useObserved()} what="the comparison" skeleton="h-24">
        {({ packTypes }) =>
          packTypes.length === 0 ? (
            <Empty title="Nothing drawn yet" description="The first opening begins the count." />
          ) : (
            <>
              {packTypes.map((packType) => (
                <PackTypeDraws key={packType.packTypeId} packType={packType} />
              ))}
              <p className="mt-4 text-sm text-muted">
                The range holds the chances that still fit the draws so far, and narrows with every
                draw. A prize is marked when its published chance is outside. However often you
                look, a fair site has at most 1 chance in 100 of ever showing a mark.
              </p>
            </>
          )
        }
      </DataState>
    </Card>
  )
}

type PackType = ObservedResponse['packTypes'][number]

function PackTypeDraws({ packType: { name, draws, prizes } }: { readonly packType: PackType }) {
  const outside = prizes.filter(({ isOutside }) => isOutside).length
  return (
    <Disclosure
      className="border-t border-line"
      summary={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ink">
          <span className="font-semibold">{name}</span>
          <span className="text-sm text-muted">{plural(draws, 'pack drawn', 'packs drawn')}</span>
          {outside > 0 && <OutsideBadge text={`${outside} outside`} />}
        </span>
      }
    >
      <ul className="list-none divide-y divide-line p-0 pb-2">
        {prizes.map((prize) => (
          <PrizeDraws key={prize.prizeId} prize={prize} />
        ))}
      </ul>
    </Disclosure>
  )
}

const OutsideBadge = ({ text }: { readonly text: string }) => (
  <Badge tone="warning" icon={<TriangleAlert />}>
    {text}
  </Badge>
)

function PrizeDraws({ prize }: { readonly prize: ObservedPrize }) {
  const figures = {
    Published: chanceText(prize.publishedChance),
    Observed: observedText(prize),
    Range: prize.draws === 0 ? '–' : rangeText(prize),
  }
  return (
    <li className="py-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="min-w-0 font-medium break-words">{prize.name}</p>
        {prize.isOutside ? (
          <OutsideBadge text="Outside the range" />
        ) : (
          <Badge tone="success" icon={<CircleCheck />}>
            As published
          </Badge>
        )}
      </div>
      <dl className="mt-2 grid gap-x-6 gap-y-1 text-sm sm:grid-cols-3">
        {Object.entries(figures).map(([name, figure]) => (
          <div key={name} className="flex gap-2 sm:block">
            <dt className="w-20 flex-none text-muted">{name}</dt>
            <dd className="tabular-nums">{figure}</dd>
          </div>
        ))}
      </dl>
    </li>
  )
}
