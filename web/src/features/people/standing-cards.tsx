// What staff decide on how a user stands: the name that is shown, and a suspension.

import {
  type AdminPerson,
  type AdminUser,
  displayNameMax,
  standingContract,
  standingTextMax,
} from '@redpack/contract'
import { EyeOff, PauseCircle, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { useCall } from '../../lib/use-call.ts'
import { ending } from '../../ui/feedback/outcome.ts'
import { Button } from '../../ui/form/button.tsx'
import { entered, Form, TextField, type TextFieldProps } from '../../ui/form/text-field.tsx'
import { Moment } from '../../ui/media/moment.tsx'
import { useQuestion } from '../../ui/overlay/question.tsx'
import { useIsSuspended } from './users-columns.tsx'

/** Said of any change here that failed. */
const failed = 'Failed to change this user'

/** A field is blank again once what it held was sent; what was typed since then stays. */
export const blankOnce = (sent: string) => (now: string) => (now === sent ? '' : now)

interface UserProps {
  readonly user: AdminUser
}

export function ShownName({ user }: UserProps) {
  const [name, setName] = useState('')
  const [reason, setReason] = useState('')
  const show = useCall(standingContract.showName)
  const restore = useCall(standingContract.restoreName)
  const params = { id: user.id }
  const isHiding = name.trim() === ''
  const submit = () => {
    if (reason.trim() === '' || show.isPending) return
    const clear = () => {
      setName(blankOnce(name))
      setReason(blankOnce(reason))
    }
    show.mutate(
      { params, body: { name: isHiding ? null : name, reason } },
      ending(
        isHiding ? 'The name is hidden everywhere' : `Everyone now sees ${name}`,
        failed,
        clear,
      ),
    )
  }
  return (
    <section aria-label="Shown name" className="card grid gap-3 p-4">
      <h3 className="text-lg">Shown name</h3>
      <p className="wrap-anywhere">
        Everyone sees <strong>{user.displayName}</strong>
        {user.ownName !== null && (
          <>
            {' '}
            in place of <strong>{user.ownName}</strong>
          </>
        )}
        .{user.isNameFlagged && ' The name contains a word from the list.'}
      </p>
      {(user.ownName !== null || user.isNameFlagged) && (
        <Button
          icon={RotateCcw}
          tone="secondary"
          className="justify-self-start"
          isPending={restore.isPending}
          onClick={() =>
            restore.mutate({ params }, ending('Their own name is shown again', failed))
          }
        >
          {user.ownName === null ? 'The name is fine' : 'Show their own name again'}
        </Button>
      )}
      <Form onSubmit={submit} className="grid gap-3">
        <TextField
          label="Name to show"
          hint={`Leave blank to hide the name: everyone then sees Viewer ${user.id}.`}
          maxLength={displayNameMax}
          {...entered(name, setName)}
        />
        <ReasonField label="Reason for the name" {...entered(reason, setReason)} />
        <Button
          icon={EyeOff}
          type="submit"
          tone="danger"
          className="justify-self-start"
          disabled={reason.trim() === ''}
          isPending={show.isPending}
        >
          {isHiding ? 'Hide name' : 'Show this name'}
        </Button>
      </Form>
    </section>
  )
}

function ReasonField(props: Pick<TextFieldProps, 'label' | 'value' | 'onChange' | 'hint'>) {
  return <TextField required maxLength={standingTextMax} {...props} />
}

/** Null, for no end, when blank; undefined unless the entered time is still to come. */
function endOf(until: string): string | null | undefined {
  if (until === '') return null
  const end = new Date(until)
  return end.getTime() > Date.now() ? end.toISOString() : undefined
}

export function SuspensionOfUser({ user }: UserProps) {
  const [until, setUntil] = useState('')
  const [reason, setReason] = useState('')
  const suspend = useCall(standingContract.suspend)
  const lift = useCall(standingContract.endSuspension)
  const end = endOf(until)
  const when = end ? formatDateTime(end) : 'staff end it'
  const isHolding = useIsSuspended(user.suspension)
  const params = { id: user.id }
  const send = () => {
    if (end === undefined) return
    const clear = () => {
      setUntil(blankOnce(until))
      setReason(blankOnce(reason))
    }
    return suspend.mutate(
      { params, body: { until: end, reason } },
      ending(`${user.displayName} is suspended`, failed, clear),
    )
  }
  const [ask, question] = useQuestion(() => ({
    title: `Suspend ${user.displayName}?`,
    description: `They cannot open packs, buy or earn until ${when}. They keep what they have.`,
    confirmLabel: 'Suspend',
    onConfirm: send,
  }))
  const submit = () => {
    if (reason.trim() !== '' && end !== undefined) ask()
  }
  return (
    <section aria-label="Suspension" className="card grid gap-3 p-4">
      <h3 className="text-lg">Suspension</h3>
      {user.suspension && <CurrentSuspension suspension={user.suspension} isHolding={isHolding} />}
      {user.suspension && isHolding ? (
        <Button
          icon={RotateCcw}
          tone="secondary"
          className="justify-self-start"
          isPending={lift.isPending}
          onClick={() => lift.mutate({ params }, ending('The suspension is over', failed))}
        >
          End the suspension
        </Button>
      ) : (
        <Form onSubmit={submit} className="grid gap-3">
          <p className="text-muted">
            While suspended, they cannot open packs, buy or earn. They can still read, receive
            prizes already won, download their data, delete their account and answer once.
          </p>
          <TextField
            label="Until"
            type="datetime-local"
            max="9999-12-31T23:59"
            hint="In your local time. Leave blank for no end."
            {...(end === undefined && { error: 'Choose a time in the future' })}
            {...entered(until, setUntil)}
          />
          <ReasonField
            label="Reason for the suspension"
            hint="The user reads it on every screen."
            {...entered(reason, setReason)}
          />
          <Button
            icon={PauseCircle}
            type="submit"
            tone="danger"
            className="justify-self-start"
            disabled={reason.trim() === ''}
          >
            Suspend
          </Button>
        </Form>
      )}
      {question}
    </section>
  )
}

interface CurrentSuspensionProps {
  readonly suspension: NonNullable<AdminUser['suspension']>
  readonly isHolding: boolean
}

function CurrentSuspension({ suspension, isHolding }: CurrentSuspensionProps) {
  const { reason, until, answer } = suspension
  const when = until === null ? 'without an end' : `until ${formatDateTime(until)}`
  return (
    <>
      <p className="wrap-anywhere">
        <strong className={isHolding ? 'text-danger' : undefined}>
          {isHolding ? `Suspended ${when}` : `Was suspended ${when}`}
        </strong>
        : {reason}
      </p>
      {answer !== null && (
        <blockquote className="border-s-4 border-line ps-3">
          <p className="text-sm text-muted">Their answer</p>
          <p className="whitespace-pre-wrap wrap-anywhere">{answer}</p>
        </blockquote>
      )}
    </>
  )
}

const words: Readonly<Record<string, string>> = {
  'name.hide': 'Name hidden',
  'name.replace': 'Name replaced',
  'name.restore': 'Own name shown again',
  'suspension.set': 'Suspended',
  'suspension.end': 'Suspension ended',
}

/** One change of the shown name or of a suspension. */
export function StandingLine({
  entry,
}: {
  readonly entry: AdminPerson['standingHistory'][number]
}) {
  const { action, value, reason, actor, createdAt } = entry
  const shown = value !== null && action === 'suspension.set' ? formatDateTime(value) : value
  const joint = action === 'suspension.set' ? ' until ' : ': '
  return (
    <li className="flex flex-wrap justify-between gap-x-4 border-b border-line py-2">
      <span className="min-w-0 wrap-anywhere">
        {words[action] ?? action}
        {shown !== null && joint + shown}
        {actor ? ` by @${actor.username}` : ' automatically'}
        {reason && <span className="block text-sm text-muted">{reason}</span>}
      </span>
      <Moment at={createdAt} className="text-sm text-muted" />
    </li>
  )
}
