// The Messages tab: what went out to people, what waits, and what failed and can be sent again.

import {
  adminOutboxContract,
  kindRules,
  type NewsPreview,
  type NewsPreviewsResponse,
  notificationKinds,
  type OutboxMessage,
  type OutboxResponse,
  outboxLabels,
  outboxStates,
} from '@redpack/contract'
import { sentenceMax } from '@redpack/contract/limits'
import { keepPreviousData, useIsMutating, useQuery } from '@tanstack/react-query'
import { MailCheck } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { emptyPage, endpointQuery, useEndpoint } from '../../lib/endpoint-query.ts'
import { formatNumber } from '../../lib/format.ts'
import { useCall } from '../../lib/use-call.ts'
import { reportOutcome } from '../../ui/feedback/outcome.ts'
import { Badge, DataState, Empty } from '../../ui/feedback/state.tsx'
import { Button } from '../../ui/form/button.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { SharedNotice, useSharedRecord } from '../../ui/form/shared-record.tsx'
import { entered, Form, TextField } from '../../ui/form/text-field.tsx'
import { PanelHeader } from '../../ui/layout/section.tsx'
import { Moment } from '../../ui/media/moment.tsx'
import { LeaveGuard } from '../../ui/overlay/leave-guard.tsx'
import type { DataColumn } from '../../ui/table/columns.tsx'
import { DataTable, pagedByServer } from '../../ui/table/data-table.tsx'
import { useTableView } from '../../ui/table/table-view.ts'
import { useIsStaff } from '../session/queries.ts'

const pageSize = 50
const pollMs = 10_000
const defaults = { filters: { state: '' } }
const none: OutboxResponse = {
  messages: [],
  counts: { waiting: 0, sent: 0, failed: 0 },
  ...emptyPage,
}

function useMessages(wanted: string, page: number) {
  const state = outboxStates.find((known) => known === wanted)
  return useEndpoint(adminOutboxContract.list, {
    shows: ['outbox'],
    options: { query: { state, page, limit: pageSize } },
    empty: none,
    placeholderData: keepPreviousData,
    refetchInterval: pollMs,
    enabled: useIsStaff(),
  })
}

const channelNames = {
  email: 'Email',
  push: 'Push',
  discord: 'Discord',
  chat: 'Twitch chat',
  post: 'Discord channel',
} as const
const stateNames = { waiting: 'Waiting', sent: 'Sent', failed: 'Failed' } as const
const tones = { waiting: 'info', sent: 'success', failed: 'danger' } as const

const kindText = ({ kind }: OutboxMessage): string => outboxLabels[kind]

export function MessagesPanel() {
  const [view, changeView] = useTableView(defaults)
  const [isPreviewing, setPreviewing] = useState(false)
  const { state = '' } = view.filters
  const messages = useMessages(state, view.page)
  const counts = messages.data?.counts ?? none.counts
  const again = useCall(adminOutboxContract.again)
  const { mutateAsync, isPending } = again
  const columns = useMemo(
    () =>
      columnsWith((id) =>
        reportOutcome(mutateAsync({ params: { id } }), {
          done: 'The message is sent again',
          fallback: 'The message could not be sent again',
        }),
      ),
    [mutateAsync],
  )
  return (
    <section aria-labelledby="messages-title" className="min-w-0" aria-busy={isPending}>
      <PanelHeader id="messages-title" title="Messages" />
      <p className="mb-4 text-muted">
        News for users and posts by the bots. Each text is written when it is sent.
      </p>
      <Button
        tone="secondary"
        size="compact"
        className="mb-4"
        aria-expanded={isPreviewing}
        onClick={() => setPreviewing(!isPreviewing)}
      >
        Message texts
      </Button>
      {isPreviewing && <NewsPreviews />}
      <DataTable
        label="Messages"
        columns={columns}
        rows={messages.data?.messages}
        rowId={({ id }) => id}
        rowName={kindText}
        view={view}
        onViewChange={changeView}
        {...pagedByServer(messages)}
        errorTitle="Error loading the messages"
        tools={
          <SelectField
            label="State"
            placeholder="All states"
            choices={outboxStates.map((value) => ({
              value,
              label: `${stateNames[value]} (${formatNumber(counts[value])})`,
            }))}
            value={state}
            onChange={(event) => changeView({ filters: { state: event.target.value } }, true)}
            fieldClassName="w-full sm:w-52"
          />
        }
        countLine={(shown, total) =>
          `Showing ${formatNumber(shown)} of ${formatNumber(total)}: ${outboxStates
            .map((one) => `${formatNumber(counts[one])} ${one}`)
            .join(', ')}`
        }
        empty={
          <Empty
            picture={<MailCheck />}
            title={state === '' ? 'No messages yet' : 'No messages in this state'}
          />
        }
      />
    </section>
  )
}

function columnsWith(onAgain: (id: number) => void): DataColumn<OutboxMessage>[] {
  return [
    { id: 'kind', header: 'Message', cell: (message) => kindText(message) },
    { id: 'channel', header: 'Channel', cell: ({ channel }) => channelNames[channel] },
    {
      id: 'state',
      header: 'State',
      cell: ({ state, lastError }) => (
        <span className="grid w-fit justify-items-start gap-1">
          <Badge tone={tones[state]}>{stateNames[state]}</Badge>
          {lastError && <span className="text-sm break-words text-muted">{lastError}</span>}
        </span>
      ),
    },
    { id: 'attempts', header: 'Tries', isNumber: true, cell: ({ attempts }) => attempts },
    { id: 'created', header: 'Since', cell: ({ createdAt }) => <Moment at={createdAt} /> },
    {
      id: 'next',
      header: 'Next or sent',
      cell: ({ nextAttempt, sentAt }) => {
        const at = sentAt ?? nextAttempt
        return at === null ? '–' : <Moment at={at} />
      },
    },
    {
      id: 'again',
      header: 'Actions',
      isFixed: true,
      cell: ({ id, state }) =>
        state === 'failed' && (
          <Button tone="secondary" size="compact" onClick={() => onAgain(id)}>
            Send again
          </Button>
        ),
    },
  ]
}

const previewsQuery = endpointQuery(adminOutboxContract.kinds, { shows: ['outbox'] })

export function NewsPreviews() {
  const [kind, setKind] = useState<string>(notificationKinds[0] ?? '')
  const previews = useQuery<NewsPreviewsResponse>({ ...previewsQuery, enabled: useIsStaff() })
  const kinds = previews.data?.kinds ?? []
  const shown = kinds.find((one) => one.kind === kind)
  const [typed, setTyped] = useState<Readonly<Record<string, Typed>>>({})
  const isSaving = useIsMutating() > 0
  const isUnsaved = kinds.some(
    ({ kind: of, sentence }) => typed[of] && typed[of].text.trim() !== (sentence ?? ''),
  )
  return (
    <div className="mb-6 grid max-w-3xl gap-4">
      <SelectField
        label="Kind of news"
        choices={notificationKinds.map((value) => ({
          value,
          label: kindRules[value].label,
        }))}
        {...entered(kind, setKind)}
      />
      <DataState query={previews} what="the texts" skeleton="h-44" className="" isBrief>
        {() =>
          shown && (
            <Preview
              key={shown.kind}
              of={shown}
              typed={typed[shown.kind]}
              onType={(text) =>
                setTyped((now) => ({
                  ...now,
                  [shown.kind]: { over: shown.sentence ?? '', ...now[shown.kind], text },
                }))
              }
            />
          )
        }
      </DataState>
      <LeaveGuard isUnsaved={isUnsaved && !isSaving} />
    </div>
  )
}

/** An own sentence that waits while another kind is looked at. */
interface Typed {
  readonly text: string
  /** What was stored when it was begun. */
  readonly over: string
}

interface PreviewProps {
  readonly of: NewsPreview
  readonly typed: Typed | undefined
  readonly onType: (text: string) => void
}

function Preview({ of, typed, onType }: PreviewProps) {
  const { kind, email, push, discord } = of
  const stored = useMemo(() => ({ sentence: of.sentence ?? '' }), [of.sentence])
  const sentence = typed?.text ?? stored.sentence
  const save = useCall(adminOutboxContract.saveSentence)
  const sent = save.variables?.body
  const shared = useSharedRecord(
    { get: () => sentence.trim(), set: (_, text) => onType(text), sent },
    stored,
    false,
    typed && { sentence: typed.over },
  )
  const onSubmit = () => {
    const body = { sentence: sentence.trim(), expected: stored }
    void reportOutcome(save.mutateAsync({ params: { kind }, body }), {
      done: 'The sentence is saved',
      fallback: 'The sentence could not be saved',
    })
  }
  return (
    <>
      <Form noValidate onSubmit={onSubmit} className="grid gap-3">
        <TextField
          label="Your own sentence"
          hint="Shown below the news on every channel. Leave blank for none."
          maxLength={sentenceMax}
          {...entered(sentence, onType)}
        />
        <Button
          type="submit"
          tone="secondary"
          disabled={sentence.trim() === stored.sentence}
          isPending={save.isPending}
          className="justify-self-start"
        >
          Save the sentence
        </Button>
        <SharedNotice {...shared} />
      </Form>
      <div className="grid gap-4 sm:grid-cols-2 sm:grid-rows-[auto_1fr]">
        <Sample title="Email" className="sm:row-span-2">
          <strong>{email.subject}</strong>
          {`\n\n${email.text}`}
        </Sample>
        <Sample title="Push">
          <strong>{push.title}</strong>
          {push.body && `\n${push.body}`}
        </Sample>
        {/* As Discord shows it, without the signs that keep marks and links plain. */}
        <Sample title="Discord">{discord.replace(/\\(.)|<(https?:[^>]+)>/g, '$1$2')}</Sample>
      </div>
    </>
  )
}

interface SampleProps {
  readonly title: string
  readonly children: ReactNode
  readonly className?: string
}

function Sample({ title, children, className = '' }: SampleProps) {
  return (
    <figure className={`grid min-w-0 content-start gap-1 ${className}`}>
      <figcaption className="text-sm text-muted">{title}</figcaption>
      <div className="rounded-lg border border-line bg-surface p-3 wrap-anywhere whitespace-pre-wrap">
        {children}
      </div>
    </figure>
  )
}
