// Everything that takes: all of it from everyone, or some from one user.

import type { BatchKind, GrantReach } from '@redpack/contract'
import { Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { formatRedCoin, plural } from '../../lib/format.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { toastDone, toastFailed } from '../../ui/feedback/outcome.ts'
import { Button } from '../../ui/form/button.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Card, CardHeader } from '../../ui/layout/card.tsx'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import { useFreshText } from '../../ui/overlay/typed-confirm-dialog.tsx'
import { useStaffPowers } from '../session/queries.ts'
import { RemovePacksCard, RemoveRedCoinCard } from './individual-removal.tsx'
import { useGrantReach, useRemoveAll } from './queries.ts'
import { allPacksQuestion, allRedCoinQuestion } from './removal-questions.ts'

export function RemoveItems() {
  return (
    <div className="grid grid-cols-1 gap-6 xl:grid-cols-2">
      <RemoveAllCard kind="redcoin" />
      <RemoveAllCard kind="packs" />
      <RemoveRedCoinCard />
      <RemovePacksCard />
    </div>
  )
}

const words = {
  redcoin: {
    button: 'Remove All RedCoins',
    question: allRedCoinQuestion,
    phrase: 'REMOVE ALL REDCOIN',
    failed: 'Error removing all RedCoins',
    fallback: 'Failed to remove all RedCoins',
  },
  packs: {
    button: 'Remove All Packs',
    question: allPacksQuestion,
    phrase: 'REMOVE ALL PACKS',
    failed: 'Error removing all packs',
    fallback: 'Failed to remove all packs',
  },
} as const

/** What would be taken, from how many users. */
function effectOf(kind: BatchKind, { redCoin, packs }: GrantReach): string {
  const { total, users } = kind === 'packs' ? packs : redCoin
  const what =
    kind === 'packs' ? plural(total, 'unopened pack', 'unopened packs') : formatRedCoin(total)
  return `${what} of ${plural(users, 'user', 'users')}`
}

function RemoveAllCard({ kind }: { readonly kind: BatchKind }) {
  const { data: reach } = useGrantReach()
  const { mayActOnEverybody } = useStaffPowers()
  const remove = useRemoveAll(kind)
  const [isAsking, setAsking] = useState(false)
  const { button, question, phrase, failed, fallback } = words[kind]
  const effect = reach && effectOf(kind, reach)
  return (
    <Card className="border-danger">
      <CardHeader
        level={3}
        title={button}
        description={`From every user at once. ${effect ? `Now: ${effect}.` : ''}`}
      />
      <Button
        tone="danger"
        onClick={() => setAsking(true)}
        isPending={remove.isPending}
        disabled={!mayActOnEverybody}
      >
        {!remove.isPending && <Trash2 aria-hidden="true" />}
        {button}
      </Button>
      {!mayActOnEverybody && (
        <p className="mt-2 text-sm text-muted">Only a super user can do this.</p>
      )}
      <RemoveAllDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title={button}
        question={question}
        effect={effect}
        phrase={phrase}
        isPending={remove.isPending}
        onConfirm={() =>
          remove.mutate(undefined, {
            onSuccess: ({ message }) => toastDone(message),
            onError: (error) => toastFailed(failed, error, fallback),
            onSettled: () => setAsking(false),
          })
        }
      />
    </Card>
  )
}

/** How long the button stays disabled at least, in milliseconds. */
export const thinkingMs = 3000

interface RemoveAllDialogProps {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  readonly title: string
  readonly question: string
  /** What would be taken, from how many; undefined while that is being counted. */
  readonly effect: string | undefined
  readonly phrase: string
  readonly isPending: boolean
  readonly onConfirm: () => void
}

function RemoveAllDialog(props: RemoveAllDialogProps) {
  const { isOpen, phrase } = props
  const [typed, setTyped] = useFreshText(isOpen)
  const [hasWaited, setWaited] = useState(false)
  useEffect(() => {
    setWaited(false)
    if (!isOpen) return
    const timer = window.setTimeout(() => setWaited(true), thinkingMs)
    return () => window.clearTimeout(timer)
  }, [isOpen])
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onOpenChange={props.onOpenChange}
      title={props.title}
      description={props.question}
      confirmLabel="Confirm"
      onConfirm={props.onConfirm}
      isPending={props.isPending}
      canConfirm={hasWaited && typed.trim().toUpperCase() === phrase}
    >
      <Notice tone="danger" className="mb-4">
        {props.effect === undefined ? 'Counting what this takes...' : `This takes ${props.effect}.`}
      </Notice>
      <TextField
        label={`Type ${phrase} to confirm`}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </ConfirmDialog>
  )
}
