// The prizes a player has won: the filter and the page stand in the address.

import { ClaimsQuery } from '@redpack/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { ClaimsList, kindTexts } from '../features/claims/claims-list.tsx'
import { DeliveryDetails } from '../features/claims/delivery-details.tsx'
import type { ClaimFilter } from '../features/claims/queries.ts'
import { ShipmentOfClaim } from '../features/claims/ship-card.tsx'
import { BalanceCard } from '../features/ledger/balance-card.tsx'
import { SelectField } from '../ui/form/select-field.tsx'
import { PageHeading } from '../ui/layout/headings.tsx'

const filterDefault = ClaimsQuery.parse({}).filter

const choices = Object.entries(kindTexts).map(([value, { title }]) => ({ value, label: title }))

export function MyPrizesScreen() {
  const { filter, page } = ClaimsQuery.parse(useSearch({ strict: false }))
  const navigate = useNavigate()

  /** The usual filter and the first page go without saying. */
  const open = useCallback(
    (next: { filter: ClaimFilter; page: number }, replace = false) => {
      void navigate({
        to: '.',
        search: (previous) => ({
          ...previous,
          filter: next.filter === filterDefault ? undefined : next.filter,
          page: next.page === 1 ? undefined : next.page,
        }),
        replace,
        resetScroll: false,
      })
    },
    [navigate],
  )
  const openPage = useCallback(
    (next: number, isCorrection?: boolean) => open({ filter, page: next }, isCorrection),
    [open, filter],
  )
  return (
    <>
      <PageHeading
        title="My Prizes"
        description="Everything you have won so far"
        action={<BalanceCard />}
      />
      <ClaimsList
        filter={filter}
        page={page}
        onPageChange={openPage}
        renderAction={(claim) => (
          <ShipmentOfClaim claim={claim}>
            <DeliveryDetails claim={claim} />
          </ShipmentOfClaim>
        )}
        filterField={
          <SelectField
            label="Filter"
            choices={choices}
            value={filter}
            onChange={(event) =>
              open({ filter: ClaimsQuery.parse({ filter: event.target.value }).filter, page: 1 })
            }
            fieldClassName="w-full sm:w-56"
          />
        }
      />
    </>
  )
}
