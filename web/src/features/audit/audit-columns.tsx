// The columns of the audit log.

import type { AuditEntry } from '@redpack/contract'
import { Eye } from 'lucide-react'
import { formatDateTime } from '../../lib/format.ts'
import { IconButton } from '../../ui/form/icon-button.tsx'
import type { DataColumn } from '../../ui/table/columns.tsx'
import { actionText, changeLine, titleOf } from './changes.ts'

/** Whose act it was; nobody's is the product's own. */
export function actorText({ actor }: AuditEntry): string {
  return actor === null ? 'System' : `@${actor.username}`
}

const nameFields = ['displayName', 'name', 'packTypeName']

/** What the change calls its target, where it says so. */
function nameIn(change: unknown): string {
  if (typeof change !== 'object' || change === null) return ''
  const fields = Object.entries(change)
  const found = nameFields.map((wanted) => fields.find(([field]) => field === wanted)?.[1])
  return found.find((name) => typeof name === 'string') ?? ''
}

export function targetText({ target, before, after }: AuditEntry): string {
  if (target === null) return '–'
  const name = target.name || nameIn(after) || nameIn(before)
  if (name) return name
  const isNumbered = target.id !== null && /^\d{1,9}$/.test(target.id)
  const type = target.type === 'setting' && target.id !== null ? target.id : target.type
  return titleOf(isNumbered ? `${type} #${target.id}` : type)
}

export function auditColumns(onView: (entry: AuditEntry) => void): DataColumn<AuditEntry>[] {
  return [
    {
      id: 'createdAt',
      header: 'Time',
      isSortable: true,
      value: (entry) => entry.createdAt,
      cell: (entry) => (
        <time dateTime={entry.createdAt} className="whitespace-nowrap tabular-nums">
          {formatDateTime(entry.createdAt)}
        </time>
      ),
    },
    {
      id: 'actor',
      header: 'Who',
      value: actorText,
      cell: (entry) => <span className="block max-w-44 truncate">{actorText(entry)}</span>,
    },
    {
      id: 'action',
      header: 'Action',
      value: (entry) => entry.action,
      cell: (entry) => (
        <span className="font-semibold md:whitespace-nowrap">{actionText(entry.action)}</span>
      ),
    },
    {
      id: 'target',
      header: 'Target',
      value: targetText,
      cell: (entry) => <span className="block max-w-44 truncate">{targetText(entry)}</span>,
    },
    {
      id: 'change',
      header: 'Change',
      takesRest: true,
      value: (entry) => changeLine(entry.before, entry.after),
      cell: (entry) => (
        <span className="block truncate text-muted max-md:max-w-72">
          {changeLine(entry.before, entry.after) || '–'}
        </span>
      ),
    },
    {
      id: 'reason',
      header: 'Reason',
      isExtra: true,
      value: (entry) => entry.reason ?? '',
      cell: (entry) => entry.reason ?? '–',
    },
    {
      id: 'view',
      header: 'Details',
      isFixed: true,
      cell: (entry) => (
        <IconButton
          label={`View ${actionText(entry.action)}, ${formatDateTime(entry.createdAt)}`}
          onClick={() => onView(entry)}
        >
          <Eye aria-hidden="true" />
        </IconButton>
      ),
    },
  ]
}
