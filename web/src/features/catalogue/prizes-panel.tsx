// The Prizes tab: every prize as a card, and the dialogs in which they are made and changed.

import { type AdminPrize, adminPrizesContract } from '@redpack/contract'
import { useQuery } from '@tanstack/react-query'
import { Gift, Plus } from 'lucide-react'
import { usePanelReading } from '../../compat/panel-reading.ts'
import { httpTextOf } from '../../lib/api-error.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'
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
import { useKept } from '../../ui/form/shared-record.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { PanelHeader } from '../../ui/layout/headings.tsx'
import { KeptPlace } from '../../ui/table/deleted-rows.tsx'
import { DeletedLink } from '../audit/shared/deleted-link.tsx'
import { InventoryDialog } from './inventory-dialog.tsx'
import { PrizeCard } from './prize-card.tsx'
import { PrizeDialog } from './prize-dialog.tsx'
import { PrizeFilters, usePrizeFilters } from './prize-filters.tsx'
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
