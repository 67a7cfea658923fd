// Which prizes are shown: by name, by pack, by state. The choice stands in the address.

import type { AdminPrize } from '@redpack/contract'
import { formatNumber } from '../../lib/format.ts'
import { useSearchValue } from '../../lib/search-value.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useAdminPackTypes } from '../pack-types/queries.ts'

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

/** The prizes that the address asks for, and how to ask for others. */
export function usePrizeFilters(prizes: readonly AdminPrize[]) {
  const [text, setText] = useSearchValue('q')
  const [pack, setPack] = useSearchValue('pack')
  const [state, setState] = useSearchValue('state')
  const wanted = text.trim().toLowerCase()
  const shown = prizes.filter(
    (prize) =>
      prize.name.toLowerCase().includes(wanted) &&
      (pack === '' || prize.packTypeIds.includes(Number(pack))) &&
      isInState(prize, state),
  )
  return { text, setText, pack, setPack, state, setState, shown, total: prizes.length }
}

export interface PrizeFiltersProps {
  readonly filters: ReturnType<typeof usePrizeFilters>
}

export function PrizeFilters({ filters }: PrizeFiltersProps) {
  const { text, setText, pack, setPack, state, setState, shown, total } = filters
  const { data: packTypes = [] } = useAdminPackTypes()
  return (
    <div className="grid gap-3">
      <search className="grid grid-cols-1 gap-3 sm:grid-cols-3">
        <TextField
          label="Search prizes"
          type="search"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <SelectField
          label="Pack type"
          placeholder="All pack types"
          choices={packTypes.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={pack}
          onChange={(event) => setPack(event.target.value)}
        />
        <SelectField
          label="State"
          placeholder="Any state"
          choices={states}
          value={state}
          onChange={(event) => setState(event.target.value)}
        />
      </search>
      <p role="status" className="text-sm text-muted">
        Showing {formatNumber(shown.length)} of {formatNumber(total)} prizes
      </p>
      {shown.length === 0 && (
        <Empty
          title="No prize matches"
          action={
            <Button
              tone="secondary"
              onClick={() => {
                setText('')
                setPack('')
                setState('')
              }}
            >
              Clear filters
            </Button>
          }
        />
      )}
    </div>
  )
}
