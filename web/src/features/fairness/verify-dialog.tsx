// Fetches the proof of one opening and shows the report on it.

import type { FairOpening } from '@redpack/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { formatDateTime } from '../../lib/format.ts'
import { DataState } from '../../ui/data-state.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useProof } from './queries.ts'

const reportQuery = queryOptions({
  queryKey: ['verification-report'],
  queryFn: () => import('./verification-report.tsx'),
  staleTime: Number.POSITIVE_INFINITY,
})

type KnownOpening = Pick<FairOpening, 'id'> & Partial<Pick<FairOpening, 'createdAt'>>

export interface VerifyDialogProps {
  /** What is known of the opening; null keeps the dialog closed. */
  readonly opening: KnownOpening | null
  readonly onClose: () => void
}

export function VerifyDialog({ opening, onClose }: VerifyDialogProps) {
  return (
    <Dialog
      isOpen={opening !== null}
      onOpenChange={onClose}
      title="Verify this draw"
      description={opening && `${openedText(opening)}Checked in your browser.`}
      isWide
    >
      {opening && <ProofReport openingId={opening.id} />}
    </Dialog>
  )
}

function openedText({ createdAt }: KnownOpening): string {
  return createdAt === undefined ? '' : `Opened ${formatDateTime(createdAt)}. `
}

/** The proof, and the code that draws again, which a list of openings does not need. */
function ProofReport({ openingId }: { readonly openingId: number }) {
  const proof = useProof(openingId)
  const report = useQuery(reportQuery)
  return (
    <DataState query={proof} what="the proof" skeleton="h-72">
      {(saved) => (
        <DataState query={report} what="the check" skeleton="h-72">
          {({ VerificationReport }) => <VerificationReport saved={saved} />}
        </DataState>
      )}
    </DataState>
  )
}
