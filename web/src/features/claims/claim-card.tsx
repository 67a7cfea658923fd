// One prize that was won: what it is, how far its claim has come, and the Claim ID to name it by.

import type { Claim } from '@redpack/contract'
import { Trophy } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatDate, formatRedCoin } from '../../lib/format.ts'
import { Skeleton } from '../../ui/feedback/data-state.tsx'
import { CopyButton } from '../../ui/form/copy-button.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import { CardImage } from '../packs/shared/card-image.tsx'
import { ClaimInstructions } from './claim-instructions.tsx'
import { ClaimTimeline } from './claim-timeline.tsx'
import { StatusBadge } from './shared/status-badge.tsx'

const shape = 'card on-card flex h-full min-w-0 flex-col gap-4 p-4'
const picture = 'w-24 flex-none self-start sm:w-28'

export interface ClaimCardProps {
  readonly claim: Claim
  /** True for the first cards of the page: their pictures are loaded at once. */
  readonly isFirst: boolean
  /** What can be done about the claim. */
  readonly action?: ReactNode
}

export function ClaimCard({ claim, isFirst, action }: ClaimCardProps) {
  const { prize } = claim
  const isRedCoin = prize.redCoinAmount > 0
  return (
    <article aria-labelledby={`claim-${claim.id}`} className={shape}>
      <div className="flex min-w-0 gap-4">
        <CardImage
          imageData={prize.imageData}
          imageType={prize.imageType}
          fallback={isRedCoin ? <CoinPicture /> : <TrophyPicture />}
          color={isRedCoin ? coinPlate : trophyPlate}
          isFirst={isFirst}
          className={picture}
        />
        <div className="flex min-w-0 flex-1 flex-col items-start gap-2">
          <StatusBadge status={claim.status} />
          <h3 id={`claim-${claim.id}`} className="max-w-full text-lg break-words">
            {prize.name}
          </h3>
          {isRedCoin && (
            <p className="font-display font-semibold text-accent-text">
              {formatRedCoin(prize.redCoinAmount)}
            </p>
          )}
          <p className="text-sm text-muted">
            Won on <time dateTime={claim.createdAt}>{formatDate(claim.createdAt)}</time>
          </p>
        </div>
      </div>
      {!isRedCoin && prize.claimInstructions.trim() !== '' && (
        <ClaimInstructions text={prize.claimInstructions} />
      )}
      {action}
      {claim.timeline && <ClaimTimeline steps={claim.timeline} />}
      <ClaimId claimId={claim.claimId} />
    </article>
  )
}

function ClaimId({ claimId }: { readonly claimId: string }) {
  return (
    <div className="mt-auto flex min-h-14 items-center gap-2 border-t border-line pt-3">
      <span className="flex-none text-sm text-muted">Claim ID</span>
      <Masked what="Claim ID">
        <span className="flex min-w-0 flex-1 items-center gap-2">
          <code className="min-w-0 flex-1 font-mono text-sm break-all">{claimId}</code>
          <CopyButton text={claimId} label={`Copy Claim ID ${claimId}`} />
        </span>
      </Masked>
    </div>
  )
}

const coinPlate = '#5b4300'
const trophyPlate = '#3b3f73'

function CoinPicture() {
  return (
    <img src="/art/redcoin.svg" alt="" data-icon="coin" width={72} height={72} className="w-3/5" />
  )
}

function TrophyPicture() {
  return <Trophy aria-hidden="true" data-icon="trophy" strokeWidth={1.5} className="size-1/2" />
}

export function ClaimCardSkeleton() {
  return (
    <div className={shape}>
      <div className="flex gap-4">
        <Skeleton className={`${picture} aspect-5/6`} />
        <div className="grid flex-1 content-start gap-3">
          <Skeleton className="h-6 w-28 rounded-full" />
          <Skeleton className="h-6 w-3/4" />
          <Skeleton className="h-5 w-1/2" />
        </div>
      </div>
      <Skeleton className="h-16" />
      <Skeleton className="mt-auto h-11" />
    </div>
  )
}
