// A whole opening at a glance: totals, every prize with its Claim ID, and what was skipped.

import type { OpeningResult } from '@redpack/contract'
import { type ReactNode, useId } from 'react'
import { Masked } from '../../ui/masked.tsx'
import { prizeName, totalsOf } from './outcome.ts'

interface OpeningSummaryProps {
  readonly title: string
  readonly packName: string
  readonly results: readonly OpeningResult[]
  /** Results that have been on screen; fewer than all means that some were skipped. */
  readonly seen: number
}

export function OpeningSummary({ title, packName, results, seen }: OpeningSummaryProps) {
  const titleId = useId()
  const { opened, prizesWon, redCoin, wins } = totalsOf(results)
  const skipped = results.length - seen
  return (
    <section className="opening-summary" aria-labelledby={titleId}>
      <h3 id={titleId}>{title}</h3>
      <dl className="summary-totals">
        <Total label={packName} value={`${opened.toLocaleString()} opened`} />
        <Total label="Prizes won" value={prizesWon.toLocaleString()} />
        <Total
          label="RedCoin earned"
          value={<Masked what="RedCoin earned">+{redCoin.toLocaleString()}</Masked>}
        />
      </dl>
      {skipped > 0 && (
        <p className="summary-skipped">
          {skipped === 1 ? '1 result was' : `${skipped} results were`} skipped and{' '}
          {skipped === 1 ? 'is' : 'are'} counted here.
        </p>
      )}
      {wins.length > 0 ? (
        <ul className="summary-wins">
          {wins.map((win, index) => (
            <SummaryWin key={win.claimId ?? index} win={win} />
          ))}
        </ul>
      ) : (
        <p className="summary-skipped">No prize this time.</p>
      )}
    </section>
  )
}

interface TotalProps {
  readonly label: string
  readonly value: ReactNode
}

function Total({ label, value }: TotalProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function SummaryWin({ win }: { readonly win: OpeningResult }) {
  return (
    <li>
      <span className="summary-prize">{prizeName(win)}</span>
      {win.redCoinEarned > 0 && (
        <span className="summary-amount">+{win.redCoinEarned.toLocaleString()} RedCoin</span>
      )}
      {win.claimId && (
        <Masked what="Claim ID">
          <code>{win.claimId}</code>
        </Masked>
      )}
    </li>
  )
}
