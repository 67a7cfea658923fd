// A packing session: one prize after the other, with its address, until nothing is left to pack.
// It works with one thumb, by keyboard, and with a scanner that types a number and Enter.

import type { AdminShipment, ClaimReading } from '@redpack/contract'
import { useQuery } from '@tanstack/react-query'
import { Package, PackageCheck, SkipForward, Truck } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { useSearchValue } from '../../lib/search-value.ts'
import { announce } from '../../ui/feedback/live-region.tsx'
import { DataState, Empty } from '../../ui/feedback/state.tsx'
import { Button, LinkButton } from '../../ui/form/button.tsx'
import { entered, Form, TextField, verbatim } from '../../ui/form/text-field.tsx'
import { PanelHeader } from '../../ui/layout/section.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import { CardImage } from '../packs/shared/card-image.tsx'
import { deliveryLines } from './claim-acts.tsx'
import { DeliverySection } from './claims-panel.tsx'
import { ClaimInstructions } from './shared/claim-parts.tsx'
import { CourierField } from './ship-dialogs.tsx'
import { shipmentsPollMs, useMoveShipments, usePackingList } from './ship-queries.ts'
import { viewOfTab } from './ship-views.ts'
import { AddressWarning, StateBadge } from './ship-words.tsx'
import { readingQuery } from './staff-queries.ts'

/** One card after the other, until nothing is left. */
export function PackingSession() {
  const query = usePackingList()
  return (
    <section aria-labelledby="packing-title" className="mx-auto w-full max-w-2xl min-w-0">
      <PanelHeader id="packing-title" title="Packing session" className="mb-4">
        <LinkButton tone="secondary" to="." search={viewOfTab('shipping')}>
          End
        </LinkButton>
      </PanelHeader>
      <DataState query={query} what="the shipments to pack" skeleton="h-96">
        {(list) => <Cards {...list} />}
      </DataState>
    </section>
  )
}

/** How a card left the hand. */
type Leaving = 'sent' | 'skipped'

interface CardsProps {
  readonly shipments: readonly AdminShipment[]
  /** How many there are in all. */
  readonly left: number
}

function Cards({ shipments, left }: CardsProps) {
  /** What was packed stays in hand until it is sent or put aside. */
  const [aside, putAside] = useState<ReadonlyMap<string, Leaving>>(new Map())
  /** What is on the card: what comes before it in the list later on does not take its place. */
  const [held, hold] = useState<AdminShipment>()
  /** What was on the card before. */
  const [before, setBefore] = useState<AdminShipment>()
  const follows = useRef(false)
  useEffect(() => {
    follows.current = true
  }, [])
  // In the address: a scan after a reload would send the next card without one.
  const [courier, setCourier] = useSearchValue('courier')
  const waiting = shipments.filter(({ claimId }) => !aside.has(claimId))
  const current = waiting.find(({ claimId }) => claimId === held?.claimId) ?? waiting[0]
  if (current?.claimId !== held?.claimId) {
    setBefore(held)
    hold(current)
  }
  const isTaken = before !== undefined && !aside.has(before.claimId)
  if (current === undefined) {
    const hasSkipped = shipments.some(({ claimId }) => aside.get(claimId) === 'skipped')
    const startOver = () => putAside(new Map())
    return <NothingLeft follows={follows} hasSkipped={hasSkipped} onAgain={startOver} />
  }
  return (
    <>
      <p role="status" className="mb-3 text-muted">
        {formatNumber(left)} left
        {isTaken && `. ${before.prize.name} for ${before.user.displayName} no longer needs packing`}
      </p>
      <InHand
        key={current.claimId}
        shipment={current}
        follows={follows}
        isTaken={isTaken}
        courier={courier}
        onCourier={setCourier}
        onNext={(how) => putAside((known) => new Map(known).set(current.claimId, how))}
      />
    </>
  )
}

interface NothingLeftProps extends Pick<InHandProps, 'follows'> {
  readonly hasSkipped: boolean
  readonly onAgain: () => void
}

function NothingLeft({ follows, hasSkipped, onAgain }: NothingLeftProps) {
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // What had the focus went with the last card.
    if (follows.current && document.activeElement === document.body) end.current?.focus()
  }, [follows])
  return (
    <div ref={end} tabIndex={-1} className="outline-none">
      <Empty
        picture={<PackageCheck />}
        title="Nothing left to pack"
        description={hasSkipped && 'Start over to see the ones you skipped.'}
        action={
          hasSkipped ? (
            <Button tone="secondary" onClick={onAgain}>
              Start over
            </Button>
          ) : (
            <LinkButton tone="secondary" to="." search={viewOfTab('shipping')}>
              Back to Shipping
            </LinkButton>
          )
        }
      />
    </div>
  )
}

interface InHandProps {
  readonly shipment: AdminShipment
  /** False for what comes first. */
  readonly follows: RefObject<boolean>
  /** Whether the card before went by itself. */
  readonly isTaken: boolean
  /** The one that was chosen last. */
  readonly courier: string
  readonly onCourier: (name: string) => void
  readonly onNext: (how: Leaving) => void
}

function InHand({ shipment, follows, isTaken, courier, onCourier, onNext }: InHandProps) {
  const { claimId, prize, user, state } = shipment
  const [number, setNumber] = useState('')
  const heading = useRef<HTMLHeadingElement>(null)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // What had the focus went with the card before; a scan under way was of that one.
    const isFree = [document.body, heading.current].includes(document.activeElement as HTMLElement)
    if (follows.current && isFree) (isTaken ? heading : field).current?.focus()
  }, [follows, isTaken])
  // A message would cover the button that is pressed next, on a phone for seconds a parcel.
  const { move, isPending } = useMoveShipments(announce)
  const reading = useQuery({
    ...readingQuery(claimId),
    // Winners may write another one until it is sent, and no socket tells staff of it.
    refetchInterval: shipmentsPollMs,
  })
  const isChanged = useWasChanged(
    reading.data && JSON.stringify(deliveryLines(reading.data.contactInfo)),
  )
  // The list may have been asked before the address was.
  const isNewer = (timeline: ClaimReading['timeline']) =>
    shipment.hasNewerAddress ||
    (state === 'packed' &&
      timeline.some(({ kind, at }) => kind === 'delivery_saved' && at > shipment.updatedAt))
  const pack = async () => {
    if (await move([shipment], { state: 'packed' })) field.current?.focus()
  }
  const send = async () => {
    const carriage = { courier: courier || null, trackingNumber: number || null }
    if (await move([shipment], { state: 'sent', ...carriage })) onNext('sent')
  }
  return (
    <article aria-labelledby="in-hand" className="card on-card grid gap-5 p-4">
      <header className="grid justify-items-start gap-1">
        <StateBadge shipment={shipment} />
        <h3 ref={heading} id="in-hand" tabIndex={-1} className="text-xl wrap-anywhere">
          {prize.name}
        </h3>
        <p className="text-muted">
          For {user.displayName}
          {shipment.handler && `, shipped by ${shipment.handler.displayName}`},{' '}
          <span className="font-mono">
            <Masked what="Claim ID">{claimId}</Masked>
          </span>
        </p>
      </header>
      <DataState query={reading} what="the address" skeleton="h-40">
        {({ contactInfo, claimInstructions, timeline, ...picture }) => (
          <>
            {picture.imageData !== null && (
              <CardImage {...picture} isFirst className="aspect-square w-32" />
            )}
            <AddressWarning shipments={[{ ...shipment, hasNewerAddress: isNewer(timeline) }]} />
            <DeliverySection contactInfo={contactInfo} />
            {claimInstructions !== '' && <ClaimInstructions text={claimInstructions} />}
          </>
        )}
      </DataState>
      {state === 'ready' && (
        <Button isPending={isPending} onClick={() => void pack()}>
          <Package />
          Packed
        </Button>
      )}
      <Form onSubmit={send} className="grid gap-4">
        <CourierField value={courier} onChange={onCourier} />
        <div>
          <p role="status" className="font-semibold text-warning">
            {isChanged && 'The winner has changed the address.'}
          </p>
          <TextField
            ref={field}
            label="Tracking number"
            hint="Scan it, or type it and press Enter"
            {...verbatim}
            autoCapitalize="characters"
            {...entered(number, setNumber)}
            // One press too many would send the next card, and without a number.
            onKeyDown={(event) => {
              if (event.key === 'Enter' && number.trim() === '') event.preventDefault()
            }}
          />
        </div>
        <div className="grid grid-cols-2 gap-3">
          <Button
            type="submit"
            tone={state === 'packed' ? 'primary' : 'secondary'}
            isPending={isPending}
          >
            <Truck />
            Sent
          </Button>
          <Button icon={SkipForward} tone="secondary" onClick={() => onNext('skipped')}>
            Next
          </Button>
        </div>
      </Form>
    </article>
  )
}

/** Whether the text has been another one since it was first there. */
function useWasChanged(text: string | undefined): boolean {
  const [last, setLast] = useState(text)
  const [isChanged, setChanged] = useState(false)
  if (text !== last) {
    setLast(text)
    setChanged(last !== undefined)
  }
  return isChanged
}
