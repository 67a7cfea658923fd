// The dialog in which a Discord server is put on the whitelist.

import { zodResolver } from '@hookform/resolvers/zod'
import { AddDiscordServerRequest, adminBotsContract } from '@redpack/contract'
import { useForm } from 'react-hook-form'
import { useCall } from '../../lib/use-call.ts'
import { toastDone } from '../../ui/feedback/outcome.ts'
import { showFieldErrors } from '../../ui/form/show-field-errors.ts'
import { TextField } from '../../ui/form/text-field.tsx'
import { FormActions, FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { toastFailure } from './failure-words.ts'

const emptyServer = { serverName: '', serverId: '', channelName: '', channelId: '' }
const fields = [
  { name: 'serverName', label: 'Server name' },
  { name: 'serverId', label: 'Server ID', isId: true },
  { name: 'channelName', label: 'Channel name' },
  { name: 'channelId', label: 'Channel ID', isId: true },
] as const

/** Open as long as it is mounted. */
export function AddServer({ onClose }: { readonly onClose: () => void }) {
  const add = useCall(adminBotsContract.addServer)
  const form = useForm<AddDiscordServerRequest>({
    resolver: zodResolver(AddDiscordServerRequest),
    defaultValues: emptyServer,
  })
  const { errors, isDirty } = form.formState
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
      isOpen
      onClose={onClose}
      title="Add Server"
      description="Switch on the developer mode in Discord, then press a server or channel with the right button and choose Copy ID."
      isUnsaved={isDirty}
    >
      <form noValidate onSubmit={save} className="grid grid-cols-1 gap-5">
        {fields.map((field) => (
          <TextField
            key={field.name}
            label={field.label}
            required
            autoComplete="off"
            spellCheck={false}
            inputMode={'isId' in field ? 'numeric' : undefined}
            error={errors[field.name]?.message}
            {...form.register(field.name)}
          />
        ))}
        <FormActions
          submitLabel="Add server"
          pendingLabel="Asking Discord..."
          isPending={add.isPending}
        />
      </form>
    </FormDialog>
  )
}
