// The player's own openings, newest first, and the dialog that verifies one.

import type { FairOpening } from '@redpack/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { PackageOpen, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { formatDateTime, formatRedCoin } from '../../lib/format.ts'
import { usePackTypes } from '../../lib/pack-types-query.ts'
import { Badge, DataState, Empty } from '../../ui/feedback/state.tsx'
import { Button, LinkButton } from '../../ui/form/button.tsx'
import { Card, RefreshingDot } from '../../ui/layout/section.tsx'
import { Moment } from '../../ui/media/moment.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Pagination, useLastPage, usePageTurning } from '../../ui/table/pagination.tsx'
import { useCheckedOpenings, useFairOpenings, useProof } from './queries.ts'

export interface OpeningsListProps {
  readonly page: number
  /** `isCorrection` says that the page never existed, so that it leaves no trace in the history. */
  readonly onPageChange: (page: number, isCorrection?: boolean) => void
}

export function OpeningsList({ page, onPageChange }: OpeningsListProps) {
  const openings = useFairOpenings(page)
  const { data, isPlaceholderData, isFetching } = openings
  const [verified, setVerified] = useState<FairOpening | null>(null)
  const shown = isPlaceholderData ? undefined : data?.pagination
  const { heading, turnTo } = usePageTurning(
    shown && `Page ${shown.page} of your openings`,
    onPageChange,
  )
  useLastPage(page, shown ? Math.max(1, shown.totalPages) : 0, (last) => onPageChange(last, true))
  return (
    <Card>
      <div className="mb-4">
        <h2
          ref={heading}
          tabIndex={-1}
          className="flex items-center gap-2 text-xl focus:outline-none"
        >
          Your openings
          <RefreshingDot isShown={isFetching && data !== undefined} />
        </h2>
        <p className="mt-1 text-muted">
          Every pack you opened, checked by your browser right here.
        </p>
      </div>
      <DataState query={openings} what="your openings" skeleton="h-72">
        {({ openings: rows, pagination }) => (
          <>
            <OpeningRows openings={rows} onVerify={setVerified} />
            <Pagination
              label="Opening pages"
              page={page}
              totalPages={pagination.totalPages}
              onPageChange={turnTo}
            />
          </>
        )}
      </DataState>
      <VerifyDialog opening={verified} onClose={() => setVerified(null)} />
    </Card>
  )
}

interface OpeningRowsProps {
  readonly openings: readonly FairOpening[]
  readonly onVerify: (opening: FairOpening) => void
}

function OpeningRows({ openings, onVerify }: OpeningRowsProps) {
  const checked = useCheckedOpenings(openings)
  const { data: packTypes } = usePackTypes()
  if (openings.length === 0) {
    return (
      <Empty
        picture={<PackageOpen />}
        title="No openings here"
        description="Open a pack and its proof appears in this list."
        action={<LinkButton to="/inventory">Open packs</LinkButton>}
      />
    )
  }
  return (
    <ol className="list-none divide-y divide-line border-t border-line p-0">
      {openings.map((opening) => {
        const { id, packTypeId, createdAt } = opening
        const { prize, isProven } = checked?.get(id) ?? {}
        const pack = packTypes?.find((type) => type.id === packTypeId)?.name
        return (
          <li key={id} className="flex items-center gap-3 py-3">
            <div className="min-w-0 flex-1">
              <p className="font-medium break-words">{outcomeText(opening, prize)}</p>
              <p className="text-sm break-words text-muted">
                {pack ?? `Pack type ${packTypeId}`} · <Moment at={createdAt} />
              </p>
            </div>
            <div className="flex flex-none flex-col items-end gap-2 sm:flex-row sm:items-center sm:gap-3">
              <span className={isProven === undefined ? 'invisible' : undefined}>
                <Badge tone={isProven === false ? 'danger' : 'success'}>
                  <span data-proven={isProven}>
                    {isProven === false ? 'Check failed' : 'Proven'}
                  </span>
                </Badge>
              </span>
              <Button
                tone="secondary"
                size="compact"
                onClick={() => onVerify(opening)}
                icon={ShieldCheck}
              >
                Verify<span className="sr-only"> opening {id}</span>
              </Button>
            </div>
          </li>
        )
      })}
    </ol>
  )
}

/** One line about the outcome of a pack; `prize` is what was won or sold out, once it is known. */
function outcomeText(opening: FairOpening, prize: string | undefined): string {
  const { prizeId, soldOutPrizeId, redCoinEarned } = opening
  const name = prize ?? `Prize ${prizeId ?? soldOutPrizeId}`
  if (prizeId !== null) return `Won: ${name}`
  const earned = redCoinEarned > 0 ? `, ${formatRedCoin(redCoinEarned)}` : ''
  return opening.soldOut ? `${name}, but sold out: no prize${earned}` : `No prize${earned}`
}

const reportQuery = queryOptions({
  queryKey: ['verification-report'],
  queryFn: () => import('./verification-report.tsx'),
  staleTime: Number.POSITIVE_INFINITY,
})

export interface VerifyDialogProps {
  /** What is known of the opening; null keeps the dialog closed. */
  readonly opening: (Pick<FairOpening, 'id'> & Partial<Pick<FairOpening, 'createdAt'>>) | null
  readonly onClose: () => void
}

export function VerifyDialog({ opening, onClose }: VerifyDialogProps) {
  const openedAt = opening?.createdAt
  const opened = openedAt === undefined ? '' : `Opened ${formatDateTime(openedAt)}. `
  return (
    <Dialog
      isOpen={opening !== null}
      onOpenChange={onClose}
      title="Verify this draw"
      description={opening && `${opened}Checked in your browser.`}
      isWide
    >
      {opening && <ProofReport openingId={opening.id} />}
    </Dialog>
  )
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
