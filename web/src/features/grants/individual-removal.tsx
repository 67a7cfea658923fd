// Takes packs or RedCoin from one user, at most what is there.

import { type AdminUser, adminGrantsContract } from '@redpack/contract'
import { CircleMinus, PackageMinus } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { useIdempotentCall } from '../../lib/use-call.ts'
import { toastDone, toastFailed } from '../../ui/feedback/outcome.ts'
import { Button } from '../../ui/form/button.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { Card, CardHeader } from '../../ui/layout/card.tsx'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import { quantityProblem } from './individual-distribution.tsx'
import { PackTypeSelect, usePackTypeName } from './pack-type-select.tsx'
import { RecipientField } from './recipient-field.tsx'
import { packRemovalQuestion, redCoinRemovalQuestion } from './removal-questions.ts'

export function IndividualRemoval() {
  return (
    <div className="grid grid-cols-1 gap-6 xl:grid-cols-2">
      <RemoveRedCoinCard />
      <RemovePacksCard />
    </div>
  )
}

export function RemoveRedCoinCard() {
  const [user, setUser] = useState<AdminUser>()
  const [amount, setAmount] = useState<number | null>(null)
  const remove = useIdempotentCall(adminGrantsContract.removeUserRedCoin)
  const isReady = user !== undefined && Number.isSafeInteger(amount) && (amount ?? 0) > 0
  return (
    <RemovalCard
      title="Remove RedCoin from a user"
      question={redCoinRemovalQuestion(amount ?? 0, user?.displayName ?? '')}
      questionTitle="Remove RedCoins"
      button="Remove RedCoins"
      icon={<CircleMinus aria-hidden="true" />}
      isReady={isReady}
      isPending={remove.isPending}
      onConfirm={(close) => {
        if (!user || amount === null) return
        remove.mutate(
          { body: { userId: user.id, amount } },
          {
            onSuccess: ({ message, newBalance }) => {
              setUser(withBalance(user, newBalance))
              toastDone(message)
            },
            onError: (error) =>
              toastFailed('RedCoin Removal Failed', error, 'Failed to remove RedCoins from user'),
            onSettled: close,
          },
        )
      }}
    >
      <RecipientField user={user} onChange={setUser} />
      <NumberField
        label="Amount"
        unit="RedCoin"
        min={1}
        step={10}
        value={amount}
        onChange={setAmount}
        hint={
          user && (amount ?? 0) > user.redCoinBalance
            ? `The user has only ${formatNumber(user.redCoinBalance)}, so no more than that is removed.`
            : undefined
        }
        error={quantityProblem(amount)?.replace('Quantity', 'Amount')}
        fieldClassName="max-w-80"
      />
    </RemovalCard>
  )
}

export function RemovePacksCard() {
  const [user, setUser] = useState<AdminUser>()
  const [packType, setPackType] = useState('')
  const [quantity, setQuantity] = useState<number | null>(1)
  const name = usePackTypeName(packType)
  const remove = useIdempotentCall(adminGrantsContract.removeUserPacks)
  const packTypeId = Number(packType)
  const held = user?.userPacks.find((one) => one.packTypeId === packTypeId)?.quantity ?? 0
  const isWhole = Number.isInteger(quantity)
  const isReady = user !== undefined && name !== '' && isWhole && (quantity ?? 0) > 0
  return (
    <RemovalCard
      title="Remove packs from a user"
      question={packRemovalQuestion(quantity ?? 0, name, user?.displayName ?? '')}
      questionTitle="Remove packs"
      button="Remove Packs"
      icon={<PackageMinus aria-hidden="true" />}
      isReady={isReady}
      isPending={remove.isPending}
      onConfirm={(close) => {
        if (!user || quantity === null) return
        remove.mutate(
          { body: { userId: user.id, packTypeId, quantity } },
          {
            onSuccess: ({ message, newQuantity }) => {
              setUser(withPacks(user, packTypeId, name, newQuantity))
              toastDone(message)
            },
            onError: (error) =>
              toastFailed('Pack Removal Failed', error, 'Failed to remove packs from user'),
            onSettled: close,
          },
        )
      }}
    >
      <RecipientField user={user} onChange={setUser} />
      <PackTypeSelect value={packType} onChange={setPackType} />
      <NumberField
        label="Quantity"
        unit="packs"
        min={1}
        value={quantity}
        onChange={setQuantity}
        hint={
          user && name !== '' && (quantity ?? 0) > held
            ? `The user has only ${formatNumber(held)}, so no more than that is removed.`
            : undefined
        }
        error={quantityProblem(quantity)}
        fieldClassName="max-w-56"
      />
    </RemovalCard>
  )
}

interface RemovalCardProps {
  readonly title: string
  readonly question: string
  readonly questionTitle: string
  readonly button: string
  readonly icon: ReactNode
  readonly isReady: boolean
  readonly isPending: boolean
  readonly onConfirm: (close: () => void) => void
  readonly children: ReactNode
}

/** A form whose button asks first. */
function RemovalCard(props: RemovalCardProps) {
  const [isAsking, setAsking] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (props.isReady) setAsking(true)
  }
  return (
    <Card>
      <CardHeader level={3} title={props.title} />
      <form onSubmit={submit} noValidate className="grid grid-cols-1 gap-5">
        {props.children}
        <div>
          <Button type="submit" tone="danger" disabled={!props.isReady} isPending={props.isPending}>
            {!props.isPending && props.icon}
            {props.isPending ? 'Removing...' : props.button}
          </Button>
        </div>
      </form>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title={props.questionTitle}
        description={props.question}
        confirmLabel="Confirm"
        onConfirm={() => props.onConfirm(() => setAsking(false))}
        isPending={props.isPending}
      />
    </Card>
  )
}

// A chosen user after an act: what the answer says they have now.
function withBalance(user: AdminUser, balance: number | null): AdminUser {
  return balance === null ? user : { ...user, redCoinBalance: balance }
}

/** The holding of one pack type becomes `quantity`; one that is empty is not listed. */
function withPacks(
  user: AdminUser,
  packTypeId: number,
  packTypeName: string,
  quantity: number | null,
): AdminUser {
  if (quantity === null) return user
  const others = user.userPacks.filter((held) => held.packTypeId !== packTypeId)
  const held = quantity > 0 ? [{ packTypeId, packTypeName, quantity }] : []
  return { ...user, userPacks: [...others, ...held].sort((a, b) => a.packTypeId - b.packTypeId) }
}
