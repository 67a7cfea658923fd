// One change of the balance: why, when, by how much, and what it left.

import type { RedCoinEntry } from '@redpack/contract'
import { ShieldCheck } from 'lucide-react'
import { cn } from '../../lib/class-names.ts'
import { formatDateTime, formatNumber, formatSigned } from '../../lib/format.ts'
import { Button } from '../../ui/form/button.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import { entryWords, reasonOf } from './entry-words.ts'

export interface EntryRowProps {
  readonly entry: RedCoinEntry
  /** Shows the proof of the draw that paid. */
  readonly onProof: (openingId: number) => void
}

export function EntryRow({ entry, onProof }: EntryRowProps) {
  const { amount, balanceAfter, createdAt, openingId } = entry
  const { label, Icon } = entryWords[entry.type]
  const reason = reasonOf(entry)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3 py-3 sm:px-5">
      <span className="grid size-11 flex-none place-items-center rounded-control bg-raised max-[22.5rem]:hidden">
        <Icon aria-hidden="true" className="size-6 text-muted" />
      </span>
      <div className="min-w-0 flex-1 basis-44">
        <p className="font-semibold break-words">{reason}</p>
        <p className="text-sm text-muted">
          {reason === label ? '' : `${label} · `}
          <time dateTime={createdAt}>{formatDateTime(createdAt)}</time>
        </p>
      </div>
      {openingId !== null && (
        <Button tone="ghost" onClick={() => onProof(openingId)}>
          <ShieldCheck aria-hidden="true" />
          Proof<span className="sr-only"> of {reason}</span>
        </Button>
      )}
      <div className="ms-auto flex-none text-end">
        <p
          className={cn(
            'font-display text-lg font-semibold tabular-nums',
            amount > 0 ? 'text-success' : 'text-ink',
          )}
        >
          {formatSigned(amount)} <span className="text-sm text-muted">RedCoin</span>
        </p>
        <p className="text-sm text-muted tabular-nums">
          <Masked what="Balance">Balance {formatNumber(balanceAfter)}</Masked>
        </p>
      </div>
    </li>
  )
}
