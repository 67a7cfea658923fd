// Gives packs or RedCoin to everyone.

import { adminGrantsContract } from '@redpack/contract'
import { Users } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { plural } from '../../lib/format.ts'
import { useIdempotentCall } from '../../lib/use-call.ts'
import { toastDone, toastFailed } from '../../ui/feedback/outcome.ts'
import { Button } from '../../ui/form/button.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { RadioCards } from '../../ui/form/radio-cards.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Card, CardHeader } from '../../ui/layout/card.tsx'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import { amountOf } from './file-preview.tsx'
import { quantityProblem } from './individual-distribution.tsx'
import { GrantWords } from './large-grant.tsx'
import { PackTypeSelect, usePackTypeName } from './pack-type-select.tsx'
import { useGrantReach } from './queries.ts'

export function GrantToAll() {
  const [kind, setKind] = useState('packs')
  const [packType, setPackType] = useState('')
  const [amount, setAmount] = useState<number | null>(1)
  const [reason, setReason] = useState('')
  const [isAsking, setAsking] = useState(false)
  const name = usePackTypeName(packType)
  const { data: reach } = useGrantReach()
  const packs = useIdempotentCall(adminGrantsContract.distributePacks)
  const coins = useIdempotentCall(adminGrantsContract.distributeRedCoin)
  const isPacks = kind === 'packs'
  const isPending = packs.isPending || coins.isPending
  const hasAmount = Number.isSafeInteger(amount) && (amount ?? 0) > 0
  const isReady = hasAmount && (isPacks ? name !== '' : reason.trim() !== '')
  const what = amountOf(amount ?? 0, isPacks ? name : undefined)
  const everyone = reach ? `all ${plural(reach.recipients, 'user', 'users')}` : 'all users'

  const onSettled = () => setAsking(false)
  const onSuccess = ({ message }: { readonly message: string }) => {
    // A second press gives nothing again.
    setPackType('')
    setAmount(1)
    setReason('')
    toastDone(message)
  }
  const confirm = () => {
    if (amount === null) return
    if (isPacks) {
      packs.mutate(
        { body: { allUsers: true, packTypeId: Number(packType), quantity: amount } },
        {
          onSuccess,
          onSettled,
          onError: (error) =>
            toastFailed('Distribution Failed', error, 'Failed to distribute packs'),
        },
      )
    } else {
      coins.mutate(
        { body: { allUsers: true, amount, description: reason.trim() } },
        {
          onSuccess,
          onSettled,
          onError: (error) =>
            toastFailed('RedCoin Operation Failed', error, 'Failed to distribute RedCoins'),
        },
      )
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady) setAsking(true)
  }
  return (
    <Card>
      <CardHeader
        level={3}
        title="Grant to all users"
        description={`The same for everyone${reach ? `: now ${everyone}` : ''}. It becomes a batch that can be reversed.`}
      />
      <form onSubmit={submit} noValidate className="grid grid-cols-1 gap-5">
        <RadioCards
          label="What to grant"
          value={kind}
          onChange={setKind}
          cards={[
            { value: 'packs', content: <span className="font-semibold">Packs</span> },
            { value: 'redcoin', content: <span className="font-semibold">RedCoin</span> },
          ]}
        />
        <div className="grid grid-cols-1 gap-5 xl:grid-cols-2 xl:gap-6">
          {isPacks ? (
            <PackTypeSelect value={packType} onChange={setPackType} />
          ) : (
            <TextField
              label="Reason"
              value={reason}
              maxLength={500}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
          <NumberField
            label={isPacks ? 'Quantity for each user' : 'Amount for each user'}
            unit={isPacks ? 'packs' : 'RedCoin'}
            min={1}
            step={isPacks ? 1 : 10}
            value={amount}
            onChange={setAmount}
            error={quantityProblem(amount)?.replace('Quantity', isPacks ? 'Quantity' : 'Amount')}
            fieldClassName="max-w-80"
          />
        </div>
        <div>
          <Button type="submit" disabled={!isReady} isPending={isPending}>
            {!isPending && <Users aria-hidden="true" />}
            {isPending ? 'Granting...' : 'Grant to all users'}
          </Button>
        </div>
      </form>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        tone="primary"
        title="Grant to all users"
        description={`Give ${what} to each of ${everyone}?`}
        confirmLabel="Confirm"
        onConfirm={confirm}
        isPending={isPending}
      >
        <GrantWords
          kind={isPacks ? 'packs' : 'redcoin'}
          total={(amount ?? 0) * (reach?.recipients ?? 1)}
        />
      </ConfirmDialog>
    </Card>
  )
}
