// The Prize Claims tab: find claims, approve them, delete and restore them.

import { type AdminClaim, type ClaimReading, claimStatusFilters } from '@redpack/contract'
import { adminFileRowsMax, claimHitsMax, claimsSortedMax } from '@redpack/contract/limits'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck, Search, Ticket, Trash2, Undo2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { usePanelReading } from '../../compat/panel-reading.ts'
import { formatNumber, plural } from '../../lib/format.ts'
import { useSettledText } from '../../lib/settled-text.ts'
import { useStreamerMode } from '../../lib/streamer-mode.ts'
import { Badge, DataState, Empty } from '../../ui/feedback/state.tsx'
import { Button } from '../../ui/form/button.tsx'
import { CopyButton } from '../../ui/form/copy-button.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { PanelHeader } from '../../ui/layout/section.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import { Moment } from '../../ui/media/moment.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import type { DataColumn } from '../../ui/table/columns.tsx'
import { DataTable, pagedByServer } from '../../ui/table/data-table.tsx'
import { DeleteButton, useDeletedRows } from '../../ui/table/deleted-rows.tsx'
import type { Untick } from '../../ui/table/selection.tsx'
import { useSearchDraft } from '../../ui/table/table-search.tsx'
import { useTableView } from '../../ui/table/table-view.ts'
import { useStaffPowers } from '../session/queries.ts'
import { UserField, useUserSuggestions } from '../session/shared/suggest-users.tsx'
import {
  approveWord,
  ClaimQuestions,
  claimName,
  deliveryLines,
  isOpenClaim,
  loadErrorText,
  useClaimActs,
} from './claim-acts.tsx'
import { ClaimInstructions, ClaimTimeline, claimIdOf, StatusBadge } from './shared/claim-parts.tsx'
import { type ClaimFilter, claimsFile, readingQuery, useAdminClaims } from './staff-queries.ts'

/** A filter of the address, or the usual one where the address says something else. */
function filterOf(word: string | undefined, fallback: ClaimFilter): ClaimFilter {
  return claimStatusFilters.find((known) => known === word) ?? fallback
}

const noClaims: readonly AdminClaim[] = []

export function ClaimsPanel() {
  const { usualClaims, claimStatuses } = usePanelReading()
  const defaults = useMemo(
    () => ({ sort: '-createdAt', filters: { status: usualClaims } }),
    [usualClaims],
  )
  const [view, changeView] = useTableView(defaults)
  const status = filterOf(view.filters.status, usualClaims)
  const { search, sort, page } = view
  const claims = useAdminClaims({ search, status, sort, page })
  const deleted = useDeletedRows(claims.data?.claims ?? noClaims, {
    headingId: 'claims-title',
    scope: JSON.stringify([search, status, sort, page]),
  })
  const acts = useClaimActs(deleted)
  const { mayActOnEverybody } = useStaffPowers()
  // Names of controls change with it.
  useStreamerMode()
  const { ask } = acts
  const [opened, setOpened] = useState<AdminClaim>()
  const { total = 0, claimsTotal = 0 } = claims.data ?? {}
  const isPartial = search !== '' || status !== 'all'
  const canSortWords = total <= claimsSortedMax
  const columns = useMemo(() => claimsColumns(setOpened, ask, canSortWords), [ask, canSortWords])
  return (
    <section aria-labelledby="claims-title" className="min-w-0">
      <PanelHeader id="claims-title" title="Prize Claims" className="mb-4">
        {total > 0 && status !== 'deleted' && (
          <Button
            icon={Trash2}
            tone="danger"
            onClick={() => ask({ act: 'delete-all', claims: [] })}
            disabled={!mayActOnEverybody}
            title={mayActOnEverybody ? undefined : 'Only a super user can do this'}
          >
            Delete All
          </Button>
        )}
      </PanelHeader>
      <DataTable
        label="Prize claims"
        columns={columns}
        rows={claims.data && deleted.rows}
        deleted={deleted}
        rowId={({ id }) => id}
        rowName={claimName}
        view={view}
        onViewChange={changeView}
        {...pagedByServer(claims)}
        errorTitle={claims.error ? loadErrorText(claims.error) : ''}
        tools={
          <>
            <ClaimSearch
              value={search}
              onSearch={(text) => {
                if (text === search) void claims.refetch()
                changeView({ search: text })
              }}
              onClear={() => changeView({ search: '', filters: { status: usualClaims } })}
            />
            <SelectField
              label="Status"
              choices={claimStatuses}
              value={status}
              onChange={(event) => changeView({ filters: { status: event.target.value } })}
              fieldClassName="w-full sm:w-44"
            />
          </>
        }
        countLine={() =>
          status === 'deleted'
            ? `Showing ${plural(total, 'deleted claim', 'deleted claims')}`
            : `Showing ${formatNumber(total)} of ${formatNumber(claimsTotal)} total claims`
        }
        hitsMax={search !== '' && claimHitsMax}
        onOpen={setOpened}
        empty={
          <Empty
            picture={<Ticket />}
            title={isPartial ? 'No claims found matching current filters' : 'No prize claims found'}
          />
        }
        canSelect={(claim) => isOpenClaim(claim) || claim.deletedAt !== null}
        bulk={(rows, onDone) => <BulkActions {...{ rows, onDone, ask }} />}
        fileRowsMax={adminFileRowsMax}
        csv={[
          { label: 'Without addresses', address: claimsFile({ search, status }, 'without') },
          { label: 'With addresses', address: claimsFile({ search, status }, 'with') },
        ]}
      />
      {opened && <ClaimDialog claim={opened} onClose={() => setOpened(undefined)} />}
      <ClaimQuestions acts={acts} isPartial={isPartial} total={claimsTotal} />
    </section>
  )
}

type Ask = ReturnType<typeof useClaimActs>['ask']

interface BulkActionsProps {
  readonly rows: readonly AdminClaim[]
  readonly onDone: Untick<AdminClaim>
  readonly ask: Ask
}

/** Each act is offered for those of the rows that allow it. */
function BulkActions({ rows, onDone, ask }: BulkActionsProps) {
  const open = rows.filter(isOpenClaim)
  const pending = open.filter(({ status }) => status === 'pending')
  const deleted = rows.filter(({ deletedAt }) => deletedAt !== null)
  const offers = [
    { act: 'approve', label: 'Approve', icon: CircleCheck, tone: 'primary', claims: pending },
    { act: 'delete', label: 'Delete', icon: Trash2, tone: 'danger', claims: open },
    { act: 'restore', label: 'Restore', icon: Undo2, tone: 'secondary', claims: deleted },
  ] as const
  return offers.map(
    ({ act, label, claims, ...look }) =>
      claims.length > 0 && (
        <Button key={act} {...look} onClick={() => ask({ act, claims, onDone })}>
          {label} {claims.length}
        </Button>
      ),
  )
}

interface ClaimDialogProps {
  /** `id` is its number or its Claim ID. */
  readonly claim: Pick<AdminClaim, 'claimId' | 'prizeName'> & {
    readonly id: number | string
    readonly user: AdminClaim['user']
  }
  readonly onClose: () => void
}

export function ClaimDialog({ claim, onClose }: ClaimDialogProps) {
  const { id, prizeName, user } = claim
  const reading = useQuery(readingQuery(id))
  return (
    <Dialog
      onOpenChange={onClose}
      title={<Masked what="Claim ID">{claimIdOf(claim)}</Masked>}
      description={
        <>
          {prizeName} for <Winner user={user} />
        </>
      }
    >
      <DataState query={reading} what="the claim" skeleton="h-48">
        {({ contactInfo, claimInstructions, timeline, hasCode }) => (
          <div className="grid gap-5">
            {hasCode ? (
              <p>The winner has received a code. Only they can see it.</p>
            ) : (
              <DeliverySection contactInfo={contactInfo} />
            )}
            {claimInstructions !== '' && <ClaimInstructions text={claimInstructions} />}
            <ClaimTimeline steps={timeline} />
          </div>
        )}
      </DataState>
    </Dialog>
  )
}

function Winner({ user }: Pick<AdminClaim, 'user'>) {
  const names = `${user.displayName} (@${user.username})`
  if (!usePanelReading().hasUserPages) return names
  return (
    <Link to="." search={{ tab: 'users', user: user.id }} className="underline">
      {names}
    </Link>
  )
}

interface ClaimOpenerProps {
  readonly claimId: string
  readonly onOpen: () => void
}

/** The Claim ID in a row, which opens it. */
export function ClaimOpener({ claimId, onOpen }: ClaimOpenerProps) {
  return (
    <button
      type="button"
      className="min-h-11 whitespace-nowrap font-mono text-sm hover:underline"
      title="Delivery, timeline and instructions"
      onClick={onOpen}
    >
      <Masked what="Claim ID" canReveal={false}>
        {claimId}
      </Masked>
    </button>
  )
}

/** Where a prize goes, for whoever writes the label. */
export function DeliverySection({ contactInfo }: Pick<ClaimReading, 'contactInfo'>) {
  const lines = deliveryLines(contactInfo)
  const text = lines.map(({ value }) => value).join('\n')
  return (
    <section aria-labelledby="delivery-title">
      <div className="flex min-h-11 items-center justify-between gap-3">
        <h4 id="delivery-title" className="text-sm font-semibold text-muted">
          Delivery
        </h4>
        {lines.length > 0 && <CopyButton text={text} label="Copy delivery details" />}
      </div>
      {lines.length === 0 && <p>No delivery details yet.</p>}
      {lines.length > 0 && (
        <Masked what="Delivery details" isLasting isBlock>
          <dl className="grid gap-x-4 sm:grid-cols-[auto_1fr]">
            {lines.map(({ label, value }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two lines may have one label
              <div key={place} className="contents">
                <dt className="text-sm text-muted sm:py-0.5">{label}</dt>
                <dd className="mb-1 whitespace-pre-line wrap-anywhere sm:mb-0">{value}</dd>
              </div>
            ))}
          </dl>
        </Masked>
      )}
    </section>
  )
}

/** How long after the field is left its suggestions close, in milliseconds. */
const suggestionsCloseMs = 200
interface ClaimSearchProps {
  /** What is searched for now. */
  readonly value: string
  readonly onSearch: (text: string) => void
  /** Back to everything, the filter included. */
  readonly onClear: () => void
}

/** Searches on Search, on Enter, and when a suggestion is chosen. */
export function ClaimSearch({ value, onSearch, onClear }: ClaimSearchProps) {
  const { field, text, setText } = useSearchDraft(value)
  const { settled, isSettled } = useSettledText(text)
  const { data: users = [] } = useUserSuggestions(settled === value ? '' : settled)
  const submit = () => onSearch(text.trim())
  return (
    <div className="flex w-full flex-wrap items-end gap-2 md:w-auto">
      <UserField
        className="w-full sm:w-72"
        label="Search claims"
        placeholder="Claim ID, user or prize"
        fieldRef={field}
        value={text}
        onChange={setText}
        closeDelayMs={suggestionsCloseMs}
        users={isSettled ? users : []}
        contentOf={({ username, displayName }) => (
          <span className="min-w-0">
            <span className="block truncate font-semibold">{username}</span>
            <span className="block truncate text-sm text-muted">{displayName}</span>
          </span>
        )}
        onPick={({ username }) => {
          setText(username)
          onSearch(username)
        }}
        onSubmit={submit}
      />
      <Button icon={Search} onClick={submit}>
        Search
      </Button>
      <Button
        tone="secondary"
        onClick={() => {
          setText('')
          onClear()
        }}
      >
        Clear
      </Button>
    </div>
  )
}

/** `canSortWords` while the claims are few enough to be sorted by winner and by prize. */
function claimsColumns(
  onOpen: (claim: AdminClaim) => void,
  ask: Ask,
  canSortWords: boolean,
): readonly DataColumn<AdminClaim>[] {
  return [
    {
      id: 'claimId',
      header: 'Claim ID',
      value: claimIdOf,
      cell: (claim) => <ClaimOpener claimId={claimIdOf(claim)} onOpen={() => onOpen(claim)} />,
    },
    {
      id: 'user',
      header: 'User',
      isSortable: canSortWords,
      value: (claim) => claim.username,
      cell: ({ user }) => (
        <span className="block leading-tight min-[45rem]:max-w-26 lg:max-w-36 xl:max-w-52">
          <span className="block truncate">{user.displayName}</span>
          <span className="block truncate text-sm leading-tight text-muted">@{user.username}</span>
        </span>
      ),
    },
    {
      id: 'prize',
      header: 'Prize',
      isSortable: canSortWords,
      value: (claim) => claim.prizeName,
      cell: (claim) => (
        <span className="block min-w-22 max-w-64 wrap-anywhere">{claim.prizeName}</span>
      ),
    },
    // Before the amount: beside the pinned column a tablet still shows it.
    {
      id: 'status',
      header: 'Status',
      isSortable: true,
      value: (claim) => claim.status,
      cell: (claim) => (
        <span className="inline-flex flex-wrap gap-1.5">
          <StatusBadge status={claim.status} />
          {claim.deletedAt !== null && <Badge tone="danger">Deleted</Badge>}
        </span>
      ),
    },
    {
      id: 'redCoinAmount',
      header: 'RedCoin',
      value: (claim) => claim.redCoinAmount,
      cell: (claim) =>
        claim.redCoinAmount > 0 ? (
          <span className="tabular-nums">{formatNumber(claim.redCoinAmount)}</span>
        ) : (
          <span className="whitespace-nowrap text-muted">Physical Prize</span>
        ),
    },
    {
      id: 'createdAt',
      header: 'Claimed At',
      isSortable: true,
      value: (claim) => claim.createdAt,
      cell: (claim) => <Moment at={claim.createdAt} className="whitespace-nowrap" />,
    },
    {
      id: 'actions',
      header: 'Actions',
      isFixed: true,
      cell: (claim) => <ClaimButtons claim={claim} ask={ask} />,
    },
  ]
}

function ClaimButtons({ claim, ask }: { readonly claim: AdminClaim; readonly ask: Ask }) {
  const name = claimName(claim)
  const claims = [claim]
  if (claim.deletedAt !== null) {
    return (
      <Button
        icon={Undo2}
        tone="secondary"
        className="px-3 text-sm"
        aria-label={`Restore ${name}`}
        onClick={() => ask({ act: 'restore', claims })}
      >
        Restore
      </Button>
    )
  }
  if (claim.isAutoCompleted) {
    return <span className="whitespace-nowrap text-muted">Auto-completed</span>
  }
  if (!isOpenClaim(claim)) return <span className="text-muted">–</span>
  return (
    <span className="inline-flex gap-1">
      <Button
        icon={CircleCheck}
        tone="secondary"
        className="px-3 text-sm"
        aria-label={`${approveWord(claim)} ${name}`}
        onClick={() => ask({ act: 'approve', claims })}
      >
        {approveWord(claim)}
      </Button>
      <DeleteButton label={`Delete ${name}`} onClick={() => ask({ act: 'delete', claims })} />
    </span>
  )
}
