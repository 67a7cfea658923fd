// The Bot Credentials tab: the Discord bot and the Twitch bot, one at a time.

import { zodResolver } from '@hookform/resolvers/zod'
import {
  type BotCredentials,
  adminBotsContract as contract,
  SaveBotCredentialsRequest,
} from '@redpack/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Eye, EyeOff, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import type * as z from 'zod/mini'
import { call } from '../../lib/api.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'
import { formatDateTime } from '../../lib/format.ts'
import { useSearchValue } from '../../lib/search-value.ts'
import { useCall } from '../../lib/use-call.ts'
import { reportOutcome, toastDone, toastFailed, toastUnchanged } from '../../ui/feedback/outcome.ts'
import { Badge, type BadgeProps, DataState, Notice } from '../../ui/feedback/state.tsx'
import { Button, IconButton } from '../../ui/form/button.tsx'
import { fieldOf, showFieldErrors } from '../../ui/form/form-fields.tsx'
import { resetOnceSent } from '../../ui/form/record-form.ts'
import { TextField, type TextFieldProps, verbatim } from '../../ui/form/text-field.tsx'
import { Card, CardHeader, Detail, PanelHeader } from '../../ui/layout/section.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'
import { Moment } from '../../ui/media/moment.tsx'
import { LeaveGuard } from '../../ui/overlay/leave-guard.tsx'
import { useQuestion } from '../../ui/overlay/question.tsx'
import { DiscordBot } from '../discord-bot/shared/discord-bot.tsx'

export function BotCredentialsPanel() {
  const [bot, setBot] = useSearchValue('bot')
  return (
    <section aria-labelledby="bots-heading" className="min-w-0">
      <PanelHeader id="bots-heading" title="Bot Credentials" className="mb-4" />
      <Tabs
        label="Bots"
        value={bot === 'twitch' ? 'twitch' : 'discord'}
        onChange={(value) => setBot(value === 'twitch' ? value : '')}
        tabs={[
          { value: 'discord', label: 'Discord Bot', content: <DiscordBot /> },
          { value: 'twitch', label: 'Twitch Bot', content: <TwitchBot /> },
        ]}
      />
    </section>
  )
}

export function TwitchBot() {
  const credentials = useQuery(credentialsQuery)
  return (
    <DataState
      query={credentials}
      what="the Twitch credentials"
      skeleton="h-96"
      className="grid gap-4"
      isOnPage
    >
      {(stored) => (
        <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-2">
          <CredentialsForm credentials={stored} />
          <CredentialsState credentials={stored} />
        </div>
      )}
    </DataState>
  )
}

const states: Readonly<
  Record<BotCredentials['state'], { readonly tone: BadgeProps['tone']; readonly label: string }>
> = {
  ready: { tone: 'success', label: 'OK' },
  limited: { tone: 'warning', label: 'Limited' },
  expiring: { tone: 'warning', label: 'Expires soon' },
  rejected: { tone: 'danger', label: 'Rejected by Twitch' },
  unchecked: { tone: 'idle', label: 'Not checked yet' },
  unreadable: { tone: 'danger', label: 'Unreadable' },
}

function CredentialsState({ credentials }: { readonly credentials: BotCredentials | null }) {
  const remove = useDeleteCredentials()
  const [askDeletion, question] = useQuestion(() => ({
    title: 'Delete the Twitch credentials',
    description: 'Are you sure you want to delete the Twitch credentials?',
    confirmLabel: 'Confirm',
    onConfirm: () =>
      reportOutcome(remove.mutateAsync(), {
        done: 'Twitch credentials deleted successfully',
        fallback: 'Failed to delete Twitch credentials',
      }),
    children: (
      <p className="text-sm text-muted">The bot will no longer write in chat or see chatters.</p>
    ),
  }))
  if (!credentials) {
    return (
      <Notice tone="info">
        Without credentials the bot cannot write in chat or see chatters. Watch rewards work all the
        same.
      </Notice>
    )
  }
  const { state, advice, expiresAt, canRefresh, checkedAt } = credentials
  const { tone, label } = states[state]
  return (
    <Card>
      <CardHeader
        level={3}
        title={credentials.botUsername}
        action={<Badge tone={tone}>{label}</Badge>}
      />
      {advice && (
        <Notice tone={state === 'rejected' ? 'danger' : 'warning'} role="status" className="mb-4">
          {advice}
        </Notice>
      )}
      <dl className="grid gap-x-4 gap-y-2 sm:grid-cols-[10rem_minmax(0,1fr)]">
        <Detail term="Access token">
          <code className="break-all">{credentials.accessToken}</code>
        </Detail>
        <Detail term="Refresh token">
          {credentials.refreshToken ? (
            <code className="break-all">{credentials.refreshToken}</code>
          ) : (
            'None'
          )}
        </Detail>
        <Detail term="Can write in chat">{credentials.canSendChat ? 'Yes' : 'No'}</Detail>
        <Detail term="Can see chatters">{credentials.canReadChatters ? 'Yes' : 'No'}</Detail>
        <Detail term="Token expires">
          {expiresAt ? formatDateTime(expiresAt) : 'Unknown'}
          {canRefresh && ', renews automatically'}
        </Detail>
        <Detail term="Last checked">{checkedAt ? <Moment at={checkedAt} /> : 'Never'}</Detail>
      </dl>
      <Button icon={Trash2} tone="danger" className="mt-6" onClick={() => askDeletion()}>
        Delete credentials
      </Button>
      {question}
    </Card>
  )
}

// The form for the Twitch bot's credentials. Stored tokens stand in it as their mask alone.
type Draft = z.input<typeof SaveBotCredentialsRequest>

function draftOf(credentials: BotCredentials | null): Draft {
  const texts = fields.map((name) => [name, credentials?.[name] ?? ''])
  return Object.fromEntries(texts) as Draft
}

const plainFields = [
  { name: 'botUsername', label: 'Bot username' },
  { name: 'botUserId', label: 'Bot user ID' },
  { name: 'clientId', label: 'Client ID' },
] as const
const tokens = ['accessToken', 'refreshToken'] as const
const fields = [...plainFields.map(({ name }) => name), ...tokens] as const

function CredentialsForm({ credentials }: { readonly credentials: BotCredentials | null }) {
  const { mutateAsync, isPending } = useCall(contract.saveCredentials, credentialsQuery.queryKey)
  const form = useForm<Draft, unknown, SaveBotCredentialsRequest>({
    resolver: zodResolver(SaveBotCredentialsRequest),
    // What is stored by now, but for what was typed.
    values: draftOf(credentials),
    resetOptions: { keepDirty: true, keepDirtyValues: true },
  })
  const { isDirty } = form.formState
  const save = form.handleSubmit(async (body) => {
    if (credentials && !isDirty) return toastUnchanged()
    const reset = resetOnceSent(form)
    try {
      // What was typed leaves the page: the answer holds masks alone.
      reset(draftOf(await mutateAsync({ body })))
      toastDone('Twitch credentials updated successfully')
    } catch (error) {
      showFieldErrors(form, fields, error)
      toastFailed('Error', error, 'Failed to save Twitch credentials')
    }
  })
  const stays = credentials ? 'Leave as is to keep the stored one.' : undefined
  return (
    <Card>
      <CardHeader level={3} title="Twitch bot credentials" />
      <form noValidate onSubmit={save} aria-label="Twitch bot credentials" className="grid gap-5">
        {plainFields.map(({ name, label }) => (
          <TextField key={name} label={label} required {...verbatim} {...fieldOf(form, name)} />
        ))}
        <SecretField label="Access token" required hint={stays} {...fieldOf(form, 'accessToken')} />
        <SecretField
          label="Refresh token"
          hint={stays ?? 'Optional. Without it, the access token will expire.'}
          {...fieldOf(form, 'refreshToken')}
        />
        <LeaveGuard isUnsaved={isDirty && !isPending} />
        <Button
          pendingLabel="Saving..."
          type="submit"
          isPending={isPending}
          className="justify-self-end"
        >
          Save credentials
        </Button>
      </form>
    </Card>
  )
}

const shownMs = 10_000

interface SecretFieldProps extends Omit<TextFieldProps, 'type' | 'end' | 'label'> {
  readonly label: string
}

/** A field for a token: dots, until somebody asks to see it for ten seconds. */
function SecretField(props: SecretFieldProps) {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    if (!isShown) return
    const timer = setTimeout(() => setShown(false), shownMs)
    return () => clearTimeout(timer)
  }, [isShown])
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      {...verbatim}
      end={
        <IconButton
          label={`${isShown ? 'Hide' : 'Show'} ${props.label.toLowerCase()}`}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
          icon={isShown ? EyeOff : Eye}
        />
      }
    />
  )
}

const credentialsQuery = endpointQuery(contract.credentials, {
  shows: ['twitch_bot'],
  mayBeNothing: true,
})

function useDeleteCredentials() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(contract.deleteCredentials),
    onSuccess: () => queryClient.setQueryData(credentialsQuery.queryKey, null),
  })
}
