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
import { type DeletedRowsOptions, useDeletedRows } from '../../../ui/table/deleted-rows.tsx'

/** What can be deleted and restored one by one, by the action that the audit log has for it. */
export const deletable = {
  'prize.delete': { thing: 'Prize', contract: adminPrizesContract },
  'pack_type.delete': { thing: 'Pack type', contract: adminPackTypesContract },
  'listing.delete': { thing: 'Store listing', contract: adminStoreContract },
  'stream.delete': { thing: 'Stream', contract: adminStreamsContract },
} as const

export interface DeletionOptions<Row> extends DeletedRowsOptions {
  readonly nameOf: (row: Row) => string
  /** Says that it failed, where that takes more than the server's sentence. */
  readonly onError?: (error: unknown, row: Row) => void
}

/**
 * `rows` and `nameOf` stay the same objects as long as nothing about them changes.
 * @returns the rows to show, and what deletes one of them
 */
export function useDeletion<Row extends { readonly id: number }>(
  action: keyof typeof deletable,
  rows: readonly Row[],
  { nameOf, onError, ...options }: DeletionOptions<Row>,
) {
  const { thing, contract } = deletable[action]
  const { mutateAsync: send } = useCall(contract.remove)
  const { mutateAsync: restore } = useCall(contract.restore)
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
  readonly action: keyof typeof deletable
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
