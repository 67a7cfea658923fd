// What is left of earlier openings: unanswered requests, results nobody has seen, the last one.

import { Eye, RotateCw, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { plural } from '../../lib/format.ts'
import { Button } from '../../ui/form/button.tsx'
import { IconButton } from '../../ui/form/icon-button.tsx'
import { forgetOpening, type OpeningRecord } from './opening-records.ts'
import { OpeningSummary } from './opening-summary.tsx'

interface UnseenOfferProps {
  /** Openings that were not seen to the end, at least one. */
  readonly records: readonly OpeningRecord[]
  /** Names of their packs, each once. */
  readonly packNames: readonly string[]
  readonly onResume: () => void
}

/** Results whose modal was never finished, for example because the tab was closed: one notice. */
export function UnseenOffer({ records, packNames, onResume }: UnseenOfferProps) {
  const count = records.reduce(
    (sum, { answer, seen }) => sum + (answer?.results.length ?? 0) - seen,
    0,
  )
  return (
    <Offer
      text={`You have ${plural(count, 'result', 'results')} you have not seen yet`}
      detail={packNames.join(', ')}
      onDismiss={() => {
        for (const { key } of records) forgetOpening(key)
      }}
      dismissLabel="Dismiss unseen results"
    >
      <Button onClick={onResume}>
        <Eye aria-hidden="true" />
        Show results
      </Button>
    </Offer>
  )
}

interface UnansweredOfferProps {
  readonly record: OpeningRecord
  readonly packName: string
  readonly onAskAgain: () => void
}

/** A request whose answer never arrived. Asking again under the same key opens nothing twice. */
export function UnansweredOffer({ record, packName, onAskAgain }: UnansweredOfferProps) {
  return (
    <Offer
      text={`No answer came for your opening of ${plural(record.order.quantity, 'pack', 'packs')}`}
      detail={`${packName}. Ask again for its results: the same opening is never done twice.`}
      onDismiss={() => forgetOpening(record.key)}
      dismissLabel="Dismiss unanswered opening"
    >
      <Button onClick={onAskAgain}>
        <RotateCw aria-hidden="true" />
        Ask again
      </Button>
    </Offer>
  )
}

interface OfferProps {
  readonly text: string
  readonly detail: string
  readonly dismissLabel: string
  readonly onDismiss: () => void
  readonly children: ReactNode
}

function Offer({ text, detail, dismissLabel, onDismiss, children }: OfferProps) {
  return (
    <section className="card on-card flex flex-wrap items-center gap-3 border-accent-graphic p-4">
      <div className="min-w-0 flex-[1_1_14rem]">
        <p className="font-display text-lg font-semibold">{text}</p>
        <p className="text-muted break-words">{detail}</p>
      </div>
      <div className="flex gap-2">
        {children}
        <IconButton label={dismissLabel} onClick={onDismiss}>
          <X aria-hidden="true" />
        </IconButton>
      </div>
    </section>
  )
}

interface LastOpeningProps {
  readonly record: OpeningRecord
  readonly packName: string
}

/** The summary of the last opening, until it is dismissed or the next one takes its place. */
export function LastOpening({ record, packName }: LastOpeningProps) {
  if (!record.answer) return null
  return (
    <div className="on-card relative">
      <OpeningSummary
        title="Last opening"
        packName={packName}
        results={record.answer.results}
        seen={record.seen}
      />
      <IconButton
        label="Dismiss last opening"
        className="absolute end-2 top-2"
        onClick={() => forgetOpening(record.key)}
      >
        <X aria-hidden="true" />
      </IconButton>
    </div>
  )
}
