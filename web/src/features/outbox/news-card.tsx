// News outside of the product: where it goes, what is sent there, and when nothing is.

import {
  kindRules,
  type NotificationChannel,
  type NotificationsResponse,
  notificationKinds,
  notificationsContract,
  verifyLinkHours,
} from '@redpack/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Megaphone } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { messageOf } from '../../lib/api-error.ts'
import {
  NotAllowed,
  ownDeviceId,
  type PushState,
  pushState,
  subscribe,
} from '../../lib/push-device.ts'
import { unsubscribe } from '../../lib/push-subscription.ts'
import { useCall } from '../../lib/use-call.ts'
import { toastDone, toastFailed } from '../../ui/feedback/outcome.ts'
import { Badge, DataState, Notice } from '../../ui/feedback/state.tsx'
import { Button } from '../../ui/form/button.tsx'
import { entered, Form, TextField } from '../../ui/form/text-field.tsx'
import { CheckboxField, CheckboxGroup, SwitchField } from '../../ui/form/toggle-fields.tsx'
import { Card, CardHeader, Disclosure } from '../../ui/layout/section.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import { useQuestion } from '../../ui/overlay/question.tsx'
import { notificationsQuery, useNotifications, useStreamNames } from './queries.ts'

const usualNight = { from: '22:00', until: '08:00' } as const

const channelNames = { email: 'Email', push: 'Push', discord: 'Discord' } as const

/** What reaches the person now. */
function openChannels({
  channels,
  isDiscordPossible,
}: NotificationsResponse): NotificationChannel[] {
  const { email, push, discord } = channels
  const isOpen = {
    email: email.verified,
    push: push.length > 0,
    discord: isDiscordPossible && discord,
  }
  return (['email', 'push', 'discord'] as const).filter((channel) => isOpen[channel])
}

/** `suggested` is the address of the profile. No card where nothing can leave the product. */
export function NewsCard({ suggested }: { readonly suggested: string }) {
  const notifications = useNotifications()
  const { data } = notifications
  if (data && !data.isEmailSetUp && !data.isPushSetUp && !data.isDiscordPossible) return null
  return (
    <Card role="group" aria-label="News">
      <CardHeader title="News" icon={Megaphone} action={data && <NewsBadge of={data} />} />
      <DataState query={notifications} what="your news settings" skeleton="h-11" isBrief>
        {(settings) => <Settings settings={settings} suggested={suggested} />}
      </DataState>
    </Card>
  )
}

function NewsBadge({ of }: { readonly of: NotificationsResponse }) {
  if (openChannels(of).length > 0) return <Badge tone="success">On</Badge>
  const { address, isLinkOver } = of.channels.email
  return <Badge tone="idle">{address === null || isLinkOver ? 'Off' : 'Waiting'}</Badge>
}

type Change = ReturnType<typeof useSave>['change']

function useSave() {
  const save = useCall(notificationsContract.update, notificationsQuery.queryKey)
  const change = (body: Parameters<typeof save.mutate>[0]['body']) =>
    save.mutate(
      { body },
      {
        onError: (error) => toastFailed('Error', error, 'Your news settings could not be saved'),
      },
    )
  return { save, change }
}

interface SettingsProps {
  readonly settings: NotificationsResponse
  readonly suggested: string
}

function Settings({ settings, suggested }: SettingsProps) {
  const { save, change } = useSave()
  const { channels, isEmailSetUp, isPushSetUp, isDiscordPossible } = settings
  const open = openChannels(settings)
  return (
    <div className="grid gap-4">
      {isEmailSetUp && (
        <EmailSettings {...{ settings, suggested, change }} isSaving={save.isPending} />
      )}
      {isPushSetUp && <PushDevices devices={channels.push} />}
      {isDiscordPossible && (
        <SwitchField
          label="As a Discord message"
          hint={
            channels.discordRefusedAt === null
              ? 'From our bot to your linked account.'
              : 'Discord refused our last message. Allow messages from members of our server there, then switch it on again.'
          }
          isOn={channels.discord}
          onChange={(discord) => change({ channels: { discord } })}
        />
      )}
      {open.length > 0 && (
        <>
          <Disclosure summary="News you get">
            <Choices {...{ settings, open, change }} />
            {open.some((channel) => settings.preferences.stream_live[channel]) && (
              <LiveStreams stored={settings.liveStreams} />
            )}
          </Disclosure>
          <Disclosure summary="Quiet hours">
            <QuietHours settings={settings} onChange={(quietHours) => change({ quietHours })} />
          </Disclosure>
        </>
      )}
    </div>
  )
}

interface ChoicesProps {
  readonly settings: NotificationsResponse
  readonly open: readonly NotificationChannel[]
  readonly change: Change
}

/** Every kind by every channel that leads somewhere. */
function Choices({ settings: { preferences }, open, change }: ChoicesProps) {
  return (
    <table className="w-full">
      <thead>
        <tr className="text-left text-sm text-muted">
          <th scope="col" className="font-normal">
            News
          </th>
          {open.map((channel) => (
            <th key={channel} scope="col" className="w-16 text-center font-normal">
              {channelNames[channel]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {notificationKinds.map((kind) => (
          <tr key={kind}>
            <th scope="row" className="py-1 pr-2 text-left font-normal">
              {kindRules[kind].label}
            </th>
            {open.map((channel) => (
              <td key={channel}>
                <CheckboxField
                  label={
                    <span className="sr-only">
                      {kindRules[kind].label}: {channelNames[channel]}
                    </span>
                  }
                  isOn={preferences[kind][channel]}
                  onChange={(isOn) => change({ preferences: { [kind]: { [channel]: isOn } } })}
                  // As wide as the gap before the label, which takes no room.
                  className="justify-center pl-3"
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface LiveStreamsProps {
  /** Null for every one, also those to come. */
  readonly stored: readonly number[] | null
}

/** Saves by itself, so that a tick is made to the list that is being saved, not the one before. */
function LiveStreams({ stored }: LiveStreamsProps) {
  const { data = [] } = useStreamNames()
  const { save, change } = useSave()
  const [ticked, setTicked] = useState(stored)
  const chosen = save.isPending ? ticked : stored
  const all = data.map(({ id }) => id)
  return (
    <CheckboxGroup
      label="Which streams"
      choices={data.map(({ id, displayName }) => ({ value: id, label: displayName }))}
      values={chosen ?? all}
      onChange={(ids) => {
        const liveStreams = all.every((id) => ids.includes(id)) ? null : [...ids]
        setTicked(liveStreams)
        change({ liveStreams })
      }}
      empty="There are no streams yet."
    />
  )
}

interface EmailSettingsProps extends SettingsProps {
  readonly change: Change
  readonly isSaving: boolean
}

function EmailSettings({ settings, suggested, change, isSaving }: EmailSettingsProps) {
  const { address, verified, pending, isLinkOver, refusedAt } = settings.channels.email
  const [isChanging, setChanging] = useState(false)
  const waiting = verified ? pending : address
  return (
    <>
      {refusedAt !== null && (
        <Notice tone="warning">
          Your address refused our emails, so we stopped sending them. Confirm another address, or
          this one once it works.
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
              isPending={isSaving}
              onClick={() => change({ channels: { email: null } })}
            >
              Remove
            </Button>
          </span>
        </p>
      )}
      {waiting !== null && (
        <p role="status" className="text-muted">
          {isLinkOver ? 'The link that we sent to ' : 'We sent a link to '}
          <Masked what="Email">
            <span className="break-all">{waiting}</span>
          </Masked>
          {isLinkOver
            ? ' has expired, so nothing is sent there. You can request a new one.'
            : `. It works for ${verifyLinkHours} hours; until you open it, nothing is sent there.`}
        </p>
      )}
      {(!verified || isChanging || isLinkOver) && (
        <AddressForm suggested={waiting ?? suggested} isAgain={waiting !== null} />
      )}
    </>
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
  const onSubmit = () => {
    // The same link again changes nothing else on screen.
    ask.mutate({ body: { address } }, { onSuccess: () => toastDone('The link is on its way') })
  }
  return (
    <Form noValidate onSubmit={onSubmit} className="grid gap-3">
      <Masked what="Email" isLasting isBlock>
        <TextField
          label="Send news to"
          type="email"
          autoComplete="email"
          {...entered(address, setAddress)}
          error={ask.error ? messageOf(ask.error, 'The link could not be sent') : undefined}
          hint="We send a link there first, so that no one else gets your emails."
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
    </Form>
  )
}

interface QuietHoursProps {
  readonly settings: NotificationsResponse
  readonly onChange: (hours: NotificationsResponse['quietHours']) => void
}

type NightEnd = keyof typeof usualNight

/** What was typed of each hour, blank until it is whole, for as long as `of` is what is stored. */
type Drafts = { readonly [end in NightEnd]?: { readonly text: string; readonly of: string } }

function QuietHours({ settings: { quietHours, timezone }, onChange }: QuietHoursProps) {
  const [drafts, setDrafts] = useState<Drafts>({})
  const storedOf = (end: NightEnd) => quietHours?.[end] ?? ''
  const textOf = (end: NightEnd) =>
    drafts[end]?.of === storedOf(end) ? drafts[end].text : storedOf(end)
  const type = (end: NightEnd, text: string) =>
    setDrafts({ ...drafts, [end]: { text, of: storedOf(end) } })
  const leave = (end: NightEnd) => {
    const text = textOf(end)
    if (text === '') type(end, storedOf(end))
    else if (text !== storedOf(end)) onChange({ from: textOf('from'), until: textOf('until') })
  }
  return (
    <div className="grid gap-3">
      <SwitchField
        label="Pause news at night"
        hint={`News from these hours is sent afterwards; sign-ins and wallet changes are sent at once. Times are in ${timezone.replaceAll('_', ' ')}, your profile's time zone.`}
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
              value={textOf(end)}
              onChange={({ target: { value } }) => type(end, value)}
              onBlur={() => leave(end)}
            />
          ))}
        </div>
      )}
    </div>
  )
}

const hints: Readonly<Record<PushState, string>> = {
  unsupported:
    'This browser cannot show news. On an iPhone or iPad, add this page to the home screen and open it from there.',
  blocked:
    'This browser blocks our notifications. Allow them in its settings for this site, then come back.',
  off: 'This browser shows news even while the site is closed.',
  on: 'This browser shows news even while the site is closed.',
}

interface Device {
  readonly id: string
  readonly label: string
}

/** `devices` are those that the server knows. */
export function PushDevices({ devices }: { readonly devices: readonly Device[] }) {
  const ids = devices.map(({ id }) => id)
  const own = useQuery({
    queryKey: ['push-device', ids],
    queryFn: async () => ({ state: await pushState(ids), id: await ownDeviceId() }),
    // What the person allows changes outside of the page.
    refetchOnWindowFocus: true,
    staleTime: 0,
  })
  const add = useCall(notificationsContract.addDevice, notificationsQuery.queryKey)
  const forget = useCall(notificationsContract.forgetDevice, notificationsQuery.queryKey)
  // Asked about first: only that browser itself could be added again.
  const [ask, question] = useQuestion(({ id, label }: Device) => ({
    title: `Remove ${label}?`,
    description: 'It gets no more news until you turn it on there again.',
    confirmLabel: 'Remove',
    onConfirm: () =>
      forget.mutate(
        { body: { id } },
        { onError: (cause) => toastFailed('Error', cause, 'The device could not be removed') },
      ),
  }))
  const toggle = useMutation({
    mutationFn: async (isOn: boolean) => {
      const { id } = own.data ?? {}
      if (!isOn) {
        if (id !== undefined) await forget.mutateAsync({ body: { id } })
        return unsubscribe()
      }
      const { publicKey } = await call(notificationsContract.pushKey)
      const { endpoint, keys } = (await subscribe(publicKey ?? '')).toJSON()
      const { p256dh = '', auth = '' } = keys ?? {}
      await add.mutateAsync({ body: { endpoint: endpoint ?? '', keys: { p256dh, auth } } })
    },
    onSettled: () => own.refetch(),
    onError: (error) =>
      error instanceof NotAllowed ||
      toastFailed('Error', error, 'Push could not be turned on in this browser'),
  })
  const state = own.data?.state ?? 'off'
  const others = devices.filter(({ id }) => id !== own.data?.id)
  return (
    <>
      <SwitchField
        label="On this device"
        hint={hints[state]}
        isOn={state === 'on'}
        disabled={state === 'unsupported' || state === 'blocked' || toggle.isPending || !own.data}
        onChange={(isOn) => toggle.mutate(isOn)}
      />
      {others.length > 0 && (
        <ul aria-label="Other devices" className="grid gap-1">
          {others.map(({ id, label }) => (
            <li key={id} className="flex items-center justify-between gap-3">
              <span className="min-w-0 break-words">{label}</span>
              <Button
                tone="ghost"
                size="compact"
                aria-label={`Remove ${label}`}
                onClick={() => ask({ id, label })}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      {question}
    </>
  )
}
