// The Pack Types tab: every pack type as a card, and the dialogs that make and change them.

import type { AdminPackType } from '@redpack/contract'
import { Boxes, Plus } from 'lucide-react'
import { useCallback, useState } from 'react'
import { httpTextOf, messageOf } from '../../lib/api-error.ts'
import { useSearchValue } from '../../lib/search-value.ts'
import { askAgain, LoadErrorCard, Skeleton, SlowNote } from '../../ui/feedback/data-state.tsx'
import { Empty } from '../../ui/feedback/empty.tsx'
import { toastFailed } from '../../ui/feedback/outcome.ts'
import { Button } from '../../ui/form/button.tsx'
import { useKept } from '../../ui/form/shared-record.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { PanelHeader } from '../../ui/layout/headings.tsx'
import { KeptPlace } from '../../ui/table/deleted-rows.tsx'
import { DeletedLink } from '../audit/shared/deleted-link.tsx'
import { PackTypeCard } from './pack-type-card.tsx'
import { PackTypeDialog } from './pack-type-dialog.tsx'
import { useAdminPackTypes } from './pack-type-queries.ts'
import { useDeletion } from './use-deletion.ts'

const grid = 'grid list-none grid-cols-[repeat(auto-fill,minmax(min(100%,18rem),1fr))] gap-4 p-0'
const skeletonCards = ['a', 'b', 'c', 'd']
/** Stands for the pack type in the address while a new one is being made. */
const newPackType = 'new'

const nameOf = ({ name }: AdminPackType) => name

export function PackTypesPanel() {
  const packTypes = useAdminPackTypes()
  const { data, error, isFetching } = packTypes
  const [edited, setEdited] = useSearchValue('packType', 'push')
  return (
    <section aria-labelledby="pack-types-heading" className="grid grid-cols-1 gap-6">
      <PanelHeader
        id="pack-types-heading"
        title="Pack Types Management"
        isRefreshing={isFetching && data !== undefined}
      >
        <Button onClick={() => setEdited(newPackType)}>
          <Plus aria-hidden="true" />
          Add Pack Type
        </Button>
      </PanelHeader>
      {data ? (
        <PackTypeGrid packTypes={data} edited={edited} onEdit={setEdited} />
      ) : error ? (
        <LoadErrorCard
          title="Error loading pack types"
          description={httpTextOf(error)}
          {...askAgain(packTypes)}
        />
      ) : (
        <div aria-busy="true" className="grid gap-4">
          <p role="status" className="text-muted">
            Loading pack types...
          </p>
          <div className={grid}>
            {skeletonCards.map((name) => (
              <Skeleton key={name} className="h-60" />
            ))}
          </div>
          <SlowNote what="the pack types" />
        </div>
      )}
      <DeletedLink action="pack_type.delete">Deleted pack types</DeletedLink>
    </section>
  )
}

interface PackTypeGridProps {
  readonly packTypes: readonly AdminPackType[]
  /** Id of the pack type in the dialog, `new`, or empty. */
  readonly edited: string
  readonly onEdit: (id: string) => void
}

function PackTypeGrid({ packTypes, edited, onEdit }: PackTypeGridProps) {
  const [refused, setRefused] = useState<{ readonly id: number; readonly reason: string }>()
  const onError = useCallback((error: unknown, { id }: AdminPackType) => {
    // The message goes; on the card the reason stays.
    const reason = messageOf(error, httpTextOf(error))
    toastFailed('Error deleting pack type', new Error(`${reason} (${httpTextOf(error)})`), reason)
    setRefused({ id, reason })
  }, [])
  const { rows, lineOf, remove } = useDeletion('Pack type', packTypes, {
    headingId: 'pack-types-heading',
    nameOf,
    onError,
  })
  const onDelete = (packType: AdminPackType) => {
    setRefused(undefined)
    void remove(packType)
  }
  const found = packTypes.find(({ id }) => String(id) === edited)
  const { record: editedType, isGone } = useKept(found, edited)
  return (
    <>
      {rows.length === 0 ? (
        <Card>
          <Empty
            picture={<Boxes aria-hidden="true" />}
            title="No Pack Types Found"
            description="Create your first pack type to get started."
          />
        </Card>
      ) : (
        <ul aria-label="Pack types" className={grid}>
          {rows.map((packType) => (
            <li key={packType.id}>
              <KeptPlace line={lineOf(packType)}>
                <PackTypeCard
                  packType={packType}
                  onEdit={() => onEdit(String(packType.id))}
                  onDelete={() => onDelete(packType)}
                  refused={refused?.id === packType.id ? refused.reason : undefined}
                />
              </KeptPlace>
            </li>
          ))}
        </ul>
      )}
      {(edited === newPackType || editedType) && (
        <PackTypeDialog
          key={edited}
          packType={editedType}
          isGone={isGone}
          onClose={() => onEdit('')}
        />
      )}
    </>
  )
}
