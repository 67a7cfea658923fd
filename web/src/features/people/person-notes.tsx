// What staff have noted about a user, for each other.

import { adminPeopleContract, type StaffNote } from '@redpack/contract'
import { StickyNote, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { useCall } from '../../lib/use-call.ts'
import { Empty } from '../../ui/feedback/empty.tsx'
import { toastDone, toastFailed } from '../../ui/feedback/outcome.ts'
import { Button } from '../../ui/form/button.tsx'
import { IconButton } from '../../ui/form/icon-button.tsx'
import { TextAreaField } from '../../ui/form/text-field.tsx'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import { KeptPlace, useDeletedRows } from '../../ui/table/deleted-rows.tsx'

export interface PersonNotesProps {
  readonly id: number
  readonly notes: readonly StaffNote[]
}

/** Notes have no names: their authors and times tell them apart. */
function nameOf({ author, createdAt }: StaffNote): string {
  return `the note of ${writerOf(author)}, ${formatDateTime(createdAt)}`
}

function writerOf(author: StaffNote['author']): string {
  return author ? `@${author.username}` : 'Unknown'
}

export function PersonNotes({ id, notes }: PersonNotesProps) {
  const [body, setBody] = useState('')
  const [removing, setRemoving] = useState<StaffNote>()
  const add = useCall(adminPeopleContract.addNote)
  const remove = useCall(adminPeopleContract.removeNote)
  const deleted = useDeletedRows(notes, {})
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.mutate(
      { params: { id }, body: { body } },
      {
        onSuccess: () => {
          setBody('')
          toastDone('Note added successfully')
        },
        onError: (error) => toastFailed('Error', error, 'Failed to add the note'),
      },
    )
  }
  const confirm = () => {
    if (!removing) return
    const name = nameOf(removing)
    deleted.begin(removing, name)
    remove.mutate(
      { params: { id: removing.id } },
      {
        onSuccess: () => {
          deleted.settle(removing)
          toastDone(`Note deleted successfully: ${name}`)
        },
        onError: (error) => {
          deleted.giveUp(removing)
          toastFailed('Error', error, 'Failed to delete the note')
        },
        onSettled: () => setRemoving(undefined),
      },
    )
  }
  return (
    <div className="grid gap-5">
      <form onSubmit={submit} className="grid gap-3">
        <TextAreaField
          label="New note"
          hint="Visible to staff, and to the user when they download their data."
          required
          value={body}
          onChange={(event) => setBody(event.target.value)}
        />
        <Button
          type="submit"
          className="justify-self-end"
          disabled={body.trim() === ''}
          isPending={add.isPending}
        >
          Add note
        </Button>
      </form>
      {deleted.rows.length === 0 ? (
        <Empty picture={<StickyNote aria-hidden="true" />} title="No notes yet" />
      ) : (
        <ol aria-label="Notes" className="grid list-none gap-3 p-0">
          {deleted.rows.map((note) => (
            <li key={note.id}>
              <KeptPlace line={deleted.lineOf(note)}>
                <div className="card flex items-start gap-3 p-3">
                  <div className="min-w-0 flex-1">
                    <p className="whitespace-pre-wrap wrap-anywhere">{note.body}</p>
                    <p className="mt-1 text-sm text-muted">
                      {writerOf(note.author)}, {formatDateTime(note.createdAt)}
                    </p>
                  </div>
                  <IconButton
                    label="Delete note"
                    onClick={() => setRemoving(note)}
                    className="text-danger"
                  >
                    <Trash2 aria-hidden="true" />
                  </IconButton>
                </div>
              </KeptPlace>
            </li>
          ))}
        </ol>
      )}
      <ConfirmDialog
        isOpen={removing !== undefined}
        onOpenChange={() => setRemoving(undefined)}
        title="Delete this note?"
        description="This cannot be undone."
        confirmLabel="Delete"
        onConfirm={confirm}
        isPending={remove.isPending}
      />
    </div>
  )
}
