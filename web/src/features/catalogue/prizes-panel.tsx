// The Prizes tab: every prize as a card, and the dialogs in which they are made and changed.

import { type AdminPrize, adminPrizesContract } from '@redpack/contract'
import { useQuery } from '@tanstack/react-query'
import { Gift, Plus } from 'lucide-react'
import { usePanelReading } from '../../compat/panel-reading.ts'
import { httpTextOf } from '../../lib/api-error.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'
import { formatNumber } from '../../lib/format.ts'
import { useSearchValue } from '../../lib/search-value.ts'
import {
  askAgain,
  LoadErrorCard,
  Loading,
  Skeleton,
  SlowNote,
} from '../../ui/feedback/data-state.tsx'
import { Empty } from '../../ui/feedback/empty.tsx'
import { Button } from '../../ui/form/button.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { useKept } from '../../ui/form/shared-record.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { PanelHeader } from '../../ui/layout/headings.tsx'
import { KeptPlace } from '../../ui/table/deleted-rows.tsx'
import { TableSearch } from '../../ui/table/table-search.tsx'
import { useTableView } from '../../ui/table/table-view.ts'
import { DeletedLink } from '../audit/shared/deleted-link.tsx'
import { InventoryDialog } from './inventory-dialog.tsx'
import { useAdminPackTypes } from './pack-type-queries.ts'
import { PrizeCard } from './prize-card.tsx'
import { PrizeDialog } from './prize-dialog.tsx'
import { realChances } from './real-chances.ts'
import { useDeletion } from './use-deletion.ts'

const grid = 'grid list-none grid-cols-[repeat(auto-fill,minmax(min(100%,21rem),1fr))] gap-4 p-0'
const skeletonCards = ['a', 'b', 'c', 'd', 'e', 'f']
/** Stands for the prize in the address while a new one is being made. */
const newPrize = 'new'

/** How often stock is asked for while it is being changed, in milliseconds: wins take from it. */
const stockMs = 5_000

const prizesQuery = endpointQuery(adminPrizesContract.list, {
  shows: ['catalogue', 'pack_types'],
  empty: [],
})

const nameOf = ({ name }: AdminPrize) => name

export function PrizesPanel() {
  const { newPrizeTotalPacks } = usePanelReading()
  const [stocked] = useSearchValue('stock')
  const prizes = useQuery({ ...prizesQuery, refetchInterval: stocked === '' ? false : stockMs })
  const { data, error, isFetching } = prizes
  const [edited, setEdited] = useSearchValue('prize', 'push')
  return (
    <section aria-labelledby="prizes-heading" className="grid grid-cols-1 gap-6">
      <PanelHeader
        id="prizes-heading"
        title="Prize Management"
        isRefreshing={isFetching && data !== undefined}
      >
        <Button onClick={() => setEdited(newPrize)}>
          <Plus aria-hidden="true" />
          Add Prize
        </Button>
      </PanelHeader>
      {data ? (
        <PrizeList
          prizes={data}
          defaultTotalPacks={newPrizeTotalPacks}
          edited={edited}
          onEdit={setEdited}
        />
      ) : error ? (
        <LoadErrorCard
          title="Error loading prizes"
          description={httpTextOf(error)}
          {...askAgain(prizes)}
        />
      ) : (
        <Loading label="Loading prizes" className="grid gap-4">
          <div className={grid}>
            {skeletonCards.map((name) => (
              <Skeleton key={name} className="h-80" />
            ))}
          </div>
          <SlowNote what="the prizes" />
        </Loading>
      )}
      <DeletedLink action="prize.delete">Deleted prizes</DeletedLink>
    </section>
  )
}

interface PrizeListProps {
  readonly prizes: readonly AdminPrize[]
  readonly defaultTotalPacks: number
  /** Id of the prize in the dialog, `new`, or empty. */
  readonly edited: string
  readonly onEdit: (id: string) => void
}

function PrizeList({ prizes, defaultTotalPacks, edited, onEdit }: PrizeListProps) {
  const [stocked, setStocked] = useSearchValue('stock', 'push')
  const filters = usePrizeFilters(prizes)
  const { rows, lineOf, remove } = useDeletion('Prize', filters.shown, {
    headingId: 'prizes-heading',
    scope: JSON.stringify([filters.search, filters.pack, filters.state]),
    nameOf,
  })
  const find = (id: string) => prizes.find((prize) => String(prize.id) === id)
  const editedPrize = useKept(find(edited), edited)
  const stockedPrize = find(stocked)
  return (
    <>
      {prizes.length === 0 && rows.length === 0 ? (
        <Card>
          <Empty
            picture={<Gift aria-hidden="true" />}
            title="No prizes found"
            description="Click Add Prize to create your first prize."
          />
        </Card>
      ) : (
        <PrizeFilters filters={filters} isEmpty={rows.length === 0} />
      )}
      <ul aria-label="Prizes" className={grid}>
        {rows.map((prize) => (
          <li key={prize.id}>
            <KeptPlace line={lineOf(prize)}>
              <PrizeCard
                prize={prize}
                chances={realChances(prize, prizes)}
                onEdit={() => onEdit(String(prize.id))}
                onInventory={() => setStocked(String(prize.id))}
                onDelete={() => void remove(prize)}
              />
            </KeptPlace>
          </li>
        ))}
      </ul>
      {(edited === newPrize || editedPrize.record) && (
        <PrizeDialog
          key={edited}
          prize={editedPrize.record}
          isGone={editedPrize.isGone}
          prizes={prizes}
          defaultTotalPacks={defaultTotalPacks}
          onClose={() => onEdit('')}
        />
      )}
      {stockedPrize && (
        <InventoryDialog key={stocked} prize={stockedPrize} onClose={() => setStocked('')} />
      )}
    </>
  )
}

// Which prizes are shown: by name, by pack, by state. The choice stands in the address.
const states = [
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
  { value: 'sold-out', label: 'Sold out' },
]

function isInState(prize: AdminPrize, state: string): boolean {
  if (state === 'active') return prize.isActive
  if (state === 'inactive') return !prize.isActive
  return state !== 'sold-out' || prize.inventoryQuantity === 0
}

const defaults = { filters: { pack: '', state: '' } }

/** The prizes that the address asks for, and how to ask for others. */
function usePrizeFilters(prizes: readonly AdminPrize[]) {
  const [view, change] = useTableView(defaults)
  const { pack = '', state = '' } = view.filters
  const wanted = view.search.trim().toLowerCase()
  const shown = prizes.filter(
    (prize) =>
      prize.name.toLowerCase().includes(wanted) &&
      (pack === '' || prize.packTypeIds.includes(Number(pack))) &&
      isInState(prize, state),
  )
  return { search: view.search, pack, state, change, shown, total: prizes.length }
}

interface PrizeFiltersProps {
  readonly filters: ReturnType<typeof usePrizeFilters>
  /** True when no card stands below, not even one that was just deleted. */
  readonly isEmpty: boolean
}

function PrizeFilters({ filters, isEmpty }: PrizeFiltersProps) {
  const { search, pack, state, change, shown, total } = filters
  const { data: packTypes = [] } = useAdminPackTypes()
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-end gap-3">
        <TableSearch
          label="Search prizes"
          value={search}
          onChange={(text) => change({ search: text }, true)}
        />
        <SelectField
          label="Pack type"
          fieldClassName="grow sm:max-w-60"
          placeholder="All pack types"
          choices={packTypes.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={pack}
          onChange={(event) => change({ filters: { pack: event.target.value } }, true)}
        />
        <SelectField
          label="State"
          fieldClassName="grow sm:max-w-60"
          placeholder="Any state"
          choices={states}
          value={state}
          onChange={(event) => change({ filters: { state: event.target.value } }, true)}
        />
      </div>
      <p role="status" className="text-sm text-muted">
        Showing {formatNumber(shown.length)} of {formatNumber(total)} prizes
      </p>
      {isEmpty && (
        <Empty
          title="No prize matches"
          action={
            <Button
              tone="secondary"
              onClick={() => change({ search: '', filters: { pack: '', state: '' } })}
            >
              Clear filters
            </Button>
          }
        />
      )}
    </div>
  )
}
