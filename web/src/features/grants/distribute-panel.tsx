// The Distribute tab: giving and taking packs and RedCoin, in five views.

import { type AdminUser, adminGrantsContract } from '@redpack/contract'
import { useNavigate } from '@tanstack/react-router'
import { Coins } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useSearchValue } from '../../lib/search-value.ts'
import { useIdempotentCall } from '../../lib/use-call.ts'
import { Loading, Skeleton, SlowNote } from '../../ui/feedback/data-state.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { toastDone, toastFailed } from '../../ui/feedback/outcome.ts'
import { Button } from '../../ui/form/button.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Card, CardHeader } from '../../ui/layout/card.tsx'
import { PanelTitle } from '../../ui/layout/headings.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import { useRecipients } from '../session/shared/suggest-users.tsx'
import { BatchDialog } from './batch-dialog.tsx'
import { BatchesList } from './batches-list.tsx'
import { BulkFileCard } from './bulk-file-card.tsx'
import { GrantToAll } from './grant-to-all.tsx'
import { IndividualDistribution } from './individual-distribution.tsx'
import { IndividualRemoval } from './individual-removal.tsx'
import { isLargeGrant, LargeGrantDialog } from './large-grant.tsx'
import { useGrantPackTypes } from './queries.ts'
import { RecipientField } from './recipient-field.tsx'
import { redCoinRemovalQuestion } from './removal-questions.ts'
import { RemoveItems } from './remove-items.tsx'

// Gives RedCoin to one user, or takes it with an amount below 0; both with a reason.
const reasonMax = 500

function RedCoinDistribution() {
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
        description="The reason shows in the user's history and in the audit log."
      />
      <form onSubmit={submit} noValidate className="grid grid-cols-1 gap-5">
        <RecipientField user={user} onChange={setUser} />
        <NumberField
          label="Amount"
          unit="RedCoin"
          step={10}
          value={amount}
          onChange={setAmount}
          hint="A negative amount removes RedCoin, never below 0."
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

/** The batch whose receipt is open, in the address; what was shown of another one is forgotten. */
function useOpenBatch(): [open: string, setOpen: (id: string) => void] {
  const [open] = useSearchValue('batch')
  const navigate = useNavigate()
  const setOpen = (id: string) => {
    navigate({
      to: '.',
      search: (before: Record<string, unknown>) => ({
        ...before,
        batch: id || undefined,
        rows: undefined,
        rowPage: undefined,
      }),
      replace: id === '',
      resetScroll: false,
    }).catch(() => undefined)
  }
  return [open, setOpen]
}

function BulkDistribution() {
  const [open, setOpen] = useOpenBatch()
  return (
    <div className="grid grid-cols-1 gap-6">
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-2">
        <BulkFileCard kind="packs" onOpenBatch={setOpen} />
        <BulkFileCard kind="redcoin" onOpenBatch={setOpen} />
      </div>
      <GrantToAll />
      <BatchesList onOpen={setOpen} />
      {open !== '' && <BatchDialog id={open} onClose={() => setOpen('')} onOpen={setOpen} />}
    </div>
  )
}

const views = [
  { value: 'individual', label: 'Individual Distribution', content: <IndividualDistribution /> },
  { value: 'redcoin', label: 'RedCoin Distribution', content: <RedCoinDistribution /> },
  { value: 'removal', label: 'Individual Removal', content: <IndividualRemoval /> },
  { value: 'bulk', label: 'Bulk Distribution', content: <BulkDistribution /> },
  { value: 'remove', label: 'Remove Items', content: <RemoveItems /> },
] as const

export function DistributePanel() {
  const users = useRecipients('')
  const packTypes = useGrantPackTypes()
  const [wanted, setView] = useSearchValue('view')
  const open = views.find(({ value }) => value === wanted) ?? views[0]
  const isBroken = (users.error && !users.data) || (packTypes.error && !packTypes.data)
  return (
    <section aria-labelledby="distribute-heading">
      <PanelTitle id="distribute-heading" className="mb-4">
        Distribution Center
      </PanelTitle>
      {isBroken ? (
        <Card>
          <Notice tone="danger" role="alert" className="mb-4 text-base">
            Failed to load distribution data. Please refresh the page.
          </Notice>
          <Button
            tone="secondary"
            isPending={users.isFetching || packTypes.isFetching}
            onClick={() => {
              users.refetch().catch(() => undefined)
              packTypes.refetch().catch(() => undefined)
            }}
          >
            Try again
          </Button>
        </Card>
      ) : users.data && packTypes.data ? (
        <Tabs
          label="Distribution"
          value={open.value}
          onChange={(value) => setView(value === views[0].value ? '' : value)}
          tabs={views}
        />
      ) : (
        <Loading label="Loading distribution data" className="grid gap-4">
          <Skeleton className="h-11 w-full" />
          <Skeleton className="h-80 w-full" />
          <SlowNote what="distribution data" />
        </Loading>
      )}
    </section>
  )
}
