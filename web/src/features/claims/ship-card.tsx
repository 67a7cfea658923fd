// What a winner sees of a prize that is sent: how far it is, and what they can say about it.

import { type Claim, shipmentsContract } from '@redpack/contract'
import { useQuery } from '@tanstack/react-query'
import { HandHeart, KeyRound, PackageCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { call } from '../../lib/api.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'
import { useIdempotentCall } from '../../lib/use-call.ts'
import { DataState } from '../../ui/feedback/data-state.tsx'
import { reportOutcome } from '../../ui/feedback/outcome.ts'
import { Button } from '../../ui/form/button.tsx'
import { CopyButton } from '../../ui/form/copy-button.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import { Moment } from '../../ui/media/moment.tsx'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import { TermsLine } from '../packs/shared/terms-line.tsx'
import { ClaimInstructions } from './shared/claim-parts.tsx'
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
  const { state, deadline, sentAt, canDecline, hasCode } = shipment
  if (hasCode) {
    return (
      <>
        <CodeOfClaim claim={claim} />
        {prize.claimInstructions.trim() !== '' && (
          <ClaimInstructions text={prize.claimInstructions} />
        )}
      </>
    )
  }
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

/** Covered until it is asked for, and in streamer mode once more. */
function CodeOfClaim({ claim: { claimId, prize } }: { readonly claim: Claim }) {
  const [isAsked, ask] = useState(false)
  const code = useQuery({
    ...endpointQuery(shipmentsContract.code, {
      shows: [],
      key: [claimId],
      ask: (signal) => call(shipmentsContract.code, { params: { claimId }, signal }),
      isNeeded: true,
    }),
    enabled: isAsked,
    // A code does not stay in the page longer than it is looked at, and each asking is noted.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!isAsked) {
    return (
      <Button
        className="self-start"
        aria-label={`Show the code: ${prize.name}`}
        onClick={() => ask(true)}
      >
        <KeyRound aria-hidden="true" />
        Show the code
      </Button>
    )
  }
  return (
    <DataState query={code} what="the code" skeleton="h-11" isBrief>
      {({ code: text }) => (
        <Masked what="Code" isLasting isBlock>
          <span className="flex min-w-0 items-center gap-2">
            <code className="min-w-0 flex-1 font-mono break-all">{text}</code>
            <CopyButton text={text} label={`Copy the code: ${prize.name}`} />
          </span>
        </Masked>
      )}
    </DataState>
  )
}
