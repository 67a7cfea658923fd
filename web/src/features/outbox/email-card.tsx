// News by e-mail: the address and its proof, what is sent, and when nothing is.

import {
  type NotificationsResponse,
  notificationKinds,
  notificationRules,
  notificationsContract,
  verifyLinkHours,
} from '@redpack/contract'
import { Mail } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../lib/api-error.ts'
import { useCall } from '../../lib/use-call.ts'
import { Badge } from '../../ui/feedback/badge.tsx'
import { askAgain, LoadError, Loading, Skeleton } from '../../ui/feedback/data-state.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { toastFailed } from '../../ui/feedback/outcome.ts'
import { Button } from '../../ui/form/button.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { SwitchField } from '../../ui/form/toggle-fields.tsx'
import { Card, CardHeader } from '../../ui/layout/card.tsx'
import { Disclosure } from '../../ui/layout/disclosure.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import { notificationsQuery, useNotifications } from './queries.ts'

const usualNight = { from: '22:00', until: '08:00' } as const

/** `suggested` is the address of the profile. There is no card where no mail can be sent. */
export function EmailCard({ suggested }: { readonly suggested: string }) {
  const notifications = useNotifications()
  const { data, error } = notifications
  if (data && !data.isEmailSetUp) return null
  return (
    <Card role="group" aria-label="News by e-mail">
      <CardHeader title="News by e-mail" icon={Mail} action={data && <AddressBadge of={data} />} />
      {data && <Settings settings={data} suggested={suggested} />}
      {!data && error && (
        <LoadError title="Error loading your e-mail settings" {...askAgain(notifications)} />
      )}
      {!data && !error && (
        <Loading label="Loading your e-mail settings" className="grid gap-3">
          <Skeleton className="h-11" />
        </Loading>
      )}
    </Card>
  )
}

function AddressBadge({ of }: { readonly of: NotificationsResponse }) {
  const { address, verified } = of.channels.email
  if (verified) return <Badge tone="success">On</Badge>
  return <Badge tone="idle">{address === null ? 'Off' : 'Waiting'}</Badge>
}

interface SettingsProps {
  readonly settings: NotificationsResponse
  readonly suggested: string
}

function Settings({ settings, suggested }: SettingsProps) {
  const { address, verified, pending, refusedAt } = settings.channels.email
  const [isChanging, setChanging] = useState(false)
  const save = useCall(notificationsContract.update, notificationsQuery.queryKey)
  const change = (body: Parameters<typeof save.mutate>[0]['body']) =>
    save.mutate(
      { body },
      {
        onError: (error) => toastFailed('Error', error, 'Your e-mail settings could not be saved'),
      },
    )
  const waiting = verified ? pending : address
  return (
    <div className="grid gap-4">
      {refusedAt !== null && (
        <Notice tone="warning">
          Your address refused our mail, so none is sent there any more. Another one, or the same
          once it works, brings it back.
        </Notice>
      )}
      {verified && (
        <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <Masked what="Email">
            <span className="min-w-0 font-medium break-all">{address}</span>
          </Masked>
          <span className="flex gap-1">
            <Button tone="ghost" size="compact" onClick={() => setChanging(!isChanging)}>
              Change
            </Button>
            <Button
              tone="ghost"
              size="compact"
              isPending={save.isPending}
              onClick={() => change({ channels: { email: null } })}
            >
              Remove
            </Button>
          </span>
        </p>
      )}
      {waiting !== null && (
        <p role="status" className="text-muted">
          We sent a link to{' '}
          <Masked what="Email">
            <span className="break-all">{waiting}</span>
          </Masked>
          . It works for {verifyLinkHours} hours; until you open it, nothing is sent there.
        </p>
      )}
      {(!verified || isChanging) && (
        <AddressForm suggested={waiting ?? suggested} isAgain={waiting !== null} />
      )}
      {verified && (
        <>
          <Disclosure summary="What you hear of">
            <div className="grid gap-3">
              {notificationKinds.map((kind) => (
                <SwitchField
                  key={kind}
                  label={notificationRules[kind].label}
                  isOn={settings.preferences[kind].email}
                  onChange={(email) => change({ preferences: { [kind]: { email } } })}
                />
              ))}
            </div>
          </Disclosure>
          <Disclosure summary="Quiet hours">
            <QuietHours settings={settings} onChange={(quietHours) => change({ quietHours })} />
          </Disclosure>
        </>
      )}
    </div>
  )
}

function AddressForm({
  suggested,
  isAgain,
}: {
  readonly suggested: string
  readonly isAgain: boolean
}) {
  const [address, setAddress] = useState(suggested)
  const ask = useCall(notificationsContract.verifyEmail, notificationsQuery.queryKey)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    ask.mutate({ body: { address } })
  }
  return (
    <form noValidate onSubmit={onSubmit} className="grid gap-3">
      <Masked what="Email" isLasting isBlock>
        <TextField
          label="Send news to"
          type="email"
          autoComplete="email"
          value={address}
          onChange={(event) => setAddress(event.target.value)}
          error={ask.error ? messageOf(ask.error, 'The link could not be sent') : undefined}
          hint="We send a link there first, so that nobody else gets your mail."
        />
      </Masked>
      <Button
        type="submit"
        tone="secondary"
        isPending={ask.isPending}
        className="justify-self-start"
      >
        {isAgain ? 'Send the link again' : 'Send the link'}
      </Button>
    </form>
  )
}

interface QuietHoursProps {
  readonly settings: NotificationsResponse
  readonly onChange: (hours: NotificationsResponse['quietHours']) => void
}

function QuietHours({ settings: { quietHours, timezone }, onChange }: QuietHoursProps) {
  return (
    <div className="grid gap-3">
      <SwitchField
        label="Nothing at night"
        hint={`What happens then is sent afterwards; sign-ins and wallet changes at once. By the clock of ${timezone.replaceAll('_', ' ')}, your profile's time zone.`}
        isOn={quietHours !== null}
        onChange={(isOn) => onChange(isOn ? usualNight : null)}
      />
      {quietHours && (
        <div className="grid grid-cols-2 gap-3">
          {(['from', 'until'] as const).map((end) => (
            <TextField
              key={end}
              label={end === 'from' ? 'From' : 'Until'}
              type="time"
              value={quietHours[end]}
              onChange={({ target: { value } }) => {
                if (value !== '') onChange({ ...quietHours, [end]: value })
              }}
            />
          ))}
        </div>
      )}
    </div>
  )
}
