// Which prizes are shown: by name, by pack, by state. The choice stands in the address.

import type { AdminPrize } from '@redpack/contract'
import { formatNumber } from '../../lib/format.ts'
import { Empty } from '../../ui/feedback/empty.tsx'
import { Button } from '../../ui/form/button.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { TableSearch } from '../../ui/table/table-search.tsx'
import { useTableView } from '../../ui/table/table-view.ts'
import { useAdminPackTypes } from './pack-type-queries.ts'

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
export function usePrizeFilters(prizes: readonly AdminPrize[]) {
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

export interface PrizeFiltersProps {
  readonly filters: ReturnType<typeof usePrizeFilters>
  /** True when no card stands below, not even one that was just deleted. */
  readonly isEmpty: boolean
}

export function PrizeFilters({ filters, isEmpty }: PrizeFiltersProps) {
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
