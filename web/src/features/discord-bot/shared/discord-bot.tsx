// The Discord bot: how it stands, what it pays and when, where it may post, and a test of it all.

import { zodResolver } from '@hookform/resolvers/zod'
import {
  adminBotsContract,
  type BotSettings,
  type DiscordServer,
  TestClaimRequest,
} from '@redpack/contract'
import { useQuery } from '@tanstack/react-query'
import { RotateCw, Send, Unplug } from 'lucide-react'
import { useForm } from 'react-hook-form'
import { formatDateTime } from '../../../lib/format.ts'
import { useCall } from '../../../lib/use-call.ts'
import { Loading, Skeleton, SlowNote } from '../../../ui/feedback/data-state.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { reportOutcome } from '../../../ui/feedback/outcome.ts'
import { Button } from '../../../ui/form/button.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { Card, CardHeader } from '../../../ui/layout/card.tsx'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { PanelTitle } from '../../../ui/layout/headings.tsx'
import { channelText, DiscordServers } from '../discord-servers.tsx'
import { botSettingsQuery, DiscordSettings, discordServersQuery } from '../discord-settings.tsx'

export function DiscordBot() {
  const settings = useQuery(botSettingsQuery)
  const servers = useQuery(discordServersQuery)
  if (settings.data && servers.data) {
    return (
      <div className="grid grid-cols-1 gap-6">
        <BotState settings={settings.data} serverCount={servers.data.length} />
        <DiscordServers servers={servers.data} />
        <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          {/* A first save turns the form's start into what is stored. */}
          <DiscordSettings key={String(settings.data.isDefault)} settings={settings.data} />
          <TestClaim servers={servers.data} />
        </div>
      </div>
    )
  }
  const error = settings.error ?? servers.error
  if (error) {
    return (
      <ConnectionError
        error={error}
        isRetrying={settings.isFetching || servers.isFetching}
        onRetry={() => {
          void settings.refetch()
          void servers.refetch()
        }}
      />
    )
  }
  return (
    <Loading label="Loading the bot settings" className="grid gap-4">
      <Skeleton className="h-40" />
      <Skeleton className="h-64" />
      <SlowNote what="the bot settings" />
    </Loading>
  )
}

interface BotStateProps {
  readonly settings: BotSettings
  readonly serverCount: number
}

/** One sentence on whether the bot posts, and if not, what to do about it. */
function BotState({ settings, serverCount }: BotStateProps) {
  const { hasToken, problem, isActive, nextPostAt, rewardAmount } = settings
  if (!hasToken) {
    return (
      <Notice tone="warning" role="status">
        The bot has no token, so nothing is posted. Set <code>DISCORD_BOT_TOKEN</code> and restart
        the server. The list and the settings can be prepared meanwhile.
      </Notice>
    )
  }
  if (problem) {
    return (
      <Notice tone="danger" role="status">
        {problem}
      </Notice>
    )
  }
  if (!isActive) return <Notice tone="info">The bot is switched off.</Notice>
  if (rewardAmount === 0) {
    return <Notice tone="info">The reward is 0 RedCoin, so there is nothing to post.</Notice>
  }
  if (serverCount === 0) {
    return <Notice tone="info">Add a server to post to.</Notice>
  }
  return (
    <Notice tone="info">
      {nextPostAt
        ? `Next post: ${formatDateTime(nextPostAt)}, your time.`
        : 'The schedule is empty, so nothing is posted.'}
    </Notice>
  )
}

interface ConnectionErrorProps {
  readonly error: unknown
  readonly onRetry: () => void
  readonly isRetrying: boolean
}

/** The box in place of the bot's settings when they cannot be loaded. */
function ConnectionError({ error, onRetry, isRetrying }: ConnectionErrorProps) {
  return (
    <Card role="alert" className="grid justify-items-center gap-2 border-danger py-8 text-center">
      <Unplug aria-hidden="true" className="size-12 text-danger" />
      <h3 className="text-xl">Connection Error</h3>
      <p className="text-muted">Could not load the bot settings.</p>
      <Button tone="secondary" onClick={onRetry} isPending={isRetrying} className="mt-3">
        <RotateCw aria-hidden="true" />
        Retry Connection
      </Button>
      <Disclosure summary="Details" className="mt-2 max-w-full text-start">
        <code className="break-all text-sm text-muted">
          {error instanceof Error ? error.message : String(error)}
        </code>
      </Disclosure>
    </Card>
  )
}

export function DiscordBotPanel() {
  return (
    <section aria-labelledby="discord-heading" className="min-w-0">
      <PanelTitle id="discord-heading" className="mb-4">
        Discord Bot
      </PanelTitle>
      <DiscordBot />
    </section>
  )
}

/** Channels that one press fills in; any other is typed. */
const offeredMax = 5

function TestClaim({ servers }: { readonly servers: readonly DiscordServer[] }) {
  const test = useCall(adminBotsContract.testClaim)
  const active = servers.filter(({ isActive }) => isActive).slice(0, offeredMax)
  const form = useForm<TestClaimRequest>({
    resolver: zodResolver(TestClaimRequest),
    defaultValues: { channelId: '' },
  })
  const send = form.handleSubmit(async (body) => {
    // Nobody sends it again but whoever presses again: each message pays.
    await reportOutcome(test.mutateAsync({ body }), {
      done: 'Test claim sent successfully',
      failureTitle: 'Error',
      fallback: 'Failed to send test claim',
    })
  })
  return (
    <Card>
      <CardHeader
        level={3}
        title="Test claim"
        description="Posts a real reward, open for an hour. The channel must be whitelisted."
      />
      <form noValidate onSubmit={send} aria-label="Test claim" className="grid gap-5">
        <TextField
          label="Channel ID"
          required
          autoComplete="off"
          inputMode="numeric"
          error={form.formState.errors.channelId?.message}
          {...form.register('channelId')}
        />
        {active.length > 0 && (
          <ul aria-label="Whitelisted channels" className="flex list-none flex-wrap gap-2 p-0">
            {active.map(({ id, channelId, channelName, serverName }) => (
              <li key={id} className="min-w-0">
                <Button
                  tone="secondary"
                  size="compact"
                  className="min-h-11 max-w-full"
                  onClick={() => form.setValue('channelId', channelId, { shouldValidate: true })}
                >
                  <span className="truncate">
                    {serverName}, {channelText(channelName)}
                  </span>
                </Button>
              </li>
            ))}
          </ul>
        )}
        <Button
          icon={Send}
          pendingLabel="Sending..."
          type="submit"
          tone="secondary"
          isPending={test.isPending}
          className="justify-self-end"
        >
          Send test claim
        </Button>
      </form>
    </Card>
  )
}
