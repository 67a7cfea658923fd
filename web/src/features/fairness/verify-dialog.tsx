// Fetches the proof of one opening and shows the report on it.

import type { FairOpening } from '@redpack/contract'
import { formatDateTime } from '../../lib/format.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { useProof } from './queries.ts'
import { VerificationReport } from './verification-report.tsx'

type KnownOpening = Pick<FairOpening, 'id'> & Partial<Pick<FairOpening, 'createdAt' | 'nonce'>>

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
      description={opening && `${openedText(opening)}Computed in your browser.`}
      isWide
    >
      {opening && <ProofReport openingId={opening.id} />}
    </Dialog>
  )
}

function openedText({ createdAt, nonce }: KnownOpening): string {
  if (createdAt === undefined || nonce === undefined) return ''
  return `Opened ${formatDateTime(createdAt)}, nonce ${nonce}. `
}

function ProofReport({ openingId }: { readonly openingId: number }) {
  const { data, isFetching, error, refetch } = useProof(openingId)
  if (data) return <VerificationReport proof={data} />
  if (error) {
    return (
      <LoadError
        title="The proof could not be loaded"
        error={error}
        onRetry={() => void refetch()}
        isRetrying={isFetching}
      />
    )
  }
  return (
    <Loading label="Loading the proof" className="grid gap-3">
      <Skeleton className="h-14" />
      <Skeleton className="h-14" />
      <Skeleton className="h-14" />
    </Loading>
  )
}
