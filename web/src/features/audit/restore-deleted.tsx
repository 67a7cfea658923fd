// Brings back what an entry says was deleted, long after the message with Undo has gone.

import type { AuditEntry } from '@redpack/contract'
import { Undo2 } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { reportOutcome } from '../../ui/outcome-toast.ts'
import { useRestoreListing } from '../catalogue/listing-queries.ts'
import { useRestorePackType } from '../catalogue/pack-type-queries.ts'
import { useRestorePrize } from '../catalogue/prize-queries.ts'
import { useRestoreStream } from '../watch/stream-queries.ts'

/** The deletions that can be taken back one by one, with the word for what was deleted. */
const things = {
  'prize.delete': 'Prize',
  'pack_type.delete': 'Pack type',
  'listing.delete': 'Store listing',
  'stream.delete': 'Stream',
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
  const restore = {
    'prize.delete': useRestorePrize(),
    'pack_type.delete': useRestorePackType(),
    'listing.delete': useRestoreListing(),
    'stream.delete': useRestoreStream(),
  }[action]
  const thing = things[action]
  const run = async () => {
    const isRestored = await reportOutcome(restore.mutateAsync(id), {
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
