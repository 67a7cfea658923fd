// Gives packs to one user.

import { type AdminUser, adminGrantsContract } from '@redpack/contract'
import { Package } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useIdempotentCall } from '../../lib/use-call.ts'
import { toastDone, toastFailed } from '../../ui/feedback/outcome.ts'
import { Button } from '../../ui/form/button.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { Card, CardHeader } from '../../ui/layout/card.tsx'
import { isLargeGrant, LargeGrantDialog } from './large-grant.tsx'
import { PackTypeSelect, usePackTypeName } from './pack-type-select.tsx'
import { RecipientField } from './recipient-field.tsx'

export function IndividualDistribution() {
  const [user, setUser] = useState<AdminUser>()
  const [packType, setPackType] = useState('')
  const [quantity, setQuantity] = useState<number | null>(1)
  const [isAsking, setAsking] = useState(false)
  const name = usePackTypeName(packType)
  const give = useIdempotentCall(adminGrantsContract.distributePacks)
  const isWhole = Number.isInteger(quantity)
  const isReady = user !== undefined && name !== '' && isWhole && (quantity ?? 0) > 0
  const send = () => {
    if (!user) return
    give.mutate(
      { body: { userId: user.id, packTypeId: Number(packType), quantity: quantity ?? 0 } },
      {
        onSuccess: ({ message }) => {
          // A second press gives nothing again.
          setUser(undefined)
          setPackType('')
          setQuantity(1)
          toastDone(message)
        },
        onError: (error) => toastFailed('Distribution Failed', error, 'Failed to distribute packs'),
        onSettled: () => setAsking(false),
      },
    )
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isReady || give.isPending) return
    if (isLargeGrant('packs', quantity ?? 0)) setAsking(true)
    else send()
  }
  return (
    <Card className="max-w-2xl">
      <CardHeader level={3} title="Give packs to one user" description="Ready to open at once." />
      <form onSubmit={submit} noValidate className="grid grid-cols-1 gap-5">
        <RecipientField user={user} onChange={setUser} />
        <PackTypeSelect value={packType} onChange={setPackType} />
        <NumberField
          label="Quantity"
          unit="packs"
          min={1}
          value={quantity}
          onChange={setQuantity}
          error={quantityProblem(quantity)}
          fieldClassName="max-w-56"
        />
        <div>
          <Button type="submit" disabled={!isReady} isPending={give.isPending}>
            {!give.isPending && <Package aria-hidden="true" />}
            {give.isPending ? 'Distributing...' : 'Distribute Packs'}
          </Button>
        </div>
      </form>
      <LargeGrantDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        total={quantity ?? 0}
        packName={name}
        to={user?.displayName ?? ''}
        onConfirm={send}
        isPending={give.isPending}
      />
    </Card>
  )
}

/** The sentence for a quantity that cannot be sent; an empty field is not wrong yet. */
export function quantityProblem(quantity: number | null): string | undefined {
  if (quantity === null) return undefined
  if (!Number.isInteger(quantity)) return 'Quantity must be a whole number'
  return quantity < 1 ? 'Quantity must be at least 1' : undefined
}
