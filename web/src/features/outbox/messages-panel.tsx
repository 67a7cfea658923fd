// The Messages tab: what went out to people, what waits, and what failed and can be sent again.

import {
  adminOutboxContract,
  type OutboxMessage,
  type OutboxResponse,
  outboxRules,
  outboxStates,
} from '@redpack/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { MailCheck } from 'lucide-react'
import { useMemo, useState } from 'react'
import { emptyPage, endpointQuery } from '../../lib/endpoint-query.ts'
import { formatNumber } from '../../lib/format.ts'
import { useIdempotentCall } from '../../lib/use-call.ts'
import { Badge } from '../../ui/feedback/badge.tsx'
import { Empty } from '../../ui/feedback/empty.tsx'
import { reportOutcome } from '../../ui/feedback/outcome.ts'
import { Button } from '../../ui/form/button.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { PanelHeader } from '../../ui/layout/headings.tsx'
import { Moment } from '../../ui/media/moment.tsx'
import type { DataColumn } from '../../ui/table/columns.tsx'
import { DataTable, pagedByServer } from '../../ui/table/data-table.tsx'
import { useTableView } from '../../ui/table/table-view.ts'
import { useIsStaff } from '../session/queries.ts'
import { NewsPreviews } from './news-previews.tsx'

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
  return useQuery<OutboxResponse>({
    ...endpointQuery(adminOutboxContract.list, {
      shows: ['outbox'],
      options: { query: { state, page, limit: pageSize } },
      empty: none,
    }),
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

const kindText = ({ kind }: OutboxMessage): string => outboxRules[kind].label

export function MessagesPanel() {
  const [view, changeView] = useTableView(defaults)
  const [isPreviewing, setPreviewing] = useState(false)
  const { state = '' } = view.filters
  const messages = useMessages(state, view.page)
  const counts = messages.data?.counts ?? none.counts
  const again = useIdempotentCall(adminOutboxContract.again)
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
        name="messages"
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
