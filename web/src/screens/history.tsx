// The player's own history: every change of the balance, and every opening with its proof. What is
// shown stands in the address.

import {
  historyContract,
  historyPageDefault,
  type RedCoinEntry,
  type RedCoinHistoryQuery,
  redCoinTypes,
} from '@redpack/contract'
import {
  Coins,
  Gift,
  type LucideIcon,
  MessagesSquare,
  Minus,
  Plus,
  Scale,
  ShieldCheck,
  ShoppingBag,
  Trophy,
  Tv,
} from 'lucide-react'
import { useState } from 'react'
import { OpeningsList, VerifyDialog } from '../features/fairness/openings-list.tsx'
import { BalanceCard } from '../features/ledger/coin.tsx'
import { urlOf } from '../lib/api.ts'
import { cn } from '../lib/class-names.ts'
import { emptyPagination, useEndpoint } from '../lib/endpoint-query.ts'
import { formatNumber, formatSigned, plural } from '../lib/format.ts'
import { DataState, EmptyCard, Skeleton } from '../ui/feedback/state.tsx'
import { Button, DownloadButton, LinkButton } from '../ui/form/button.tsx'
import { SelectField } from '../ui/form/select-field.tsx'
import { PageHeading, RefreshingDot } from '../ui/layout/section.tsx'
import { Tabs } from '../ui/layout/tabs.tsx'
import { Masked } from '../ui/media/masked.tsx'
import { Moment } from '../ui/media/moment.tsx'
import { Pagination, useLastPage, usePageTurning } from '../ui/table/pagination.tsx'
import { useTableView } from '../ui/table/table-view.ts'

interface RedCoinListProps {
  readonly type: EntryFilter
  readonly page: number
  readonly onTypeChange: (type: EntryFilter) => void
  /** `isCorrection` says that the page never existed, so that it leaves no trace in the history. */
  readonly onPageChange: (page: number, isCorrection?: boolean) => void
  readonly onProof: (openingId: number) => void
}

function RedCoinList({ type, page, onTypeChange, onPageChange, onProof }: RedCoinListProps) {
  const history = useRedCoinHistory(type, page)
  const { data, isPlaceholderData, isFetching } = history
  const shown = isPlaceholderData ? undefined : data?.pagination
  const { heading, turnTo } = usePageTurning(
    shown && `Page ${shown.page} of ${shown.totalPages}`,
    onPageChange,
  )
  useLastPage(shown?.page ?? 1, shown?.totalPages ?? 0, (last) => onPageChange(last, true))
  return (
    <section aria-labelledby="ledger-title">
      <div className="mb-4 flex flex-wrap items-end justify-between gap-4">
        <div className="min-w-0">
          <h2
            id="ledger-title"
            ref={heading}
            tabIndex={-1}
            className="flex items-center gap-2 text-xl focus:outline-none"
          >
            Balance history
            <RefreshingDot isShown={isFetching && data !== undefined} />
          </h2>
          <p className="min-h-6 text-muted">
            {data && `${plural(data.pagination.totalItems, 'change', 'changes')}, newest first`}
          </p>
        </div>
        <div className="flex w-full flex-wrap items-end gap-3 sm:w-auto">
          <SelectField
            label="Filter"
            choices={filterChoices}
            value={type}
            onChange={(event) => onTypeChange(event.target.value as EntryFilter)}
            fieldClassName="flex-1 basis-44 sm:w-52 sm:flex-none"
          />
          <DownloadButton href={historyFileAddress(type)}>Download CSV</DownloadButton>
        </div>
      </div>
      <DataState
        query={history}
        what="your history"
        title="Your history could not be loaded"
        skeleton={Array(6).fill(<EntryShape />)}
        className="card on-card divide-y divide-line"
        isOnPage
        isBrief
      >
        {({ entries, pagination }) => (
          <>
            {pagination.totalItems === 0 && <NoEntries isFiltered={type !== 'all'} />}
            {entries.length > 0 && (
              <ol className="card on-card list-none divide-y divide-line p-0">
                {entries.map((entry) => (
                  <EntryRow key={entry.id} entry={entry} onProof={onProof} />
                ))}
              </ol>
            )}
            <Pagination
              label="History pages"
              page={page}
              totalPages={pagination.totalPages}
              onPageChange={turnTo}
            />
          </>
        )}
      </DataState>
    </section>
  )
}

function NoEntries({ isFiltered }: { readonly isFiltered: boolean }) {
  return (
    <EmptyCard
      picture={<Gift />}
      title={isFiltered ? 'No changes of this kind' : 'No changes yet'}
      description="RedCoin you earn and spend appears here."
      action={!isFiltered && <LinkButton to="/inventory">Open packs</LinkButton>}
    />
  )
}

function EntryShape() {
  return (
    <div className="flex items-center gap-4 px-3 py-3 sm:px-5">
      <Skeleton className="size-11 flex-none" />
      <div className="grid flex-1 gap-2">
        <Skeleton className="h-5 max-w-56" />
        <Skeleton className="h-4 max-w-40" />
      </div>
      <Skeleton className="h-10 w-24" />
    </div>
  )
}

interface EntryRowProps {
  readonly entry: RedCoinEntry
  /** Shows the proof of the draw that paid. */
  readonly onProof: (openingId: number) => void
}

function EntryRow({ entry, onProof }: EntryRowProps) {
  const { amount, balanceAfter, createdAt, openingId } = entry
  const { label, Icon } = entryWords[entry.type]
  const reason = reasonOf(entry)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3 py-3 sm:px-5">
      <span className="grid size-11 flex-none place-items-center rounded-control bg-raised max-[22.5rem]:hidden">
        <Icon className="size-6 text-muted" />
      </span>
      <div className="min-w-0 flex-1 basis-44">
        <p className="font-semibold break-words">{reason}</p>
        <p className="text-sm text-muted">
          {reason === label ? '' : `${label} · `}
          <Moment at={createdAt} />
        </p>
      </div>
      {openingId !== null && (
        <Button icon={ShieldCheck} tone="ghost" onClick={() => onProof(openingId)}>
          Proof<span className="sr-only"> of {reason}</span>
        </Button>
      )}
      <div className="ms-auto flex-none text-end">
        <p
          className={cn(
            'font-display text-lg font-semibold tabular-nums',
            amount > 0 ? 'text-success' : 'text-ink',
          )}
        >
          {formatSigned(amount)} <span className="text-sm text-muted">RedCoin</span>
        </p>
        <p className="text-sm text-muted tabular-nums">
          <Masked what="Balance">Balance {formatNumber(balanceAfter)}</Masked>
        </p>
      </div>
    </li>
  )
}

type EntryFilter = RedCoinHistoryQuery['type']

/** One page of the changes; the page before stays until the next has come, of no other filter. */
export function useRedCoinHistory(type: EntryFilter, page: number) {
  return useEndpoint(historyContract.redCoin, {
    shows: ['user'],
    key: [type, page],
    options: { query: { page, limit: historyPageDefault, type } },
    empty: { entries: [], pagination: emptyPagination },
    placeholderData: (previous, query) => (query?.queryKey[1] === type ? previous : undefined),
  })
}

/** Where the same changes are to be had as a CSV file. */
function historyFileAddress(type: EntryFilter): string {
  return urlOf(historyContract.redCoinFile.path, {}, type === 'all' ? {} : { type })
}

interface Words {
  readonly label: string
  readonly Icon: LucideIcon
}

const entryWords: Readonly<Record<RedCoinEntry['type'], Words>> = {
  prize_win: { label: 'Prize', Icon: Trophy },
  pack_consolation: { label: 'Consolation', Icon: Coins },
  store_purchase: { label: 'Store purchase', Icon: ShoppingBag },
  watch_reward: { label: 'Watch reward', Icon: Tv },
  discord_reward: { label: 'Discord reward', Icon: MessagesSquare },
  admin_grant: { label: 'Given by staff', Icon: Plus },
  admin_removal: { label: 'Removed by staff', Icon: Minus },
  opening_balance: { label: 'Opening balance', Icon: Scale },
}

/** The choices of the filter, everything first. */
const filterChoices: readonly { readonly value: EntryFilter; readonly label: string }[] = [
  { value: 'all', label: 'All changes' },
  ...redCoinTypes.map((value) => ({ value, label: entryWords[value].label })),
]

/** Why the balance changed; entries without words of their own have their kind. */
function reasonOf({ description, type }: RedCoinEntry): string {
  return description.trim() === '' ? entryWords[type].label : description
}

const viewDefaults = { filters: { view: 'redcoin', type: 'all' } }

export function HistoryScreen() {
  const [{ page, filters }, change] = useTableView(viewDefaults)
  const [openingId, setOpeningId] = useState<number | null>(null)
  const type: EntryFilter = redCoinTypes.find((known) => known === filters.type) ?? 'all'
  const openPage = (next: number, isCorrection?: boolean) => change({ page: next }, isCorrection)
  return (
    <>
      <PageHeading
        title="History"
        description="Your RedCoin changes and pack openings"
        action={<BalanceCard />}
      />
      <Tabs
        label="History of"
        value={filters.view === 'openings' ? 'openings' : 'redcoin'}
        onChange={(view) => change({ filters: { view, type: 'all' } })}
        tabs={[
          {
            value: 'redcoin',
            label: 'RedCoin',
            content: (
              <RedCoinList
                type={type}
                page={page}
                onTypeChange={(next) => change({ filters: { type: next } })}
                onPageChange={openPage}
                onProof={setOpeningId}
              />
            ),
          },
          {
            value: 'openings',
            label: 'Openings',
            content: <OpeningsList page={page} onPageChange={openPage} />,
          },
        ]}
      />
      <VerifyDialog
        opening={openingId === null ? null : { id: openingId }}
        onClose={() => setOpeningId(null)}
      />
    </>
  )
}
