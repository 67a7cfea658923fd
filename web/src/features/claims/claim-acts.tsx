// What staff do to claims: the acts, what is asked before each, and how it ended.

import {
  type AdminClaim,
  adminClaimsContract,
  type ChangeManyClaimsResponse,
  type ClaimAct,
  type Delivery,
  DeliveryAnswer,
} from '@redpack/contract'
import { useState } from 'react'
import * as z from 'zod/mini'
import { ApiError } from '../../lib/api-error.ts'
import { changedTopics } from '../../lib/changed-topics.ts'
import { formatNumber, plural } from '../../lib/format.ts'
import { useAct, useCall } from '../../lib/use-call.ts'
import { toastDone, toastFailed } from '../../ui/feedback/outcome.ts'
import { entered, TextField } from '../../ui/form/text-field.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import { TypedConfirmDialog, useFreshText } from '../../ui/overlay/typed-confirm-dialog.tsx'
import type { DeletedRows } from '../../ui/table/deleted-rows.tsx'
import type { Untick } from '../../ui/table/selection.tsx'
import { claimIdOf, spokenClaim } from './shared/claim-parts.tsx'
import { deleteClaim } from './staff-queries.ts'

/** For names of controls and for messages. */
export function claimName(claim: AdminClaim): string {
  return spokenClaim(claimIdOf(claim), claim.prizeName, claim.username)
}

interface ClaimQuestionsProps {
  readonly acts: ReturnType<typeof useClaimActs>
  /** True while the search or the filter leaves claims out; Delete All deletes those too. */
  readonly isPartial: boolean
  /** How many there are in all. */
  readonly total: number
}

/** What is asked of one claim and of many, and what is said afterwards. */
const wordsOf = {
  approve: {
    verb: 'Approve',
    title: approveWord,
    noun: 'prize claim',
    ask: (these: string) => `Mark ${these} as complete?`,
    tone: 'primary',
    done: 'updated',
    failed: 'Error updating prize claim',
    fallback: 'Failed to update prize claim status',
  },
  delete: {
    verb: 'Delete',
    title: () => 'Delete claim',
    noun: 'claim',
    ask: (these: string) =>
      `Are you sure you want to delete ${these}? This action cannot be undone.`,
    tone: 'danger',
    done: 'deleted',
    failed: 'Error deleting prize claim',
    fallback: 'Unable to delete prize claim',
  },
} as const

export function ClaimQuestions({ acts, isPartial, total }: ClaimQuestionsProps) {
  const { question, close, isPending } = acts
  const claims = question?.claims ?? []
  const confirm = () => void acts.confirm()
  return (
    <>
      {Object.entries(wordsOf).map(([act, { verb, title, noun, ask, tone }]) => (
        <ConfirmDialog
          key={act}
          isOpen={question?.act === act}
          onOpenChange={close}
          title={
            claims.length > 1 ? `${verb} ${formatNumber(claims.length)} claims` : title(claims[0])
          }
          description={ask(
            claims.length > 1 ? `these ${formatNumber(claims.length)} ${noun}s` : `this ${noun}`,
          )}
          confirmLabel="Confirm"
          tone={tone}
          onConfirm={confirm}
          isPending={isPending}
        >
          <ClaimNames claims={claims} />
        </ConfirmDialog>
      ))}
      <RestoreQuestion
        isOpen={question?.act === 'restore'}
        claims={claims}
        onClose={close}
        onConfirm={(reason) => void acts.confirm(reason)}
        isPending={isPending}
      />
      <TypedConfirmDialog
        isOpen={question?.act === 'delete-all'}
        onOpenChange={close}
        title="Delete All"
        description={`Are you sure you want to delete ALL ${formatNumber(total)} prize claims? This action cannot be undone.`}
        phrase="delete all"
        confirmLabel="Confirm"
        onConfirm={confirm}
        isPending={isPending}
      >
        {isPartial && <p className="text-warning">Filters do not apply: every claim is deleted.</p>}
      </TypedConfirmDialog>
    </>
  )
}

/** Longest reason, in characters. */
const reasonMax = 500

interface RestoreQuestionProps {
  readonly isOpen: boolean
  readonly claims: readonly AdminClaim[]
  readonly onClose: () => void
  readonly onConfirm: (reason: string) => void
  readonly isPending: boolean
}

/** The deletion was said to be final, so its end is given a reason. */
function RestoreQuestion({ claims, onClose, onConfirm, ...rest }: RestoreQuestionProps) {
  const [reason, setReason] = useFreshText(rest.isOpen)
  return (
    <ConfirmDialog
      {...rest}
      onOpenChange={onClose}
      title={claims.length > 1 ? `Restore ${formatNumber(claims.length)} claims` : 'Restore claim'}
      description="It returns as it was, also for the winner."
      confirmLabel="Restore"
      tone="primary"
      canConfirm={reason.trim() !== ''}
      onConfirm={() => onConfirm(reason.trim())}
    >
      <ClaimNames claims={claims} />
      <TextField
        label="Reason"
        hint="Shown in the audit log."
        fieldClassName="mt-4"
        maxLength={reasonMax}
        {...entered(reason, setReason)}
      />
    </ConfirmDialog>
  )
}

const namesMax = 5

function ClaimNames({ claims }: { readonly claims: readonly AdminClaim[] }) {
  return (
    <ul className="list-none p-0">
      {claims.slice(0, namesMax).map((claim) => (
        <li key={claim.id} className="break-words">
          <span className="font-mono text-sm">
            <Masked what="Claim ID" canReveal={false}>
              {claimIdOf(claim)}
            </Masked>
          </span>{' '}
          {claim.prizeName}, @{claim.username}
        </li>
      ))}
      {claims.length > namesMax && (
        <li className="text-muted">and {plural(claims.length - namesMax, 'more', 'more')}</li>
      )}
    </ul>
  )
}

interface ClaimQuestion {
  readonly act: ClaimAct | 'delete-all' | 'restore'
  /** Empty for all of them. */
  readonly claims: readonly AdminClaim[]
  readonly onDone?: Untick<AdminClaim>
}

/** The claims that an act was done to; undefined for what may go well when it is tried again. */
type Done = readonly AdminClaim[] | undefined

/** Many claims in one message: which went well, and why each of the others did not. */
function reportMany(
  { verdicts, doneCount }: ChangeManyClaimsResponse,
  claims: readonly AdminClaim[],
  { done, failed, fallback }: (typeof wordsOf)[ClaimAct],
): void {
  const refused = verdicts.filter(({ verdict }) => verdict === 'refused')
  if (refused.length === 0) {
    const names = claims.slice(0, namesMax).map(claimName)
    const more = claims.length - namesMax
    const list = `${names.join(', ')}${more > 0 ? ` and ${plural(more, 'more', 'more')}` : ''}`
    toastDone(`${plural(doneCount, 'prize claim', 'prize claims')} ${done} successfully: ${list}`)
    return
  }
  const reasons = refused.map(({ id, reason }) => {
    const claim = claims.find((each) => each.id === id)
    return `${claim ? claimName(claim) : `PR-${id}`}: ${reason ?? fallback}`
  })
  const text = [`${doneCount} of ${verdicts.length} ${done}.`, ...reasons].join('\n')
  toastFailed(failed, new Error(text), text)
}

/** `deleted` keeps the places of the claims that are deleted. */
export function useClaimActs(deleted: DeletedRows<AdminClaim>) {
  const [question, ask] = useState<ClaimQuestion>()
  const [going, setGoing] = useState<ClaimQuestion>()
  const approve = useCall(adminClaimsContract.update)
  const remove = useAct({ mutationFn: (id: number) => deleteClaim(id) })
  const changeMany = useCall(adminClaimsContract.changeMany)
  const removeAll = useCall(adminClaimsContract.removeAll)
  const restore = useCall(adminClaimsContract.restore)

  /** One claim is changed by its own call, many by one call that judges each. */
  const change = async (act: ClaimAct, claims: readonly AdminClaim[]): Promise<Done> => {
    const words = wordsOf[act]
    const [first] = claims
    if (act === 'delete') for (const claim of claims) deleted.begin(claim, claimName(claim))
    try {
      if (claims.length > 1) {
        const ids = claims.map(({ id }) => id)
        const answer = await changeMany.mutateAsync({ body: { act, ids } })
        const ended = answer.verdicts
          .filter(({ verdict }) => verdict === 'done')
          .map(({ id }) => id)
        const done = claims.filter(({ id }) => ended.includes(id))
        for (const claim of claims) {
          if (done.includes(claim)) deleted.settle(claim)
          else deleted.giveUp(claim)
        }
        reportMany(answer, claims, words)
        return done
      }
      if (first !== undefined) {
        const { id } = first
        if (act === 'delete') await remove.mutateAsync(id)
        else await approve.mutateAsync({ params: { id }, body: { status: 'completed' } })
        deleted.settle(first)
        toastDone(`Prize claim ${words.done} successfully: ${claimName(first)}`)
      }
      return claims
    } catch (error) {
      for (const claim of claims) deleted.giveUp(claim)
      // What was refused is another than it looked.
      changedTopics.announce(['claims'], 'call')
      toastFailed(words.failed, error, words.fallback)
      // Asked again, what is completed or gone would be refused again.
      return error instanceof ApiError && [404, 409].includes(error.status) ? [] : undefined
    }
  }
  const deleteEverything = async (): Promise<Done> => {
    try {
      const { deletedCount } = await removeAll.mutateAsync({})
      toastDone(`${plural(deletedCount, 'prize claim', 'prize claims')} deleted successfully`)
      return []
    } catch (error) {
      toastFailed('Error deleting all prize claims', error, 'Unable to delete prize claims')
      return undefined
    }
  }

  const restoreThese = async (claims: readonly AdminClaim[], reason: string): Promise<Done> => {
    try {
      const ids = claims.map(({ id }) => id)
      const { restoredCount } = await restore.mutateAsync({ body: { ids, reason } })
      toastDone(`${plural(restoredCount, 'prize claim', 'prize claims')} restored successfully`)
      return claims
    } catch (error) {
      toastFailed('Error', error, 'Failed to restore prize claims')
      return undefined
    }
  }

  /** `reason` is said where one is asked for. */
  const confirm = async (reason = '') => {
    if (!question) return
    const { act, claims, onDone } = question
    const begin = () => {
      if (act === 'delete-all') return deleteEverything()
      return act === 'restore' ? restoreThese(claims, reason) : change(act, claims)
    }
    // Another question may have been asked by the time that this one is answered.
    const end = (now: ClaimQuestion | undefined) => (now === question ? undefined : now)
    setGoing(question)
    const done = await begin()
    setGoing(end)
    if (!done) return
    onDone?.(done)
    ask(end)
  }
  const isPending = question !== undefined && question === going
  return { question, ask, close: () => ask(undefined), confirm, isPending }
}

/** This tab acts on what is not completed; the prizes dialog of a user deletes any. */
export function isOpenClaim(claim: AdminClaim): boolean {
  return claim.status !== 'completed' && claim.deletedAt === null && !claim.isAutoCompleted
}

/** What ends a claim is called: one in the works has been approved already. */
export function approveWord(claim: Pick<AdminClaim, 'status'> | undefined): string {
  return claim?.status === 'processing' ? 'Complete' : 'Approve'
}

const deliveryLabels: Readonly<Record<keyof Delivery, string>> = {
  name: 'Name',
  addressLines: 'Address',
  city: 'City',
  postalCode: 'Postal code',
  country: 'Country',
  phone: 'Phone',
  note: 'Note',
  answers: 'Answers',
}

interface DeliveryLine {
  readonly label: string
  readonly value: string
}

/** Each question with its answer. */
export function answerLines(value: unknown): DeliveryLine[] {
  const answers = z.array(DeliveryAnswer).safeParse(value).data ?? []
  return answers.map(({ question, answer }) => ({ label: question, value: answer }))
}

/** What is stored about where a prize goes, whatever its form, in the order of an envelope. */
export function deliveryLines(contactInfo: AdminClaim['contactInfo']): DeliveryLine[] {
  if (contactInfo === null) return []
  if (typeof contactInfo === 'string') return [{ label: 'Details', value: contactInfo }]
  const known = Object.keys(deliveryLabels)
  const others = Object.keys(contactInfo).filter((key) => !known.includes(key))
  return [...known, ...others].flatMap((key) => {
    const value = contactInfo[key]
    if (value === undefined || value === null || value === '') return []
    if (key === 'answers') return answerLines(value)
    const label = deliveryLabels[key as keyof Delivery] ?? key
    if (Array.isArray(value)) return [{ label, value: value.join('\n') }]
    return [{ label, value: typeof value === 'object' ? JSON.stringify(value) : String(value) }]
  })
}

/** Why the list could not be loaded: status, words and body of the answer. */
export function loadErrorText(error: Error): string {
  const message =
    error instanceof ApiError ? `${error.status} ${error.statusText}: ${error.body}` : error.message
  return `Error loading prize claims: ${message}`
}
