// The odds of a pack type in plain sentences, to be read before anything is spent.

import type { OddsEntry, OddsResponse } from '@redpack/contract'
import { useQueryClient } from '@tanstack/react-query'
import { Percent } from 'lucide-react'
import { useEffect, useState } from 'react'
import { formatRedCoin, plural } from '../../lib/format.ts'
import { Badge } from '../../ui/feedback/badge.tsx'
import { LoadError, Loading, Skeleton } from '../../ui/feedback/data-state.tsx'
import { Button } from '../../ui/form/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { emptyPackSentence, prizeSentence } from './odds-sentence.ts'
import { noteSeenOdds, useOdds, usePackTypes } from './queries.ts'

interface OddsButtonProps {
  readonly packTypeId: number
  readonly packName: string
  readonly className?: string
}

/** A button that shows the odds of one pack type. */
export function OddsButton({ packTypeId, packName, className }: OddsButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        tone="secondary"
        className={className}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Percent aria-hidden="true" />
        <span>
          Odds <span className="sr-only">of {packName}</span>
        </span>
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={setOpen}
        title={`Odds of ${packName}`}
        description="What one pack can hold right now. Every pack is drawn on its own."
      >
        {isOpen && <OddsSheet packTypeId={packTypeId} />}
      </Dialog>
    </>
  )
}

function OddsSheet({ packTypeId }: { readonly packTypeId: number }) {
  const { data, error, isFetching, refetch } = useOdds(packTypeId)
  const queryClient = useQueryClient()
  useEffect(() => {
    if (data) noteSeenOdds(queryClient, data)
  }, [queryClient, data])
  if (data) return <OddsList odds={data} />
  if (error) {
    return (
      <LoadError
        title="The odds could not be loaded"
        error={error}
        isRetrying={isFetching}
        onRetry={() => void refetch()}
      />
    )
  }
  return <OddsLoading />
}

/** Waiting is spoken of after this time, in milliseconds. */
const slowMs = 3000

function OddsLoading() {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), slowMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Loading label="Loading odds" className="grid gap-3">
      <Skeleton className="h-14" />
      <Skeleton className="h-14" />
      <Skeleton className="h-14" />
      <p role="status" className="min-h-6 text-muted">
        {isSlow && 'Still loading the odds. The server takes longer than usual.'}
      </p>
    </Loading>
  )
}

function OddsList({ odds }: { readonly odds: OddsResponse }) {
  return (
    <>
      {odds.entries.length === 0 ? (
        <p>There is no prize in this pack at the moment.</p>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {odds.entries.map((entry) => (
            <OddsRow key={entry.prizeId} entry={entry} />
          ))}
        </ul>
      )}
      <p className="mt-4">{emptyPackSentence(odds)}</p>
      {odds.scaled && (
        <p className="mt-2 text-muted">
          The shares of these prizes add up to more than one per pack, so they were scaled down. The
          chances above are the real ones.
        </p>
      )}
    </>
  )
}

function OddsRow({ entry }: { readonly entry: OddsEntry }) {
  const isPaying = entry.redCoinAmount > 0
  return (
    <li className="py-3">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
        <span className="min-w-0 break-words">{entry.name}</span>
        {isPaying && <Badge tone="secondary">{formatRedCoin(entry.redCoinAmount)}</Badge>}
        {entry.rewardPackQuantity > 0 && <PackReward entry={entry} />}
        {entry.soldOut && <Badge tone="warning">Sold out</Badge>}
        {entry.limited && !entry.soldOut && <Badge>Limited</Badge>}
      </p>
      <p className="text-muted">{prizeSentence(entry)}</p>
    </li>
  )
}

/** The packs that come with a prize. */
function PackReward({ entry }: { readonly entry: OddsEntry }) {
  const { data } = usePackTypes()
  const { rewardPackTypeId, rewardPackQuantity } = entry
  const name = data?.find(({ id }) => id === rewardPackTypeId)?.name ?? `type ${rewardPackTypeId}`
  return <Badge tone="accent">{`${plural(rewardPackQuantity, 'pack', 'packs')} of ${name}`}</Badge>
}
