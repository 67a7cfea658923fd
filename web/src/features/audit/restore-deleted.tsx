// Brings back what an entry says was deleted, long after the message with Undo has gone.

import {
  type AuditEntry,
  adminPackTypesContract,
  adminPrizesContract,
  adminStoreContract,
  adminStreamsContract,
} from '@redpack/contract'
import { Undo2 } from 'lucide-react'
import { useCall } from '../../lib/use-call.ts'
import { reportOutcome } from '../../ui/feedback/outcome.ts'
import { Button } from '../../ui/form/button.tsx'

/** The deletions that can be taken back one by one: the word for what was deleted, and the call. */
const things = {
  'prize.delete': { thing: 'Prize', endpoint: adminPrizesContract.restore },
  'pack_type.delete': { thing: 'Pack type', endpoint: adminPackTypesContract.restore },
  'listing.delete': { thing: 'Store listing', endpoint: adminStoreContract.restore },
  'stream.delete': { thing: 'Stream', endpoint: adminStreamsContract.restore },
} as const

type Deletion = keyof typeof things

interface Deleted {
  readonly action: Deletion
  readonly id: number
}

/** What an entry says was deleted and can be restored, if anything. */
export function deletedBy({ action, target }: AuditEntry): Deleted | undefined {
  const id = Number(target?.id)
  return action in things && Number.isSafeInteger(id) && id > 0
    ? { action: action as Deletion, id }
    : undefined
}

export interface RestoreDeletedProps {
  readonly deleted: Deleted
  readonly onDone: () => void
}

/** The server refuses what is there already, or what cannot come back as it was. */
export function RestoreDeleted({ deleted: { action, id }, onDone }: RestoreDeletedProps) {
  const { thing, endpoint } = things[action]
  const restore = useCall(endpoint)
  const run = async () => {
    const isRestored = await reportOutcome(restore.mutateAsync({ params: { id } }), {
      done: `${thing} restored successfully`,
      failureTitle: 'Error',
      fallback: `Failed to restore ${thing.toLocaleLowerCase()}`,
    })
    if (isRestored) onDone()
  }
  return (
    <Button onClick={() => void run()} isPending={restore.isPending}>
      {!restore.isPending && <Undo2 aria-hidden="true" />}
      {restore.isPending ? 'Restoring...' : 'Restore'}
    </Button>
  )
}
