// The player's own history: every change of the balance, and every opening with its proof. What is
// shown stands in the address.

import { redCoinTypes } from '@redpack/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { OpeningsList, VerifyDialog } from '../features/fairness/openings-list.tsx'
import { BalanceCard } from '../features/ledger/balance-card.tsx'
import { type EntryFilter, RedCoinList } from '../features/ledger/red-coin-list.tsx'
import { pageNumberOf } from '../lib/search-value.ts'
import { PageHeading } from '../ui/layout/headings.tsx'
import { Tabs } from '../ui/layout/tabs.tsx'

type View = 'redcoin' | 'openings'

interface Place {
  readonly view?: View
  readonly type?: EntryFilter
  readonly page?: number
}

export function HistoryScreen() {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const [openingId, setOpeningId] = useState<number | null>(null)
  const view: View = search.view === 'openings' ? 'openings' : 'redcoin'
  const type: EntryFilter = redCoinTypes.find((known) => known === search.type) ?? 'all'
  const page = pageNumberOf(search.page)

  /** What goes without saying stays out of the address. */
  const open = useCallback(
    (place: Place, replace = false) => {
      void navigate({
        to: '/history',
        search: {
          ...(place.view === 'openings' && { view: 'openings' as const }),
          ...(place.type !== undefined && place.type !== 'all' && { type: place.type }),
          ...(place.page !== undefined && place.page > 1 && { page: place.page }),
        },
        replace,
        resetScroll: false,
      })
    },
    [navigate],
  )
  const openPage = useCallback(
    (next: number, isCorrection?: boolean) => open({ view, type, page: next }, isCorrection),
    [open, view, type],
  )
  return (
    <>
      <PageHeading
        title="History"
        description="Your RedCoin changes and pack openings"
        action={<BalanceCard />}
      />
      <Tabs
        label="History of"
        value={view}
        onChange={(next) => open({ view: next === 'openings' ? 'openings' : 'redcoin' })}
        tabs={[
          {
            value: 'redcoin',
            label: 'RedCoin',
            content: (
              <RedCoinList
                type={type}
                page={page}
                onTypeChange={(next) => open({ type: next })}
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
