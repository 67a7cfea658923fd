// The Distribute tab: giving and taking packs and RedCoin, in five views.

import type { AdminUser, BatchKind, GrantReach } from '@redpack/contract'
import { Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { formatRedCoin, plural } from '../../lib/format.ts'
import { useSearchValue } from '../../lib/search-value.ts'
import { toastDone, toastFailed } from '../../ui/feedback/outcome.ts'
import { askAgain, bothOf, DataState, LoadError, Notice } from '../../ui/feedback/state.tsx'
import { Button } from '../../ui/form/button.tsx'
import { Card, CardHeader, PanelHeader } from '../../ui/layout/section.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'
import { TypedConfirmDialog } from '../../ui/overlay/typed-confirm-dialog.tsx'
import { useNamedPackTypes } from '../catalogue/pack-type-queries.ts'
import { usePerson } from '../people/users-queries.ts'
import { useStaffPowers } from '../session/queries.ts'
import { useRecipients } from '../session/shared/suggest-users.tsx'
import { BatchDialog } from './batch-dialog.tsx'
import { BatchesList } from './batches-list.tsx'
import { BulkFileCard } from './bulk-file-card.tsx'
import {
  GrantToAll,
  IndividualDistribution,
  RedCoinDistribution,
  RemovalCard,
} from './grant-forms.tsx'
import { useGrantReach, useRemoveAll } from './queries.ts'

/** What the address says of the rows of a receipt. */
const receiptParts = ['rows', 'rowPage']

function BulkDistribution() {
  const [open, setOpen] = useSearchValue('batch', 'push', receiptParts)
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

const viewsFor = (user: AdminUser | undefined) =>
  [
    {
      value: 'individual',
      label: 'Individual Distribution',
      content: <IndividualDistribution user={user} />,
    },
    {
      value: 'redcoin',
      label: 'RedCoin Distribution',
      content: <RedCoinDistribution user={user} />,
    },
    {
      value: 'removal',
      label: 'Individual Removal',
      content: (
        <div className="grid grid-cols-1 gap-6 xl:grid-cols-2">
          <RemovalCard kind="redcoin" user={user} />
          <RemovalCard kind="packs" user={user} />
        </div>
      ),
    },
    { value: 'bulk', label: 'Bulk Distribution', content: <BulkDistribution /> },
    { value: 'remove', label: 'Remove Items', content: <RemoveItems /> },
  ] as const

export function DistributePanel() {
  const users = useRecipients('')
  const packTypes = useNamedPackTypes()
  const [wanted, setView] = useSearchValue('view')
  // Whose page led here is chosen already.
  const [userId] = useSearchValue('user')
  const person = usePerson(Number(userId) || 0)
  const views = viewsFor(person.data?.user)
  const open = views.find(({ value }) => value === wanted) ?? views[0]
  const both = bothOf(users, packTypes)
  return (
    <section aria-labelledby="distribute-heading">
      <PanelHeader id="distribute-heading" title="Distribution Center" className="mb-4" />
      <DataState
        query={person.isLoading ? { ...both, data: undefined } : both}
        what="distribution data"
        skeleton={['h-11 w-full', 'h-80 w-full']}
        className="grid gap-4"
        title="Failed to load distribution data. Please refresh the page."
        description=""
        retryLabel="Try again"
        isOnPage
      >
        {() => (
          <Tabs
            key={userId}
            label="Distribution"
            value={open.value}
            onChange={(value) => setView(value === views[0].value ? '' : value)}
            tabs={views}
          />
        )}
      </DataState>
    </section>
  )
}

export function RemoveItems() {
  return (
    <div className="grid grid-cols-1 gap-6 xl:grid-cols-2">
      <RemoveAllCard kind="redcoin" />
      <RemoveAllCard kind="packs" />
      <RemovalCard kind="redcoin" />
      <RemovalCard kind="packs" />
    </div>
  )
}

const words = {
  redcoin: {
    button: 'Remove All RedCoins',
    what: 'RedCoins',
    phrase: 'REMOVE ALL REDCOIN',
  },
  packs: {
    button: 'Remove All Packs',
    what: 'packs',
    phrase: 'REMOVE ALL PACKS',
  },
} as const

/** What would be taken, from how many users. */
function effectOf(kind: BatchKind, { redCoin, packs }: GrantReach): string {
  const { total, users } = kind === 'packs' ? packs : redCoin
  const what =
    kind === 'packs' ? plural(total, 'unopened pack', 'unopened packs') : formatRedCoin(total)
  return `${what} from ${plural(users, 'user', 'users')}`
}

function RemoveAllCard({ kind }: { readonly kind: BatchKind }) {
  const { data: reach, isCounted } = useGrantReach()
  const { mayActOnEverybody } = useStaffPowers()
  const remove = useRemoveAll(kind)
  const [isAsking, setAsking] = useState(false)
  const hasWaited = useHasWaited(isAsking)
  const { button, what, phrase } = words[kind]
  const effect = reach && effectOf(kind, reach)
  return (
    <Card className="border-danger">
      <CardHeader
        level={3}
        title={button}
        description={`From every user at once. ${effect ? `Now: ${effect}.` : ''}`}
      />
      <Button
        icon={Trash2}
        tone="danger"
        onClick={() => setAsking(true)}
        isPending={remove.isPending}
        disabled={!mayActOnEverybody}
      >
        {button}
      </Button>
      {!mayActOnEverybody && (
        <p className="mt-2 text-sm text-muted">Only a super user can do this.</p>
      )}
      <TypedConfirmDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title={button}
        description={`Are you sure you want to remove ALL ${what} from ALL users? This cannot be undone!`}
        confirmLabel="Confirm"
        phrase={phrase}
        canConfirm={hasWaited && isCounted}
        isPending={remove.isPending}
        onConfirm={() =>
          remove.mutate(
            {},
            {
              onSuccess: ({ message }) => toastDone(message),
              onError: (error) =>
                toastFailed(`Error removing all ${what}`, error, `Failed to remove all ${what}`),
              onSettled: () => setAsking(false),
            },
          )
        }
      >
        <Effect kind={kind} />
      </TypedConfirmDialog>
    </Card>
  )
}

/** Stands in the question alone, so that each question counts anew. */
function Effect({ kind }: { readonly kind: BatchKind }) {
  const counting = useGrantReach()
  const { data, isCounted, isFetching } = counting
  if (counting.error && !isFetching) {
    return <LoadError title="Failed to count what this removes" {...askAgain(counting)} />
  }
  return (
    <Notice tone="danger">
      {data && isCounted
        ? `This removes ${effectOf(kind, data)}.`
        : 'Counting what this removes...'}
    </Notice>
  )
}

/** How long the button stays disabled at least, in milliseconds. */
export const thinkingMs = 3000

function useHasWaited(isOpen: boolean): boolean {
  const [hasWaited, setWaited] = useState(false)
  useEffect(() => {
    setWaited(false)
    if (!isOpen) return
    const timer = window.setTimeout(() => setWaited(true), thinkingMs)
    return () => window.clearTimeout(timer)
  }, [isOpen])
  return hasWaited
}
