// One claim as whoever ships it needs it: where it goes, what was asked for, what has happened.

import { type AdminClaim, adminClaimsContract, type ClaimReading } from '@redpack/contract'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'
import { DataState } from '../../ui/feedback/data-state.tsx'
import { CopyButton } from '../../ui/form/copy-button.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { ClaimInstructions } from './claim-instructions.tsx'
import { ClaimTimeline } from './claim-timeline.tsx'
import { claimIdOf, deliveryLines } from './staff-claim-words.ts'

interface ClaimDialogProps {
  readonly claim: AdminClaim
  readonly onClose: () => void
}

export function ClaimDialog({ claim, onClose }: ClaimDialogProps) {
  const { id, prizeName, user } = claim
  const reading = useQuery({
    ...endpointQuery(adminClaimsContract.read, {
      shows: ['claims'],
      key: [id],
      ask: (signal) => call(adminClaimsContract.read, { params: { id }, signal }),
    }),
    // An address does not stay in the page longer than it is needed.
    gcTime: 0,
  })
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={<Masked what="Claim ID">{claimIdOf(claim)}</Masked>}
      description={`${prizeName} for ${user.displayName} (@${user.username})`}
    >
      <DataState query={reading} what="the claim" skeleton="h-48">
        {({ contactInfo, claimInstructions, timeline }) => (
          <div className="grid gap-5">
            <DeliverySection contactInfo={contactInfo} />
            {claimInstructions !== '' && <ClaimInstructions text={claimInstructions} />}
            <ClaimTimeline steps={timeline} />
          </div>
        )}
      </DataState>
    </Dialog>
  )
}

function DeliverySection({ contactInfo }: Pick<ClaimReading, 'contactInfo'>) {
  const lines = deliveryLines(contactInfo)
  const text = lines.map(({ value }) => value).join('\n')
  return (
    <section aria-labelledby="delivery-title">
      <div className="flex min-h-11 items-center justify-between gap-3">
        <h4 id="delivery-title" className="text-sm font-semibold text-muted">
          Delivery
        </h4>
        {lines.length > 0 && <CopyButton text={text} label="Copy delivery details" />}
      </div>
      {lines.length === 0 && <p>The winner has not said where to.</p>}
      {lines.length > 0 && (
        <Masked what="Delivery details" isLasting isBlock>
          <dl className="grid gap-x-4 sm:grid-cols-[auto_1fr]">
            {lines.map(({ label, value }) => (
              <div key={label} className="contents">
                <dt className="text-sm text-muted sm:py-0.5">{label}</dt>
                <dd className="mb-1 whitespace-pre-line wrap-anywhere sm:mb-0">{value}</dd>
              </div>
            ))}
          </dl>
        </Masked>
      )}
    </section>
  )
}
