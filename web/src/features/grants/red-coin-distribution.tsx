// Gives RedCoin to one user, or takes it with an amount below 0; both with a reason.

import { type AdminUser, adminGrantsContract } from '@redpack/contract'
import { Coins } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useIdempotentCall } from '../../lib/use-call.ts'
import { toastDone, toastFailed } from '../../ui/feedback/outcome.ts'
import { Button } from '../../ui/form/button.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Card, CardHeader } from '../../ui/layout/card.tsx'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import { isLargeGrant, LargeGrantDialog } from './large-grant.tsx'
import { RecipientField } from './recipient-field.tsx'
import { redCoinRemovalQuestion } from './removal-questions.ts'

const reasonMax = 500

export function RedCoinDistribution() {
  const [user, setUser] = useState<AdminUser>()
  const [amount, setAmount] = useState<number | null>(null)
  const [reason, setReason] = useState('')
  const [isAsking, setAsking] = useState(false)
  const give = useIdempotentCall(adminGrantsContract.distributeRedCoin)
  const isTaking = amount !== null && amount < 0
  const isWhole = amount === null || Number.isSafeInteger(amount)
  const isReady = user !== undefined && isWhole && Boolean(amount) && reason.trim() !== ''
  const send = () => {
    if (!user || !amount) return
    give.mutate(
      { body: { userId: user.id, amount, description: reason.trim() } },
      {
        onSuccess: ({ message }) => {
          // A second press gives nothing again.
          setUser(undefined)
          setAmount(null)
          setReason('')
          toastDone(message)
        },
        onError: (error) =>
          toastFailed('RedCoin Operation Failed', error, 'Failed to process RedCoin transaction'),
        onSettled: () => setAsking(false),
      },
    )
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isReady || give.isPending) return
    if (isTaking || isLargeGrant('redcoin', amount ?? 0)) setAsking(true)
    else send()
  }
  return (
    <Card className="max-w-2xl">
      <CardHeader
        level={3}
        title="Give RedCoin to one user"
        description="The reason stands in the user's history and in the audit log."
      />
      <form onSubmit={submit} noValidate className="grid grid-cols-1 gap-5">
        <RecipientField user={user} onChange={setUser} />
        <NumberField
          label="Amount"
          unit="RedCoin"
          step={10}
          value={amount}
          onChange={setAmount}
          hint="An amount below 0 removes RedCoin, at most what is there."
          error={isWhole ? undefined : 'Amount must be a whole number'}
          fieldClassName="max-w-80"
        />
        <TextField
          label="Reason"
          value={reason}
          maxLength={reasonMax}
          onChange={(event) => setReason(event.target.value)}
          placeholder="For example: winner of the Friday quiz"
        />
        <div>
          <Button
            type="submit"
            tone={isTaking ? 'danger' : 'primary'}
            disabled={!isReady}
            isPending={give.isPending}
          >
            {!give.isPending && <Coins aria-hidden="true" />}
            {give.isPending ? 'Processing...' : isTaking ? 'Remove RedCoin' : 'Distribute RedCoin'}
          </Button>
        </div>
      </form>
      <ConfirmDialog
        isOpen={isAsking && isTaking}
        onOpenChange={setAsking}
        title="Remove RedCoins"
        description={redCoinRemovalQuestion(-(amount ?? 0), user?.displayName ?? '')}
        confirmLabel="Confirm"
        onConfirm={send}
        isPending={give.isPending}
      />
      <LargeGrantDialog
        isOpen={isAsking && !isTaking}
        onOpenChange={setAsking}
        total={amount ?? 0}
        to={user?.displayName ?? ''}
        onConfirm={send}
        isPending={give.isPending}
      />
    </Card>
  )
}
