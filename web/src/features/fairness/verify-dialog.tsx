// Fetches the proof of one opening and shows the report on it.

import type { FairOpening, OpeningProof } from '@redpack/contract'
import { useEffect, useRef, useState } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { askAgain, LoadError } from '../../ui/load-error.tsx'
import { partOnDemand, useFetchedOnPress, useOnDemand } from '../../ui/on-demand.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { useProof } from './queries.ts'

/** The code that draws again, which a list of openings does not need. */
const verificationReport = partOnDemand<{ readonly saved: OpeningProof }>(
  async () => (await import('./verification-report.tsx')).VerificationReport,
)

type KnownOpening = Pick<FairOpening, 'id'> & Partial<Pick<FairOpening, 'createdAt'>>

export interface VerifyDialogProps {
  /** What is known of the opening; null keeps the dialog closed. */
  readonly opening: KnownOpening | null
  readonly onClose: () => void
}

export function VerifyDialog({ opening, onClose }: VerifyDialogProps) {
  useFetchedOnPress(verificationReport)
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

function ProofReport({ openingId }: { readonly openingId: number }) {
  const proof = useProof(openingId)
  const { data, error } = proof
  if (data) return <Report proof={data} />
  if (error) {
    return <LoadError title="The proof could not be loaded" {...askAgain(proof)} />
  }
  return <ReportSkeleton />
}

function Report({ proof }: { readonly proof: OpeningProof }) {
  const { Component, ask } = useOnDemand(verificationReport)
  const [isMissing, setMissing] = useState(false)
  const fetchReport = () => {
    setMissing(false)
    ask(() => setMissing(true))
  }
  const first = useRef(fetchReport)
  useEffect(() => first.current(), [])
  if (Component) return <Component saved={proof} />
  if (!isMissing) return <ReportSkeleton />
  return (
    <LoadError
      title="The check could not be loaded"
      error="The code of the check has not arrived"
      onRetry={fetchReport}
    />
  )
}

function ReportSkeleton() {
  return (
    <Loading label="Loading the proof" className="grid gap-3">
      <Skeleton className="h-14" />
      <Skeleton className="h-14" />
      <Skeleton className="h-14" />
    </Loading>
  )
}
