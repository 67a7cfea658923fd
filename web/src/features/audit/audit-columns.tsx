// The columns of the audit log.

import type { AuditEntry } from '@redpack/contract'
import { Eye } from 'lucide-react'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { IconButton } from '../../ui/form/button.tsx'
import type { DataColumn } from '../../ui/table/columns.tsx'

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
      cell: (entry) => <span className="block md:max-w-44 md:truncate">{targetText(entry)}</span>,
    },
    {
      id: 'change',
      header: 'Change',
      takesRest: true,
      value: (entry) => changeLine(entry.before, entry.after),
      cell: (entry) => (
        <span className="block text-muted max-md:line-clamp-4 md:truncate">
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
          icon={Eye}
          label={`View ${actionText(entry.action)}, ${formatDateTime(entry.createdAt)}`}
          onClick={() => onView(entry)}
        />
      ),
    },
  ]
}

interface FieldChange {
  readonly field: string
  /** As text; undefined where there was no such field. */
  readonly before: string | undefined
  readonly after: string | undefined
  readonly isChanged: boolean
}

/** As staff say it; numbers that name something are no amounts. */
function textOf(field: string, value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (value === null || value === '') return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number' && !/(^|_)id$|Id$/.test(field)) return formatNumber(value)
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) {
    return value.join(', ') || 'none'
  }
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (value === null || value === undefined) return {}
  if (typeof value === 'object' && !Array.isArray(value)) return { ...value }
  return { value }
}

/** 'watchSecondsRequired' reads 'watch seconds required', as 'watch_seconds_required' does. */
function inWords(name: string): string {
  const words = name.replaceAll('_', ' ').replace(/(?<=[a-z])[A-Z]/g, (first) => ` ${first}`)
  return words
    .toLowerCase()
    .replace(/\bred ?coin/, 'RedCoin')
    .replace(/\burl\b/, 'URL')
}

/** The same as a title. */
function titleOf(name: string): string {
  const words = inWords(name)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Every field of either side, in the order they come; those that differ first. */
export function changesOf(before: unknown, after: unknown): FieldChange[] {
  const left = fieldsOf(before)
  const right = fieldsOf(after)
  const rows = [...new Set([...Object.keys(left), ...Object.keys(right)])].map((field) => {
    const [old, now] = [left[field], right[field]]
    // Both read 'none'.
    const [was, is] = [old, now].map((value) => JSON.stringify(value === '' ? null : value))
    const isChanged = was !== is
    const sides = { before: textOf(field, old), after: textOf(field, now) }
    return { field: inWords(field), ...sides, isChanged }
  })
  return [...rows.filter(({ isChanged }) => isChanged), ...rows.filter((row) => !row.isChanged)]
}

/** One line about the change, for the list: up to three fields with both sides. */
export function changeLine(before: unknown, after: unknown): string {
  const changed = changesOf(before, after).filter(({ isChanged }) => isChanged)
  const parts = changed.slice(0, 3).map((change) => {
    if (change.before === undefined) return `${change.field} ${change.after}`
    return `${change.field} ${change.before} → ${change.after ?? 'none'}`
  })
  const more = changed.length - parts.length
  return more > 0 ? `${parts.join(', ')} and ${more} more` : parts.join(', ')
}

/** 'redcoin.bulk_distribute' reads 'RedCoin: bulk distribute'. */
export function actionText(action: string): string {
  const [noun = '', ...verbs] = action.split('.')
  const title = titleOf(noun)
  return verbs.length === 0 ? title : `${title}: ${inWords(verbs.join(' '))}`
}
