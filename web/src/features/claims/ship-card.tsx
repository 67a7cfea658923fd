// What a winner sees of a prize that is sent: how far it is, and what they can say about it.

import { type Claim, shipmentsContract } from '@redpack/contract'
import { HandHeart, PackageCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useIdempotentCall } from '../../lib/use-call.ts'
import { reportOutcome } from '../../ui/feedback/outcome.ts'
import { Button } from '../../ui/form/button.tsx'
import { Moment } from '../../ui/media/moment.tsx'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import { TermsLine } from './shared/terms-line.tsx'
import { CarriageLine, stateWords } from './ship-words.tsx'

interface ShipmentOfClaimProps {
  readonly claim: Claim
  /** Where the prize goes; stands below what is said of it. */
  readonly children: ReactNode
}

export function ShipmentOfClaim({ claim, children }: ShipmentOfClaimProps) {
  const { claimId, prize, shipment } = claim
  const [isAsking, ask] = useState(false)
  const receive = useIdempotentCall(shipmentsContract.received)
  const decline = useIdempotentCall(shipmentsContract.decline)
  if (!shipment) return children
  const { state, deadline, sentAt, canDecline } = shipment
  const params = { claimId }
  const sayReceived = () =>
    reportOutcome(receive.mutateAsync({ params }), {
      done: `Enjoy your ${prize.name}`,
      failureTitle: 'Error',
      fallback: 'Could not be saved. Please try again.',
    })
  const giveUp = async () => {
    await reportOutcome(decline.mutateAsync({ params }), {
      done: `You gave up your ${prize.name}`,
      failureTitle: 'Error',
      fallback: 'Could not be saved. Please try again.',
    })
    ask(false)
  }
  return (
    <div className="grid justify-items-start gap-2">
      <p className="font-semibold">
        {stateWords[state].winner}
        {state === 'sent' && sentAt !== null && (
          <span className="font-normal text-muted">
            {' since '}
            <Moment at={sentAt} />
          </span>
        )}
      </p>
      {state === 'address_wanted' && deadline !== null && (
        <p className="text-sm text-warning">
          Until <Moment at={deadline} />. After that the prize is given up.
        </p>
      )}
      <TermsLine terms={{ ...shipment, deadlineDays: null }} className="text-sm text-muted" />
      {(shipment.courier ?? shipment.trackingNumber) !== null && <CarriageLine {...shipment} />}
      {children}
      {state === 'sent' && (
        <Button
          aria-label={`It's here: ${prize.name}`}
          onClick={() => void sayReceived()}
          isPending={receive.isPending}
        >
          <PackageCheck aria-hidden="true" />
          It's here
        </Button>
      )}
      {canDecline && (
        <Button
          tone="secondary"
          className="text-sm"
          aria-label={`I don't want it: ${prize.name}`}
          onClick={() => ask(true)}
        >
          <HandHeart aria-hidden="true" />I don't want it
        </Button>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={ask}
        title={`Give up your ${prize.name}?`}
        description="It is yours until you give it up. Then nothing is sent, and you get nothing in its place. This cannot be undone."
        confirmLabel="Give it up"
        cancelLabel="Keep it"
        onConfirm={() => void giveUp()}
        isPending={decline.isPending}
      />
    </div>
  )
}
