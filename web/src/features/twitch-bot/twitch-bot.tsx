// The Twitch bot: its credentials, what they allow, and what to do about them.

import type { BotCredentials } from '@redpack/contract'
import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { httpTextOf } from '../../lib/api-error.ts'
import { formatDateTime } from '../../lib/format.ts'
import { Badge, type BadgeProps } from '../../ui/feedback/badge.tsx'
import {
  askAgain,
  LoadErrorCard,
  Loading,
  Skeleton,
  SlowNote,
} from '../../ui/feedback/data-state.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { reportOutcome } from '../../ui/feedback/outcome.ts'
import { Button } from '../../ui/form/button.tsx'
import { Card, CardHeader } from '../../ui/layout/card.tsx'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import { CredentialsForm } from './credentials-form.tsx'
import { credentialsQuery, useDeleteCredentials } from './queries.ts'

export function TwitchBot() {
  const credentials = useQuery(credentialsQuery)
  const { data, error } = credentials
  if (data !== undefined) {
    return (
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-2">
        <CredentialsForm key={data ? keyOf(data) : 'new'} credentials={data} />
        <CredentialsState credentials={data} />
      </div>
    )
  }
  if (error) {
    return (
      <LoadErrorCard
        title="Error loading the Twitch credentials"
        description={httpTextOf(error)}
        {...askAgain(credentials)}
      />
    )
  }
  return (
    <Loading label="Loading the Twitch credentials" className="grid gap-4">
      <Skeleton className="h-96" />
      <SlowNote what="the Twitch credentials" />
    </Loading>
  )
}

/** What is stored; the form starts over when it changes. */
function keyOf({ botUserId, clientId, accessToken, refreshToken }: BotCredentials): string {
  return [botUserId, clientId, accessToken, refreshToken].join(' ')
}

const states: Readonly<
  Record<BotCredentials['state'], { readonly tone: BadgeProps['tone']; readonly label: string }>
> = {
  ready: { tone: 'success', label: 'Ready' },
  limited: { tone: 'warning', label: 'Limited' },
  expiring: { tone: 'warning', label: 'Expires soon' },
  rejected: { tone: 'danger', label: 'Rejected by Twitch' },
  unchecked: { tone: 'idle', label: 'Not checked yet' },
  unreadable: { tone: 'danger', label: 'Cannot be opened' },
}

function CredentialsState({ credentials }: { readonly credentials: BotCredentials | null }) {
  const [isAsking, setAsking] = useState(false)
  if (!credentials) {
    return (
      <Notice tone="info">
        Without credentials the bot says nothing in chat and sees no chatters. Watch rewards work
        all the same.
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
        <Row term="Access token">
          <code className="break-all">{credentials.accessToken}</code>
        </Row>
        <Row term="Refresh token">
          {credentials.refreshToken ? (
            <code className="break-all">{credentials.refreshToken}</code>
          ) : (
            'None'
          )}
        </Row>
        <Row term="Can write in chat">{credentials.canSendChat ? 'Yes' : 'No'}</Row>
        <Row term="Can see chatters">{credentials.canReadChatters ? 'Yes' : 'No'}</Row>
        <Row term="Token ends">
          {expiresAt ? formatDateTime(expiresAt) : 'Unknown'}
          {canRefresh && ', renewed by itself'}
        </Row>
        <Row term="Last checked">{checkedAt ? formatDateTime(checkedAt) : 'Never'}</Row>
      </dl>
      <Button tone="danger" className="mt-6" onClick={() => setAsking(true)}>
        <Trash2 aria-hidden="true" />
        Delete credentials
      </Button>
      {isAsking && <DeleteCredentials onClose={() => setAsking(false)} />}
    </Card>
  )
}

function Row({ term, children }: { readonly term: string; readonly children: React.ReactNode }) {
  return (
    <>
      <dt className="text-muted max-sm:-mb-2 max-sm:text-sm">{term}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  )
}

function DeleteCredentials({ onClose }: { readonly onClose: () => void }) {
  const remove = useDeleteCredentials()
  const confirm = async () => {
    const isDone = await reportOutcome(remove.mutateAsync(), {
      done: 'Twitch credentials deleted successfully',
      failureTitle: 'Error',
      fallback: 'Failed to delete Twitch credentials',
    })
    if (!isDone) onClose()
  }
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Delete the Twitch credentials"
      description="Are you sure you want to delete the Twitch credentials?"
      confirmLabel="Confirm"
      onConfirm={confirm}
      isPending={remove.isPending}
    >
      <p className="text-sm text-muted">The bot stops writing in chat and seeing chatters.</p>
    </ConfirmDialog>
  )
}
