// The Discord bot: how it stands, what it pays and when, where it may post, and a test of it all.

import { zodResolver } from '@hookform/resolvers/zod'
import {
  type BotSettings,
  adminBotsContract as contract,
  type DiscordServer,
  SaveBotSettingsRequest,
  TestClaimRequest,
} from '@redpack/contract'
import { useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { useMemo, useState } from 'react'
import { type UseFormReturn, useController, useForm } from 'react-hook-form'
import type * as z from 'zod/mini'
import { endpointQuery } from '../../../lib/endpoint-query.ts'
import { formatDateTime, formatList } from '../../../lib/format.ts'
import { useCall } from '../../../lib/use-call.ts'
import { reportOutcome, toastDone, toastUnchanged } from '../../../ui/feedback/outcome.ts'
import { bothOf, DataState, Notice } from '../../../ui/feedback/state.tsx'
import { Button } from '../../../ui/form/button.tsx'
import { FormNumber, FormSwitch, fieldOf } from '../../../ui/form/form-fields.tsx'
import { draftRules } from '../../../ui/form/kept-draft.ts'
import { editOf, resetOnceSent } from '../../../ui/form/record-form.ts'
import { heldBy, SharedNotice, useSharedRecord } from '../../../ui/form/shared-record.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { CheckboxGroup } from '../../../ui/form/toggle-fields.tsx'
import { Card, CardHeader, Disclosure, PanelHeader } from '../../../ui/layout/section.tsx'
import { LeaveGuard } from '../../../ui/overlay/leave-guard.tsx'
import { channelText, DiscordServers, toastFailure } from '../discord-servers.tsx'

/** How often the state of the bot is asked for while its tab is open, in milliseconds. */
const stateMs = 30_000

const discordServersQuery = {
  ...endpointQuery(contract.servers, { shows: ['discord_bot'], empty: [] }),
  refetchInterval: stateMs,
}

const botSettingsQuery = {
  ...endpointQuery(contract.settings, { shows: ['discord_bot'] }),
  refetchInterval: stateMs,
}

/** Hours as they are shown, and what each is saved as; any other hour is both. */
const savedHours: ReadonlyMap<number, number> = new Map([
  [6, 2],
  [12, 8],
  [18, 14],
  [24, 20],
])
const shownHours: ReadonlyMap<number, number> = new Map(
  [...savedHours].map(([shown, saved]) => [saved, shown]),
)

/** The schedule that the form is reset to, as it is shown. */
const scheduleDefault: readonly number[] = [...savedHours.keys()]

const inOrder = (hours: readonly number[]) => [...new Set(hours)].toSorted((a, b) => a - b)

/** Stored hours as the form shows them. */
export function toShownHours(stored: readonly number[]): number[] {
  return inOrder(stored.map((hour) => shownHours.get(hour) ?? hour))
}

/** Hours of the form as they are saved. */
export function toSavedHours(shown: readonly number[]): number[] {
  return shown.map((hour) => savedHours.get(hour) ?? hour)
}

/**
 * Every hour that can be shown: what another one is saved as would come back as that one, and so is
 * left out.
 */
export const hourChoices: readonly number[] = inOrder([
  ...scheduleDefault,
  ...Array.from({ length: 24 }, (_, hour) => hour).filter((hour) => !shownHours.has(hour)),
])

/** '2 AM' for the hour in New York at which a shown hour posts. */
export function postingTime(shown: number): string {
  const hour = (savedHours.get(shown) ?? shown) % 24
  return `${hour % 12 === 0 ? 12 : hour % 12} ${hour < 12 ? 'AM' : 'PM'}`
}

/** '2 AM, 8 AM and 2 PM Eastern time', or that there is none. */
export function scheduleText(shown: readonly number[]): string {
  const times = toSavedHours(shown)
    .map((saved) => ({ saved: saved % 24, time: postingTime(shownHours.get(saved) ?? saved) }))
    .toSorted((one, other) => one.saved - other.saved)
    .map(({ time }) => time)
  return times.length === 0 ? 'Never' : `${formatList(times)} Eastern time`
}

interface SettingsDraft {
  readonly rewardAmount: number | null
  readonly isActive: boolean
  /** Hours as they are shown. */
  readonly hours: readonly number[]
}

/** What the form is reset to, and starts with while nothing is saved. */
const defaultDraft: SettingsDraft = { rewardAmount: 1000, isActive: true, hours: scheduleDefault }

function draftOf(settings: BotSettings): SettingsDraft {
  const { rewardAmount, isActive, postSchedule, isDefault } = settings
  return isDefault
    ? { ...defaultDraft, hours: toShownHours(postSchedule) }
    : { rewardAmount, isActive, hours: toShownHours(postSchedule) }
}

const SettingsForm = draftRules(
  ({ rewardAmount, isActive, hours }: SettingsDraft): z.input<typeof SaveBotSettingsRequest> => ({
    rewardAmount: rewardAmount ?? Number.NaN,
    isActive,
    postSchedule: toSavedHours(hours),
  }),
  SaveBotSettingsRequest,
)
type Form = UseFormReturn<SettingsDraft, unknown, SaveBotSettingsRequest>

function DiscordSettings({ settings }: { readonly settings: BotSettings }) {
  const save = useCall(contract.saveSettings, botSettingsQuery.queryKey)
  const stored = useMemo(() => draftOf(settings), [settings])
  const form: Form = useForm<SettingsDraft, unknown, SaveBotSettingsRequest>({
    resolver: zodResolver(SettingsForm),
    defaultValues: stored,
  })
  const [sent, setSent] = useState<SettingsDraft>()
  const shared = useSharedRecord({ ...heldBy(form), sent }, stored)
  const { isDirty } = form.formState
  const submit = form.handleSubmit(async (request) => {
    if (!settings.isDefault && !isDirty) return toastUnchanged()
    const { rewardAmount, isActive, postSchedule } = settings
    // Hours that nobody touched stay as they are stored, whatever they are shown as.
    const isKept = form.getValues('hours').join() === toShownHours(postSchedule).join()
    const body = settings.isDefault
      ? { ...request, expected: { rewardAmount, isActive, postSchedule } }
      : editOf({ ...request, ...(isKept && { postSchedule }) }, settings)
    const reset = resetOnceSent(form)
    setSent(form.getValues())
    try {
      reset(draftOf(await save.mutateAsync({ body })))
      toastDone('Bot settings updated successfully')
    } catch (error) {
      toastFailure('Failed to save bot settings', error)
    }
  })
  const reset = () => {
    const options = { shouldDirty: true }
    form.setValue('rewardAmount', defaultDraft.rewardAmount, options)
    form.setValue('isActive', defaultDraft.isActive, options)
    form.setValue('hours', defaultDraft.hours, options)
  }
  return (
    <Card>
      <CardHeader level={3} title="Bot settings" />
      <form noValidate onSubmit={submit} aria-label="Bot settings" className="grid gap-5">
        {settings.isDefault && (
          <Notice tone="info">
            Not saved yet, {settings.rewardAmount} applies: until you save, a post pays{' '}
            {settings.rewardAmount} RedCoin.
          </Notice>
        )}
        <FormNumber
          control={form.control}
          name="rewardAmount"
          label="Reward amount (RedCoin)"
          hint="What each person gets for claiming a post."
          unit="RedCoin"
          required
          min={0}
          step={50}
        />
        <FormSwitch
          control={form.control}
          name="isActive"
          label="Active"
          hint="When off, nothing is posted. Open posts can still be claimed."
        />
        <Hours form={form} />
        <SharedNotice {...shared} />
        <LeaveGuard isUnsaved={isDirty && !save.isPending} />
        <div className="flex flex-wrap justify-end gap-3">
          <Button tone="secondary" onClick={reset} disabled={save.isPending}>
            Reset to defaults
          </Button>
          <Button pendingLabel="Saving..." type="submit" isPending={save.isPending}>
            Save settings
          </Button>
        </div>
      </form>
    </Card>
  )
}

/** The usual hours, others that are set, and behind a fold all the rest. */
function Hours({ form }: { readonly form: Form }) {
  const { field } = useController({ control: form.control, name: 'hours' })
  const [listed] = useState(() =>
    [...new Set([...scheduleDefault, ...field.value])].toSorted((a, b) => a - b),
  )
  const choices = (hours: readonly number[]) =>
    hours.map((hour) => ({
      value: hour,
      label: (
        <>
          {hour} <span className="font-normal text-muted">posts {postingTime(hour)}</span>
        </>
      ),
    }))
  const others = hourChoices.filter((hour) => !listed.includes(hour))
  const change = (hours: readonly number[]) => field.onChange(hours.toSorted((a, b) => a - b))
  return (
    <div className="min-w-0">
      <CheckboxGroup
        label="Post schedule"
        choices={choices(listed)}
        values={field.value}
        onChange={change}
        empty="No hours"
      >
        <p className="mt-1 text-sm text-muted">
          6, 12, 18 and 24 mean 2 AM, 8 AM, 2 PM and 8 PM in New York.
        </p>
      </CheckboxGroup>
      <Disclosure summary="Other hours">
        <CheckboxGroup
          label="Hours in New York"
          choices={choices(others)}
          values={field.value}
          onChange={change}
          empty="No other hours"
        />
      </Disclosure>
      <p aria-live="polite" className="mt-1">
        Posts: {scheduleText(field.value)}
      </p>
    </div>
  )
}

export function DiscordBot() {
  const settings = useQuery(botSettingsQuery)
  const servers = useQuery(discordServersQuery)
  return (
    <DataState
      query={bothOf(settings, servers)}
      what="the bot settings"
      skeleton={['h-40', 'h-64']}
      className="grid gap-4"
      title="Connection Error"
      description="Could not load the bot settings."
      retryLabel="Retry Connection"
      isOnPage
    >
      {([settings, servers]) => (
        <div className="grid grid-cols-1 gap-6">
          <BotState settings={settings} serverCount={servers.length} />
          <DiscordServers servers={servers} />
          <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <DiscordSettings settings={settings} />
            <TestClaim servers={servers} />
          </div>
        </div>
      )}
    </DataState>
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
        the server. You can prepare the list and the settings meanwhile.
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

export function DiscordBotPanel() {
  return (
    <section aria-labelledby="discord-heading" className="min-w-0">
      <PanelHeader id="discord-heading" title="Discord Bot" className="mb-4" />
      <DiscordBot />
    </section>
  )
}

/** Channels that one press fills in; any other is typed. */
const offeredMax = 5

function TestClaim({ servers }: { readonly servers: readonly DiscordServer[] }) {
  const test = useCall(contract.testClaim)
  const active = servers.filter(({ isActive }) => isActive).slice(0, offeredMax)
  const form = useForm<TestClaimRequest>({
    resolver: zodResolver(TestClaimRequest),
    defaultValues: { channelId: '' },
  })
  const send = form.handleSubmit(async (body) => {
    // Nobody sends it again but whoever presses again: each message pays.
    await reportOutcome(test.mutateAsync({ body }), {
      done: 'Test claim sent successfully',
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
          {...fieldOf(form, 'channelId')}
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
