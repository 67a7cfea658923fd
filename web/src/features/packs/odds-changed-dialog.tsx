// Asks again when the odds are others than those the player has seen: nothing was opened.

import type { OddsResponse } from '@redpack/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { plural } from '../../lib/format.ts'
import { usePackTypes } from '../../lib/pack-types-query.ts'
import { DataState } from '../../ui/feedback/state.tsx'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import { type KnownOdds, type OddsChange, oddsChanges } from './odds-changes.ts'
import { loadOddsChange } from './queries.ts'

/** An order that was refused because of other odds. */
export interface RefusedOrder {
  readonly packTypeId: number
  readonly packName: string
  readonly quantity: number
  /** Hash of the odds that the player had seen; undefined when none were known. */
  readonly seenHash: string | undefined
}

export interface OddsChangedDialogProps {
  readonly order: RefusedOrder | null
  readonly onCancel: () => void
  /** The player agrees to these odds. */
  readonly onConfirm: (odds: OddsResponse) => void
}

export function OddsChangedDialog({ order, onCancel, onConfirm }: OddsChangedDialogProps) {
  const queryClient = useQueryClient()
  const query = useQuery({
    queryKey: ['odds-change', order],
    enabled: order !== null,
    queryFn: ({ signal }) =>
      order ? loadOddsChange(queryClient, order.packTypeId, order.seenHash, signal) : null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const { data } = query
  const packs = plural(order?.quantity ?? 0, 'pack', 'packs')
  return (
    <ConfirmDialog
      isOpen={order !== null}
      onOpenChange={onCancel}
      tone="primary"
      title={`The odds of ${order?.packName ?? ''} have changed`}
      description="Nothing was opened and nothing was spent. This is what changed since you saw them:"
      confirmLabel={`Open ${packs} with the new odds`}
      cancelLabel="Keep my packs"
      canConfirm={Boolean(data)}
      onConfirm={() => data && onConfirm(data.after)}
    >
      <DataState
        query={query}
        what="the new odds"
        title="The new odds could not be loaded"
        skeleton={['h-12', 'h-12']}
        className="grid gap-3"
        isBrief
      >
        {(change) => change && <Changes {...change} />}
      </DataState>
    </ConfirmDialog>
  )
}

interface ChangesProps {
  readonly before: KnownOdds | null
  readonly after: OddsResponse
}

function Changes({ before, after }: ChangesProps) {
  const { data: types } = usePackTypes()
  if (before === null) {
    return (
      <p>
        This browser no longer knows the earlier odds. Look at the new ones under “Odds” before you
        open.
      </p>
    )
  }
  const changes = oddsChanges(before, after, types)
  if (changes.length === 0) return <p>Chances and payments are the same as you saw them.</p>
  return (
    <ul className="divide-y divide-line border-y border-line">
      {changes.map((change) => (
        <li key={`${change.what} ${change.before} ${change.after}`} className="py-2">
          <ChangeRow change={change} />
        </li>
      ))}
    </ul>
  )
}

function ChangeRow({ change: { what, before, after } }: { readonly change: OddsChange }) {
  return (
    <>
      <p className="font-semibold break-words">
        {what}
        {before === '' && <span className="text-accent-text"> · new</span>}
        {after === '' && <span className="text-warning"> · no longer in this pack</span>}
      </p>
      <p className="flex flex-wrap items-center gap-x-2 text-muted">
        {before !== '' && (
          <span>
            <span className="sr-only">before: </span>
            {after === '' ? `was ${before}` : before}
          </span>
        )}
        {before !== '' && after !== '' && <ArrowRight className="size-4" />}
        {after !== '' && (
          <span className="text-ink">
            <span className="sr-only">now: </span>
            {after}
          </span>
        )}
      </p>
    </>
  )
}
