// The whitelist: Discord servers with the channel that the bot posts to.

import { zodResolver } from '@hookform/resolvers/zod'
import { AddDiscordServerRequest, adminBotsContract, type DiscordServer } from '@redpack/contract'
import { MessagesSquare, Plus } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { messageOf } from '../../lib/api-error.ts'
import { useCall } from '../../lib/use-call.ts'
import { staffErrorMs, toastDone, toastError } from '../../ui/feedback/outcome.ts'
import { Badge, Empty, Notice } from '../../ui/feedback/state.tsx'
import { Button } from '../../ui/form/button.tsx'
import { fieldOf, showFieldErrors } from '../../ui/form/form-fields.tsx'
import { TextField, verbatim } from '../../ui/form/text-field.tsx'
import { Card, CardHeader } from '../../ui/layout/section.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { useQuestion } from '../../ui/overlay/question.tsx'
import { DeleteButton, KeptCards, useDeletedRows } from '../../ui/table/deleted-rows.tsx'

const listId = 'discord-servers'

export function DiscordServers({ servers }: { readonly servers: readonly DiscordServer[] }) {
  const [isAdding, setAdding] = useState(false)
  const deleted = useDeletedRows(servers, { headingId: listId })
  const remove = useCall(adminBotsContract.removeServer)
  const [ask, question] = useQuestion((server: DiscordServer) => {
    const { id, serverName: name } = server
    return {
      title: `Remove ${name}`,
      description: `Are you sure you want to remove ${name}?`,
      confirmLabel: 'Confirm',
      onConfirm: () =>
        deleted.deleteRow(server, {
          name,
          send: () => remove.mutateAsync({ params: { id } }),
          done: `Discord server removed successfully: ${name}`,
          fallback: 'Failed to remove Discord server',
        }),
      children: (
        <p className="text-sm text-muted">
          The bot stops posting there, and open rewards can no longer be claimed.
        </p>
      ),
    }
  })
  return (
    <Card>
      <CardHeader
        level={3}
        title="Whitelisted servers"
        description="The bot posts to one channel per server."
        action={
          <Button icon={Plus} onClick={() => setAdding(true)}>
            Add Server
          </Button>
        }
      />
      <section id={listId} tabIndex={-1} aria-label="Discord servers" className="outline-none">
        {deleted.rows.length === 0 ? (
          <Empty picture={<MessagesSquare />} title="No servers yet" />
        ) : (
          <KeptCards
            label="Servers"
            deleted={deleted}
            className="grid list-none gap-3 p-0"
            labelOf={({ serverName }) => serverName}
          >
            {(server) => <ServerRow server={server} onRemove={() => ask(server)} />}
          </KeptCards>
        )}
      </section>
      {isAdding && <AddServer onClose={() => setAdding(false)} />}
      {question}
    </Card>
  )
}

interface ServerRowProps {
  readonly server: DiscordServer
  readonly onRemove: () => void
}

function ServerRow({ server, onRemove }: ServerRowProps) {
  const { serverName, serverId, channelName, channelId, isActive, isChecked, problem } = server
  return (
    <div className="grid gap-3 rounded-control border border-line bg-raised p-4">
      <div className="flex items-start justify-between gap-3">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <h4 className="min-w-0 break-words font-display text-lg font-semibold">{serverName}</h4>
          {isActive ? (
            <Badge tone={isChecked ? 'success' : 'idle'}>
              {isChecked ? 'OK' : 'Not checked yet'}
            </Badge>
          ) : (
            <Badge tone="danger">Switched off</Badge>
          )}
        </div>
        <DeleteButton label={`Remove ${serverName}`} onClick={onRemove} className="-mt-2 -me-2" />
      </div>
      <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-3">
        <Fact term="Channel">{channelText(channelName)}</Fact>
        <Fact term="Server ID">
          <code className="break-all">{serverId}</code>
        </Fact>
        <Fact term="Channel ID">
          <code className="break-all">{channelId}</code>
        </Fact>
      </dl>
      {problem && (
        <Notice tone={isActive ? 'warning' : 'danger'}>
          {problem}
          {!isActive && ' Fix this in Discord, then remove the server and add it again.'}
        </Notice>
      )}
    </div>
  )
}

function Fact({ term, children }: { readonly term: string; readonly children: React.ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{term}</dt>
      <dd className="break-words">{children}</dd>
    </div>
  )
}

const emptyServer = { serverName: '', serverId: '', channelName: '', channelId: '' }
const fields = [
  { name: 'serverName', label: 'Server name' },
  { name: 'serverId', label: 'Server ID', isId: true },
  { name: 'channelName', label: 'Channel name' },
  { name: 'channelId', label: 'Channel ID', isId: true },
] as const

/** Open as long as it is mounted. */
function AddServer({ onClose }: { readonly onClose: () => void }) {
  const add = useCall(adminBotsContract.addServer)
  const form = useForm<AddDiscordServerRequest>({
    resolver: zodResolver(AddDiscordServerRequest),
    defaultValues: emptyServer,
  })
  const { isDirty } = form.formState
  const save = form.handleSubmit(async (server) => {
    try {
      await add.mutateAsync({ body: server })
      toastDone('Discord server added successfully')
      onClose()
    } catch (error) {
      const names = fields.map(({ name }) => name)
      showFieldErrors(form, names, error)
      toastFailure('Failed to add Discord server', error)
    }
  })
  return (
    <FormDialog
      onClose={onClose}
      title="Add Server"
      description="Turn on Developer Mode in Discord, then right-click a server or channel and choose Copy ID."
      isUnsaved={isDirty}
      onSubmit={save}
      className="grid grid-cols-1 gap-5"
      submitLabel="Add server"
      pendingLabel="Checking with Discord..."
      isPending={add.isPending}
    >
      {fields.map((field) => (
        <TextField
          key={field.name}
          label={field.label}
          required
          {...verbatim}
          inputMode={'isId' in field ? 'numeric' : undefined}
          {...fieldOf(form, field.name)}
        />
      ))}
    </FormDialog>
  )
}

/** '#rewards', whether or not the mark was entered with the name. */
export function channelText(name: string): string {
  return `#${name.replace(/^#/, '')}`
}

/** 'Failed to add Discord server: Conflict'; without a reason, what failed alone. */
function failureText(what: string, error: unknown): string {
  const reason = messageOf(error, '')
  return reason === '' ? what : `${what}: ${reason}`
}

export function toastFailure(what: string, error: unknown): void {
  toastError(error, what, {
    description: failureText(what, error),
    duration: staffErrorMs,
    ...(error instanceof Error && error.message !== '' && { detail: error.message }),
  })
}
