// Deletes a record at once and offers to take it back, here and from the audit log.

import {
  adminPackTypesContract,
  adminPrizesContract,
  adminStoreContract,
  adminStreamsContract,
} from '@redpack/contract'
import { Undo2 } from 'lucide-react'
import { useCallback } from 'react'
import { useCall } from '../../../lib/use-call.ts'
import { reportOutcome } from '../../../ui/feedback/outcome.ts'
import { LinkButton } from '../../../ui/form/button.tsx'
import {
  type DeletedRows,
  type DeletedRowsOptions,
  useDeletedRows,
} from '../../../ui/table/deleted-rows.tsx'

/** What can be deleted and restored one by one, as it begins a sentence. */
export const deletable = {
  Prize: adminPrizesContract,
  'Pack type': adminPackTypesContract,
  'Store listing': adminStoreContract,
  Stream: adminStreamsContract,
} as const

export interface DeletionOptions<Row> extends DeletedRowsOptions {
  readonly nameOf: (row: Row) => string
  /** Says that it failed, where that takes more than the server's sentence. */
  readonly onError?: (error: unknown, row: Row) => void
}

export interface Deletion<Row> extends DeletedRows<Row> {
  readonly remove: (row: Row) => Promise<void>
}

/**
 * `thing` is what is deleted, as it begins a sentence; `rows` and `nameOf` stay the same objects as
 * long as nothing about them changes.
 * @returns the rows to show, and what deletes one of them
 */
export function useDeletion<Row extends { readonly id: number }>(
  thing: keyof typeof deletable,
  rows: readonly Row[],
  { nameOf, onError, ...options }: DeletionOptions<Row>,
): Deletion<Row> {
  const { mutateAsync: send } = useCall(deletable[thing].remove)
  const { mutateAsync: restore } = useCall(deletable[thing].restore)
  const deleted = useDeletedRows(rows, options)
  const { deleteRow } = deleted
  const remove = useCallback(
    (row: Row) => {
      const which = { params: { id: row.id } }
      const name = nameOf(row)
      const what = thing.toLowerCase()
      return deleteRow(row, {
        name,
        send: () => send(which),
        restore: () =>
          reportOutcome(restore(which), {
            done: `${thing} restored successfully: ${name}`,
            fallback: `Failed to restore ${what}`,
          }),
        onError: onError && ((error) => onError(error, row)),
        done: `${thing} deleted successfully: ${name}`,
        failureTitle: `Error deleting ${what}`,
        fallback: `Failed to delete ${what}`,
      })
    },
    [thing, nameOf, onError, send, restore, deleteRow],
  )
  return { ...deleted, remove }
}

interface DeletedLinkProps {
  /** Under which the audit log keeps the deletions, for example `prize.delete`. */
  readonly action: string
  readonly children: string
}

/** Leads to the audit log, where each deletion can be undone. */
export function DeletedLink({ action, children }: DeletedLinkProps) {
  return (
    <LinkButton
      icon={Undo2}
      to="."
      search={{ tab: 'audit', action }}
      tone="faint"
      className="justify-self-start"
    >
      {children}
    </LinkButton>
  )
}
