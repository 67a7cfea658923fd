// The Twitch Streams tab: every stream that viewers can earn with.

import { type AdminStream, adminStreamsContract } from '@redpack/contract'
import { useQuery } from '@tanstack/react-query'
import { Plus, Tv } from 'lucide-react'
import { useState } from 'react'
import { httpTextOf } from '../../lib/api-error.ts'
import { useSearchValue } from '../../lib/search-value.ts'
import { useCall } from '../../lib/use-call.ts'
import {
  askAgain,
  LoadErrorCard,
  Loading,
  Skeleton,
  SlowNote,
} from '../../ui/feedback/data-state.tsx'
import { Empty } from '../../ui/feedback/empty.tsx'
import { reportOutcome } from '../../ui/feedback/outcome.ts'
import { Button } from '../../ui/form/button.tsx'
import { useKept } from '../../ui/form/shared-record.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { PanelHeader } from '../../ui/layout/headings.tsx'
import { KeptPlace, useDeletedRows } from '../../ui/table/deleted-rows.tsx'
import { DeletedLink } from '../audit/shared/deleted-link.tsx'
import { DeleteStream } from './delete-stream.tsx'
import { type StreamActions, StreamCard } from './staff-stream-card.tsx'
import { StreamDialog } from './stream-dialog.tsx'
import { adminStreamsQuery, useToggleStream } from './stream-queries.ts'

/** Stands for the stream in the address while a new one is being made. */
const newStream = 'new'

export function StreamsPanel() {
  const streams = useQuery(adminStreamsQuery)
  const { data, error, isFetching } = streams
  const [edited, setEdited] = useSearchValue('stream', 'push')
  return (
    <section aria-labelledby="streams-heading" className="grid grid-cols-1 gap-6">
      <PanelHeader
        id="streams-heading"
        title="Twitch Watch Timer Streams"
        isRefreshing={isFetching && data !== undefined}
      >
        <Button onClick={() => setEdited(newStream)}>
          <Plus aria-hidden="true" />
          Add Stream
        </Button>
      </PanelHeader>
      {data ? (
        <StreamList streams={data} edited={edited} onEdit={setEdited} />
      ) : error ? (
        <LoadErrorCard
          title="Error loading streams"
          description={httpTextOf(error)}
          {...askAgain(streams)}
        />
      ) : (
        <Loading label="Loading streams" className="grid gap-4">
          <Skeleton className="h-80" />
          <SlowNote what="the streams" />
        </Loading>
      )}
      {/* Below a list of any length, it comes with the list. */}
      {(data || error) && <DeletedLink action="stream.delete">Deleted streams</DeletedLink>}
    </section>
  )
}

interface StreamListProps {
  readonly streams: readonly AdminStream[]
  /** Id of the stream in the dialog, `new`, or empty. */
  readonly edited: string
  readonly onEdit: (id: string) => void
}

function StreamList({ streams, edited, onEdit }: StreamListProps) {
  const [asked, setAsked] = useState<AdminStream>()
  const actions = useStreamActions(onEdit, setAsked)
  const deleted = useDeletedRows(streams, { headingId: 'streams-heading' })
  const found = streams.find(({ id }) => String(id) === edited)
  const { record: editedStream, isGone } = useKept(found, edited)
  return (
    <>
      {deleted.rows.length === 0 ? (
        <Card>
          <Empty
            picture={<Tv aria-hidden="true" />}
            title="No streams configured yet"
            description="Add the first channel whose viewers earn rewards by watching."
          />
        </Card>
      ) : (
        <ul
          aria-label="Streams"
          className="grid list-none grid-cols-[repeat(auto-fill,minmax(min(100%,26rem),1fr))] gap-4 p-0"
        >
          {deleted.rows.map((stream) => (
            <li key={stream.id} aria-label={stream.displayName}>
              <KeptPlace line={deleted.lineOf(stream)}>
                <StreamCard stream={stream} actions={actions} />
              </KeptPlace>
            </li>
          ))}
        </ul>
      )}
      {(edited === newStream || editedStream) && (
        <StreamDialog
          key={edited}
          stream={editedStream}
          isGone={isGone}
          onClose={() => onEdit('')}
        />
      )}
      {asked && (
        <DeleteStream stream={asked} deleted={deleted} onClose={() => setAsked(undefined)} />
      )}
    </>
  )
}

function useStreamActions(
  onEdit: (id: string) => void,
  onDelete: (stream: AdminStream) => void,
): StreamActions {
  const { mutateAsync: setActive } = useToggleStream()
  const { mutateAsync: setLive } = useCall(adminStreamsContract.setLive)
  const toggle = (stream: AdminStream, isActive: boolean) =>
    void reportOutcome(setActive({ id: stream.id, isActive }), {
      done: `${stream.displayName} is ${isActive ? 'active' : 'inactive'}`,
      action: { label: 'Undo', onSelect: () => toggle(stream, !isActive) },
      failureTitle: 'Error updating stream status',
      fallback: 'Failed to update stream status',
    })
  return {
    onEdit: ({ id }) => onEdit(String(id)),
    onDelete,
    onToggle: toggle,
    onSetLive: (stream, isLive) =>
      void reportOutcome(setLive({ params: { id: stream.id }, body: { isLive } }), {
        done: `${stream.displayName} is ${isLive ? 'live' : 'offline'}`,
        failureTitle: 'Error updating stream status',
        fallback: 'Failed to update stream status',
      }),
  }
}
