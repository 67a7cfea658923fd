// The dialog in which a stream is made or changed.

import type { AdminStream } from '@redpack/contract'
import { FormActions, FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { ScheduleFields } from './schedule-fields.tsx'
import { StreamFields } from './stream-fields.tsx'
import { StreamRewards } from './stream-rewards.tsx'
import { useStreamForm } from './use-stream-form.ts'

export interface StreamDialogProps {
  /** The stream that is edited; absent for a new one. */
  readonly stream: AdminStream | undefined
  /** True once somebody else has deleted it. */
  readonly isGone: boolean
  readonly onClose: () => void
}

/** Open as long as it is mounted; give it the stream's id as key. */
export function StreamDialog({ stream, isGone, onClose }: StreamDialogProps) {
  const { form, save, shared, isSaving } = useStreamForm(stream, isGone, onClose)
  return (
    <FormDialog
      isOpen
      isWide
      onClose={onClose}
      title={stream ? 'Edit Stream' : 'Add Stream'}
      isUnsaved={form.formState.isDirty}
    >
      <form noValidate onSubmit={save} className="grid grid-cols-1 gap-6">
        <StreamFields form={form} />
        <ScheduleFields form={form} />
        <StreamRewards form={form} />
        <FormActions
          submitLabel={stream ? 'Save changes' : 'Create stream'}
          pendingLabel="Saving..."
          isPending={isSaving}
          shared={shared}
        />
      </form>
    </FormDialog>
  )
}
