// One entry of the audit log: who did what to what, and every field before and after.

import {
  type AuditEntry,
  adminPackTypesContract,
  adminPrizesContract,
  adminStoreContract,
  adminStreamsContract,
} from '@redpack/contract'
import { ListFilter, Undo2 } from 'lucide-react'
import { cn } from '../../lib/class-names.ts'
import { formatDateTime } from '../../lib/format.ts'
import { useCall } from '../../lib/use-call.ts'
import { reportOutcome } from '../../ui/feedback/outcome.ts'
import { Button } from '../../ui/form/button.tsx'
import { CopyButton } from '../../ui/form/copy-button.tsx'
import { Dialog, DialogActions } from '../../ui/overlay/dialog.tsx'
import { actionText, actorText, changesOf, targetText } from './audit-columns.tsx'

export interface EntryDialogProps {
  readonly entry: AuditEntry
  readonly onClose: () => void
  /** Shows all entries of the same bulk act. */
  readonly onBatch: (batchId: string) => void
}

export function EntryDialog({ entry, onClose, onBatch }: EntryDialogProps) {
  const { batchId } = entry
  const deleted = deletedBy(entry)
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={actionText(entry.action)}
      description={`${actorText(entry)}, ${formatDateTime(entry.createdAt)}`}
      isWide
    >
      <dl className="mb-5 grid gap-x-6 gap-y-1 sm:grid-cols-2">
        <Fact term="Target" text={targetText(entry)} />
        <Fact term="Action" text={entry.action} />
        {entry.reason !== null && <Fact term="Reason" text={entry.reason} />}
        {entry.requestId !== null && <Fact term="Request" text={entry.requestId} canCopy />}
        {batchId !== null && <Fact term="Batch" text={batchId} canCopy />}
      </dl>
      <ChangesTable entry={entry} />
      {(batchId !== null || deleted) && (
        <DialogActions>
          {batchId !== null && (
            <Button icon={ListFilter} tone="secondary" onClick={() => onBatch(batchId)}>
              Show the whole batch
            </Button>
          )}
          {deleted && <RestoreDeleted deleted={deleted} onDone={onClose} />}
        </DialogActions>
      )}
    </Dialog>
  )
}

interface FactProps {
  readonly term: string
  readonly text: string
  readonly canCopy?: boolean
}

function Fact({ term, text, canCopy = false }: FactProps) {
  return (
    <div className="flex min-h-11 items-center gap-3 border-b border-line">
      <dt className="text-muted">{term}</dt>
      <dd className="ms-auto flex min-w-0 items-center gap-3">
        <span className={cn('min-w-0 wrap-anywhere text-end', canCopy && 'font-mono text-sm')}>
          {text}
        </span>
        {canCopy && <CopyButton text={text} label={`Copy ${term.toLocaleLowerCase()}`} />}
      </dd>
    </div>
  )
}

const head = 'border-b border-line px-3 py-2 text-start font-display font-semibold text-muted'

function ChangesTable({ entry }: { readonly entry: AuditEntry }) {
  const changes = changesOf(entry.before, entry.after)
  if (changes.length === 0) return <p className="text-muted">No details.</p>
  return (
    <div className="overflow-x-auto">
      <table className="w-full border-collapse">
        <caption className="sr-only">Before and after</caption>
        <thead>
          <tr>
            {['Field', 'Before', 'After'].map((name) => (
              <th key={name} scope="col" className={head}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {changes.map(({ field, before, after, isChanged }) => (
            <tr key={field} className="border-b border-line align-top last:border-b-0">
              <th scope="row" className="px-3 py-2 text-start font-normal text-muted">
                {field}
                {isChanged && <span className="sr-only"> (changed)</span>}
              </th>
              <Side text={before} look={isChanged ? 'text-danger line-through' : ''} />
              <Side text={after} look={isChanged ? 'font-semibold text-success' : ''} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Side({ text, look }: { readonly text: string | undefined; readonly look: string }) {
  return (
    <td className="px-3 py-2">
      <span
        className={cn(
          'whitespace-pre-wrap wrap-anywhere font-mono text-sm',
          text === undefined ? 'text-muted' : look,
        )}
      >
        {text ?? '–'}
      </span>
    </td>
  )
}

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

interface RestoreDeletedProps {
  readonly deleted: Deleted
  readonly onDone: () => void
}

/** The server refuses what is there already, or what cannot come back as it was. */
function RestoreDeleted({ deleted: { action, id }, onDone }: RestoreDeletedProps) {
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
    <Button
      icon={Undo2}
      pendingLabel="Restoring..."
      onClick={() => void run()}
      isPending={restore.isPending}
    >
      Restore
    </Button>
  )
}
