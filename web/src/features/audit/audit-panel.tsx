// The Audit Log tab: what staff did, to what, when, and how it was before.

import { type AuditEntry, adminAuditContract, auditSorts } from '@redpack/contract'
import { adminFileRowsMax, hitsMax } from '@redpack/contract/limits'
import { keepPreviousData } from '@tanstack/react-query'
import { ListFilter, ScrollText, Undo2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { urlOf } from '../../lib/api.ts'
import { emptyPage, useEndpoint } from '../../lib/endpoint-query.ts'
import { formatDateTime, formatNumber, plural } from '../../lib/format.ts'
import { useCall } from '../../lib/use-call.ts'
import { reportOutcome } from '../../ui/feedback/outcome.ts'
import { Empty } from '../../ui/feedback/state.tsx'
import { Button } from '../../ui/form/button.tsx'
import { CopyButton } from '../../ui/form/copy-button.tsx'
import { SelectField, withChosen } from '../../ui/form/select-field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Fact, PanelHeader } from '../../ui/layout/section.tsx'
import { Dialog, DialogActions } from '../../ui/overlay/dialog.tsx'
import { DataTable, pagedByServer } from '../../ui/table/data-table.tsx'
import { PlainTable } from '../../ui/table/plain-table.tsx'
import { type TableView, useTableView } from '../../ui/table/table-view.ts'
import { useIsStaff } from '../session/queries.ts'
import { actionText, actorText, auditColumns, changesOf, targetText } from './audit-columns.tsx'
import { deletable } from './shared/deletion.tsx'

const defaults = { sort: '-createdAt', filters: { action: '', from: '', until: '', batch: '' } }

/** The nouns of actions, as a choice; the search finds the rest, a link leads to a whole action. */
const nouns = [
  'redcoin',
  'packs',
  'claim',
  'role',
  'earning',
  'note',
  'prize',
  'pack_type',
  'listing',
  'stream',
  'outbox',
  'economy',
  'openings',
  'theme_saved',
  'discord_server',
  'discord_settings',
  'second_factor',
  'account',
  'bot',
  'image',
]

const actionChoices = nouns.map((value) => ({ value, label: actionText(value) }))

export function AuditPanel() {
  const [view, changeView] = useTableView(defaults)
  const { action = '', from = '', until = '', batch = '' } = view.filters
  const filters: AuditFilters = { search: view.search, action, from, until, batch }
  const audit = useAudit(filters, view)
  const [opened, setOpened] = useState<AuditEntry>()
  const columns = useMemo(() => auditColumns(setOpened), [])
  const isFiltered = Object.values(filters).some((value) => value !== '')
  const filter = (change: Readonly<Record<string, string>>) => changeView({ filters: change }, true)
  return (
    <section aria-labelledby="audit-title" className="min-w-0">
      <PanelHeader id="audit-title" title="Audit Log" />
      <p className="mb-4 text-muted">Everything staff did. Entries cannot be changed.</p>
      <DataTable
        label="Audit log"
        columns={columns}
        rows={audit.data?.entries}
        rowId={({ id }) => id}
        rowName={(entry) => actionText(entry.action)}
        view={view}
        onViewChange={changeView}
        {...pagedByServer(audit)}
        errorTitle="Error loading the audit log"
        search={{ label: 'Search the log', placeholder: 'Person, action or reason' }}
        tools={
          <>
            <SelectField
              label="Action"
              placeholder="All actions"
              choices={withChosen(actionChoices, action, actionText(action))}
              value={action}
              onChange={(event) => filter({ action: event.target.value })}
              fieldClassName="w-full sm:w-52"
            />
            <DayField
              label="From"
              value={from}
              max={until}
              onChange={(day) => filter({ from: day })}
            />
            <DayField
              label="Until"
              value={until}
              min={from}
              onChange={(day) => filter({ until: day })}
            />
            {isFiltered && (
              <Button
                tone="ghost"
                onClick={() => changeView({ search: '', filters: defaults.filters })}
              >
                Clear filters
              </Button>
            )}
          </>
        }
        countLine={(shown, total) =>
          `Showing ${formatNumber(shown)} of ${plural(total, 'entry', 'entries')}${batch && ', one batch'}`
        }
        hitsMax={isFiltered && hitsMax}
        empty={
          <Empty
            picture={<ScrollText />}
            title={isFiltered ? 'No entries match these filters' : 'No entries yet'}
          />
        }
        onOpen={setOpened}
        fileRowsMax={adminFileRowsMax}
        csv={urlOf(adminAuditContract.file.path, {}, filterQuery(filters))}
      />
      {opened && (
        <EntryDialog
          entry={opened}
          onClose={() => setOpened(undefined)}
          onBatch={(batchId) => {
            setOpened(undefined)
            changeView({ search: '', filters: { ...defaults.filters, batch: batchId } })
          }}
        />
      )}
    </section>
  )
}

interface DayFieldProps {
  readonly label: string
  readonly value: string
  readonly min?: string
  readonly max?: string
  readonly onChange: (day: string) => void
}

function DayField({ onChange, ...rest }: DayFieldProps) {
  return (
    <TextField
      {...rest}
      type="date"
      onChange={(event) => onChange(event.target.value)}
      fieldClassName="w-[calc(50%-0.375rem)] sm:w-40"
    />
  )
}

const auditPageSize = 50

interface AuditFilters {
  readonly search: string
  /** A whole action or its noun; empty for all. */
  readonly action: string
  /** Days as the date field has them, in the browser's own zone; empty for no bound. */
  readonly from: string
  readonly until: string
  /** All entries of one bulk act; empty for all. */
  readonly batch: string
}

/** Midnight of a day here, `daysLater` later, as a moment; undefined for no day. */
export function startOfDay(day: string, daysLater = 0): string | undefined {
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day)
  if (!found) return undefined
  const [year = 0, month = 1, date = 1] = found.slice(1).map(Number)
  const moment = new Date(year, month - 1, date + daysLater)
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString()
}

function filterQuery({ search, action, from, until, batch }: AuditFilters) {
  return {
    search: search || undefined,
    action: action || undefined,
    batchId: batch || undefined,
    from: startOfDay(from),
    // The last day counts as a whole.
    until: startOfDay(until, 1),
  }
}

/** How often the log is asked for anew while it is looked at, in milliseconds. */
export const auditPollMs = 10_000

function useAudit(filters: AuditFilters, { sort: wanted, page }: TableView) {
  const sort = auditSorts.find((known) => known === wanted) ?? '-createdAt'
  return useEndpoint(adminAuditContract.list, {
    shows: ['audit'],
    options: { query: { ...filterQuery(filters), sort, page, limit: auditPageSize } },
    empty: { entries: [], ...emptyPage },
    refetchInterval: auditPollMs,
    placeholderData: keepPreviousData,
    enabled: useIsStaff(),
  })
}

interface EntryDialogProps {
  readonly entry: AuditEntry
  readonly onClose: () => void
  /** Shows all entries of the same bulk act. */
  readonly onBatch: (batchId: string) => void
}

function EntryDialog({ entry, onClose, onBatch }: EntryDialogProps) {
  const { batchId } = entry
  const deleted = deletedBy(entry)
  return (
    <Dialog
      onOpenChange={onClose}
      title={actionText(entry.action)}
      description={`${actorText(entry)}, ${formatDateTime(entry.createdAt)}`}
      isWide
    >
      <dl className="mb-5 grid gap-x-6 gap-y-1 sm:grid-cols-2">
        <Fact term="Target">{targetText(entry)}</Fact>
        <Fact term="Action">{entry.action}</Fact>
        {entry.reason !== null && <Fact term="Reason">{entry.reason}</Fact>}
        {entry.requestId !== null && <CodeFact term="Request" text={entry.requestId} />}
        {batchId !== null && <CodeFact term="Batch" text={batchId} />}
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

function CodeFact({ term, text }: { readonly term: string; readonly text: string }) {
  return (
    <Fact term={term}>
      <span className="flex items-center gap-3 font-mono text-sm">
        {text}
        <CopyButton text={text} label={`Copy ${term.toLowerCase()}`} />
      </span>
    </Fact>
  )
}

function ChangesTable({ entry }: { readonly entry: AuditEntry }) {
  const changes = changesOf(entry.before, entry.after)
  if (changes.length === 0) return <p className="text-muted">No details.</p>
  return (
    <PlainTable label="Before and after" heads={['Field', 'Before', 'After']}>
      {changes.map(({ field, before, after, isChanged }) => (
        <tr key={field} className="align-top">
          <th scope="row" className="font-normal text-muted">
            {field}
            {isChanged && <span className="sr-only"> (changed)</span>}
          </th>
          <Side text={before} look={isChanged ? 'text-danger line-through' : ''} />
          <Side text={after} look={isChanged ? 'font-semibold text-success' : ''} />
        </tr>
      ))}
    </PlainTable>
  )
}

function Side({ text, look }: { readonly text: string | undefined; readonly look: string }) {
  return (
    <td
      className={`font-mono wrap-anywhere whitespace-pre-wrap ${text === undefined ? 'text-muted' : look}`}
    >
      {text ?? '–'}
    </td>
  )
}

interface Deleted {
  readonly action: keyof typeof deletable
  readonly id: number
}

/** What an entry says was deleted and can be restored, if anything. */
export function deletedBy({ action, target }: AuditEntry): Deleted | undefined {
  const id = Number(target?.id)
  return action in deletable && Number.isSafeInteger(id) && id > 0
    ? { action: action as Deleted['action'], id }
    : undefined
}

interface RestoreDeletedProps {
  readonly deleted: Deleted
  readonly onDone: () => void
}

/** The server refuses what is there already, or what cannot come back as it was. */
function RestoreDeleted({ deleted: { action, id }, onDone }: RestoreDeletedProps) {
  const { thing, contract } = deletable[action]
  const restore = useCall(contract.restore)
  const run = async () => {
    const isRestored = await reportOutcome(restore.mutateAsync({ params: { id } }), {
      done: `${thing} restored successfully`,
      fallback: `Failed to restore ${thing.toLowerCase()}`,
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
