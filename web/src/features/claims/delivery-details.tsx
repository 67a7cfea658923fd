// The way from a claim to its delivery details: a button, and the dialog it opens.

import type { Claim } from '@redpack/contract'
import { MapPin } from 'lucide-react'
import { useState } from 'react'
import { askAgain, LoadError, Loading, Skeleton } from '../../ui/feedback/data-state.tsx'
import { Button } from '../../ui/form/button.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { DeliveryForm } from './delivery-form.tsx'
import { useDelivery } from './delivery-queries.ts'
import type { DeliveryValues } from './delivery-values.ts'

/** Whether delivery details are stored, as the timeline of the claim tells. */
export function hasDelivery({ timeline }: Pick<Claim, 'timeline'>): boolean {
  const last = timeline?.findLast(({ kind }) => kind.startsWith('delivery_'))
  return last?.kind === 'delivery_saved'
}

/**
 * Nothing for a prize that was paid in RedCoin, and nothing for a completed claim without details.
 */
export function DeliveryDetails({ claim }: { readonly claim: Claim }) {
  const [isOpen, setOpen] = useState(false)
  const [draft, setDraft] = useState<DeliveryValues | null>(null)
  const isSaved = hasDelivery(claim)
  const isCompleted = claim.status === 'completed'
  if (claim.prize.redCoinAmount > 0 || (isCompleted && !isSaved)) return null
  const close = () => {
    setOpen(false)
    setDraft(null)
  }
  return (
    <>
      <Button
        tone={isSaved ? 'secondary' : 'primary'}
        onClick={() => setOpen(true)}
        className="self-start"
      >
        <MapPin aria-hidden="true" />
        {isSaved ? 'Delivery details' : 'Add delivery details'}
        <span className="sr-only"> for {claim.prize.name}</span>
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={setOpen}
        title="Delivery details"
        description={`Where your ${claim.prize.name} goes`}
      >
        <Masked what="Delivery details" isLasting isBlock>
          <SavedDelivery claimId={claim.claimId} draft={draft} onDraft={setDraft} onSaved={close} />
        </Masked>
      </Dialog>
    </>
  )
}

interface SavedDeliveryProps {
  readonly claimId: string
  readonly draft: DeliveryValues | null
  readonly onDraft: (values: DeliveryValues) => void
  readonly onSaved: () => void
}

function SavedDelivery({ claimId, ...form }: SavedDeliveryProps) {
  const delivery = useDelivery(claimId)
  const { data, error } = delivery
  if (data) return <DeliveryForm saved={data} {...form} />
  if (error) {
    return <LoadError title="The delivery details could not be loaded" {...askAgain(delivery)} />
  }
  return (
    <Loading label="Loading the delivery details" className="grid gap-4">
      <Skeleton className="h-11" />
      <Skeleton className="h-24" />
      <Skeleton className="h-11" />
      <Skeleton className="h-11" />
    </Loading>
  )
}
