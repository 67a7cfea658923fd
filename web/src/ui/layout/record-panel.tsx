// A panel of records that can be made, changed and deleted: its heading with the way to a new one,
// what is shown until the list is there, and the dialog of the record that the address names.

import { Plus } from 'lucide-react'
import { Fragment, type ReactNode, useCallback } from 'react'
import { httpTextOf } from '../../lib/api-error.ts'
import { useSearchValue } from '../../lib/search-value.ts'
import { DataState, type DataStateProps } from '../feedback/state.tsx'
import { Button } from '../form/button.tsx'
import { useKept } from '../form/shared-record.tsx'
import { PanelHeader } from './section.tsx'

/** Stands for the record in the address while a new one is being made. */
const newRecord = 'new'

export interface RecordDialogProps<Row> {
  /** The one that is edited; absent for a new one. */
  readonly record: Row | undefined
  /** True once somebody else has deleted it. */
  readonly isGone: boolean
  readonly onClose: () => void
}

/** What the list of a panel shows, and what opens the dialog of one. */
export interface RecordListProps<Row> {
  readonly rows: readonly Row[]
  readonly onEdit: (record: Row) => void
}

export interface RecordPanelProps<Row>
  extends Pick<DataStateProps<readonly Row[]>, 'query' | 'label' | 'isLabelShown' | 'skeleton'> {
  /** What they are, in the middle of a sentence, for example 'prizes'. */
  readonly what: string
  readonly headingId: string
  readonly heading: string
  /** One of the list, in the address and on the button: for example 'prize' and 'Add Prize'. */
  readonly name: string
  readonly addLabel: string
  /** More buttons beside it. */
  readonly actions?: ReactNode
  /** Stands between heading and list, also while that loads. */
  readonly above?: ReactNode
  /** How the shapes stand that stand in for the list. */
  readonly className?: string
  /** The way to what was deleted; below a list of any length, it comes with the list. */
  readonly deletedLink: ReactNode
  /** Open as long as it is mounted. */
  readonly dialog: (props: RecordDialogProps<Row>, rows: readonly Row[]) => ReactNode
  readonly children: (list: RecordListProps<Row>) => ReactNode
}

export function RecordPanel<Row extends { readonly id: number }>({
  what,
  headingId,
  heading,
  name,
  addLabel,
  actions,
  above,
  deletedLink,
  dialog,
  children,
  label = `Loading ${what}`,
  className = 'grid gap-4',
  ...state
}: RecordPanelProps<Row>) {
  const { data, error, isFetching } = state.query
  const [edited, setEdited] = useSearchValue(name, 'push')
  const found = data?.find(({ id }) => String(id) === edited)
  const { record, isGone } = useKept(found, edited)
  const onEdit = useCallback(({ id }: Row) => setEdited(String(id)), [setEdited])
  const onClose = () => setEdited('')
  return (
    <section aria-labelledby={headingId} className="grid grid-cols-1 gap-6">
      <PanelHeader id={headingId} title={heading} isRefreshing={isFetching && data !== undefined}>
        <div className="flex flex-wrap gap-2">
          {actions}
          <Button icon={Plus} onClick={() => setEdited(newRecord)}>
            {addLabel}
          </Button>
        </div>
      </PanelHeader>
      {above}
      <DataState
        {...state}
        what={`the ${what}`}
        label={label}
        title={`Error loading ${what}`}
        description={error ? httpTextOf(error) : undefined}
        className={className}
        isOnPage
      >
        {(rows) => (
          <>
            {children({ rows, onEdit })}
            {(edited === newRecord || record) && (
              <Fragment key={edited}>{dialog({ record, isGone, onClose }, rows)}</Fragment>
            )}
          </>
        )}
      </DataState>
      {(data || error) && deletedLink}
    </section>
  )
}
