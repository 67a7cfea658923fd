// What each pack really holds: chances after scaling, what it pays, and what is odd about it.

import type { PackEconomy } from '@redpack/contract'
import { Boxes } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatNumber, formatRedCoin } from '../../lib/format.ts'
import { Badge } from '../../ui/feedback/badge.tsx'
import { DataState } from '../../ui/feedback/data-state.tsx'
import { Empty } from '../../ui/feedback/empty.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Card, CardHeader } from '../../ui/layout/card.tsx'
import { usePackEconomies } from './economy-queries.ts'
import { ShareBar } from './flow-card.tsx'

export function PackEconomies() {
  const packs = usePackEconomies()
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
            <Empty picture={<Boxes aria-hidden="true" />} title="No pack types found" />
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
        <dd className="text-end">{decimalText(pack.expectedRedCoin)} RedCoin</dd>
        <dt className="text-muted">Including packs won</dt>
        <dd className="text-end">
          {pack.expectedRedCoinWithPacks === null
            ? 'Without end'
            : `${decimalText(pack.expectedRedCoinWithPacks)} RedCoin`}
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
        className="h-1.5"
        fill={isQuiet ? 'fill-control' : 'fill-accent-graphic'}
      />
    </li>
  )
}

const decimalFormat = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 })

/** A share in percent: 0.1234 reads '12.34%'; what is there but too small reads '<0.01%'. */
export function shareText(share: number): string {
  if (share > 0 && share < 0.000_05) return '<0.01%'
  return `${(share * 100).toFixed(2)}%`
}

/** At most two decimals. */
export function decimalText(value: number): string {
  return decimalFormat.format(value)
}

/** '12 days', '5 hours', 'less than an hour'. */
export function daysText(days: number): string {
  if (days >= 1) {
    const whole = Math.round(days)
    return `${decimalFormat.format(whole)} ${whole === 1 ? 'day' : 'days'}`
  }
  const hours = Math.floor(days * 24)
  if (hours < 1) return 'less than an hour'
  return `${hours} ${hours === 1 ? 'hour' : 'hours'}`
}
