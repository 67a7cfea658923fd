// A whole opening at a glance: totals, the best prizes with their Claim IDs, and what was skipped.

import type { OpeningResult } from '@redpack/contract'
import { type ReactNode, useId } from 'react'
import { cn } from '../../lib/class-names.ts'
import { Disclosure } from '../../ui/layout/section.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import { type Chances, prizeName, totalsOf, worstToBest } from './rarity.ts'

/** Prizes that show at once; the others unfold. */
export const bestShown = 5

interface OpeningSummaryProps {
  readonly title: string
  readonly packName: string
  readonly results: readonly OpeningResult[]
  /** Results that have been on screen; fewer than all means that some were skipped. */
  readonly seen: number
  /** Published chances, which order the prizes; without them their kind does. */
  readonly chances?: Chances
  /** A picture between the totals and the prizes. */
  readonly children?: ReactNode
}

const noChances: Chances = new Map()

export function OpeningSummary(props: OpeningSummaryProps) {
  const { title, packName, results, seen, chances = noChances, children } = props
  const titleId = useId()
  const { opened, prizesWon, redCoin, wins } = totalsOf(results)
  const bestFirst = worstToBest(wins, chances).toReversed()
  const skipped = results.length - seen
  return (
    <section
      className="opening-summary grid w-full min-w-0 grid-cols-1 content-start gap-2.5 rounded-card border border-line bg-surface p-4 text-start"
      aria-labelledby={titleId}
    >
      <h3 id={titleId} className="text-[1.125rem]">
        {title}
      </h3>
      <dl className="grid grid-cols-[repeat(3,auto)] justify-between gap-x-4 gap-y-1">
        <Total label={packName} value={`${opened.toLocaleString()} opened`} />
        <Total label="Prizes won" value={prizesWon.toLocaleString()} />
        <Total
          label="RedCoin earned"
          value={<Masked what="RedCoin earned">+{redCoin.toLocaleString()}</Masked>}
        />
      </dl>
      {children}
      {skipped > 0 && (
        <p className="text-muted">
          {skipped === 1 ? '1 result was' : `${skipped} results were`} skipped and{' '}
          {skipped === 1 ? 'is' : 'are'} counted here.
        </p>
      )}
      {wins.length === 0 && <p className="text-muted">No prize this time.</p>}
      {wins.length > 0 && (
        <Wins
          label="Best prizes"
          wins={bestFirst.slice(0, bestShown)}
          className="border-t border-line"
        />
      )}
      {wins.length > bestShown && (
        <Disclosure summary={`All ${wins.length} prizes`} className="summary-all">
          <Wins label="Other prizes" wins={bestFirst.slice(bestShown)} />
        </Disclosure>
      )}
    </section>
  )
}

function Total({ label, value }: { readonly label: string; readonly value: ReactNode }) {
  return (
    <div>
      <dt className="line-clamp-2 text-sm text-muted wrap-anywhere">{label}</dt>
      <dd className="font-display text-[clamp(1rem,0.8rem+1vw,1.25rem)] font-[650] tabular-nums">
        {value}
      </dd>
    </div>
  )
}

interface WinsProps {
  readonly label: string
  readonly wins: readonly OpeningResult[]
  readonly className?: string
}

function Wins({ label, wins, className }: WinsProps) {
  return (
    <ul className={cn('summary-wins grid grid-cols-1', className)} aria-label={label}>
      {wins.map((win, index) => (
        <SummaryWin key={win.claimId ?? index} win={win} />
      ))}
    </ul>
  )
}

function SummaryWin({ win }: { readonly win: OpeningResult }) {
  return (
    <li className="flex items-baseline gap-x-3 py-1.25 not-first:border-t not-first:border-line">
      <span className="min-w-0 flex-1 truncate font-semibold" title={prizeName(win)}>
        {prizeName(win)}
      </span>
      {win.redCoinEarned > 0 && (
        <span className="whitespace-nowrap text-secondary-text">
          +{win.redCoinEarned.toLocaleString()}
          <span className="max-sm:sr-only"> RedCoin</span>
        </span>
      )}
      {win.claimId && (
        <Masked what="Claim ID">
          <code className="text-sm whitespace-nowrap">{win.claimId}</code>
        </Masked>
      )}
    </li>
  )
}
