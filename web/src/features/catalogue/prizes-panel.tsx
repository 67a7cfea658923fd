// The Prizes tab: every prize as a card, and the dialogs in which they are made and changed.

import { type AddCodesResponse, type AdminPrize, adminPrizesContract } from '@redpack/contract'
import { useIsMutating, useQuery } from '@tanstack/react-query'
import { Gift } from 'lucide-react'
import { type Dispatch, type SetStateAction, useState } from 'react'
import { usePanelReading } from '../../compat/panel-reading.ts'
import { call } from '../../lib/api.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'
import { formatNumber, plural } from '../../lib/format.ts'
import { useSearchValue } from '../../lib/search-value.ts'
import { useCall, useIdempotentMutation } from '../../lib/use-call.ts'
import { reportOutcome } from '../../ui/feedback/outcome.ts'
import { Empty, EmptyCard } from '../../ui/feedback/state.tsx'
import { Button } from '../../ui/form/button.tsx'
import { FileDrop } from '../../ui/form/file-drop.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { parseWhole } from '../../ui/form/record-form.ts'
import { SelectField } from '../../ui/form/select-field.tsx'
import { entered, Form, TextAreaField, verbatim } from '../../ui/form/text-field.tsx'
import { CheckboxField } from '../../ui/form/toggle-fields.tsx'
import { type RecordListProps, RecordPanel } from '../../ui/layout/record-panel.tsx'
import { Figure } from '../../ui/layout/section.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { useDiscardQuestion } from '../../ui/overlay/form-dialog.tsx'
import { useNarrow } from '../../ui/table/data-rows.tsx'
import { KeptCards } from '../../ui/table/deleted-rows.tsx'
import { FiltersButton, TableSearch } from '../../ui/table/table-search.tsx'
import { useTableView } from '../../ui/table/table-view.ts'
import { DeletedLink, useDeletion } from '../audit/shared/deletion.tsx'
import { ActiveBadge, PrizeCard } from './prize-card.tsx'
import { PrizeDialog } from './prize-dialog.tsx'
import { realChances, stockText } from './prize-words.ts'
import { PackTypeSelect } from './shared/pack-type-select.tsx'

const codeFile = {
  accept: '.txt,.csv,text/plain',
  choose: 'Choose a text file',
  limit: 'One code per line',
}

interface InventoryDialogProps {
  readonly prize: AdminPrize
  readonly onClose: () => void
}

/** Open as long as it is mounted; give it the prize's id as key. */
function InventoryDialog({ prize, onClose }: InventoryDialogProps) {
  const [opened] = useState(prize.inventoryQuantity)
  const stock = prize.inventoryQuantity
  const [codes, setCodes] = useState('')
  const isSending = useIsMutating() > 0
  const { leave, question } = useDiscardQuestion(() => codes.trim() !== '', onClose, isSending)
  return (
    <Dialog onOpenChange={leave} title="Manage Prize Inventory" description={prize.name}>
      <dl className="mb-5 grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] gap-3">
        <Figure term="Current stock">{stockText(stock)}</Figure>
        <Figure term="Status">
          <ActiveBadge isActive={prize.isActive} />
        </Figure>
      </dl>
      <p role="status" className="mb-4 text-sm text-muted empty:hidden">
        {stock !== opened && `It was ${stockText(opened)} when you opened this.`}
      </p>
      <div className="grid gap-5">
        {prize.deliversCodes ? (
          <AddCodes prize={prize} text={codes} setText={setCodes} />
        ) : (
          <>
            <AddInventory prize={prize} />
            <SetInventory prize={prize} />
          </>
        )}
      </div>
      {question}
    </Dialog>
  )
}

const part = 'grid gap-3 border-t border-line pt-4'

function AddInventory({ prize }: { readonly prize: AdminPrize }) {
  const [typed, setTyped] = useState<number | null>(null)
  const add = useCall(adminPrizesContract.addInventory)
  const stock = prize.inventoryQuantity
  const quantity = parseWhole(typed, 0)
  const canAdd = stock !== null && quantity > 0
  const submit = async () => {
    if (!canAdd || add.isPending) return
    const adding = add.mutateAsync({ params: { id: prize.id }, body: { quantity } })
    const isAdded = await reportOutcome(adding, {
      done: 'Inventory added successfully',
      failureTitle: 'Error adding inventory',
      fallback: 'Failed to add inventory',
    })
    if (isAdded) setTyped((now) => (now === typed ? null : now))
  }
  return (
    <Form noValidate onSubmit={submit} aria-label="Add Inventory" className={part}>
      <NumberField
        label="Quantity to add"
        unit="units to add"
        hint={
          stock === null
            ? 'This prize has unlimited stock.'
            : canAdd
              ? change(stock, stock + quantity)
              : 'Enter a quantity above 0.'
        }
        min={0}
        value={typed}
        onChange={setTyped}
        disabled={stock === null}
      />
      <Button type="submit" disabled={!canAdd} isPending={add.isPending}>
        {add.isPending ? 'Adding...' : 'Add Inventory'}
      </Button>
    </Form>
  )
}

const codeWords = {
  added: 'added',
  empty: 'empty line',
  twice: 'twice in the file',
  known: 'already added',
  too_long: 'too long',
} as const

interface AddCodesProps {
  readonly prize: AdminPrize
  readonly text: string
  readonly setText: Dispatch<SetStateAction<string>>
}

/** Codes as they are pasted or read from a file: none of them is shown again. */
function AddCodes({ prize, text, setText }: AddCodesProps) {
  const [verdicts, setVerdicts] = useState<AddCodesResponse['verdicts']>([])
  const [fileError, setFileError] = useState<string>()
  const add = useIdempotentMutation((codes: { id: number; text: string }, idempotencyKey) => {
    const body = new FormData()
    body.set('file', new File([codes.text], 'codes.txt', { type: 'text/plain' }))
    return call(adminPrizesContract.addCodes, { params: { id: codes.id }, body, idempotencyKey })
  })
  const read = async (file: File | undefined) => {
    try {
      // Read leniently, a letter of another encoding would become part of a code nobody can use.
      const decoder = new TextDecoder('utf-8', { fatal: true })
      if (!file) return
      const found = decoder.decode(await file.arrayBuffer())
      setText((now) => (now.trim() === '' ? found : `${now.trimEnd()}\n${found}`))
    } catch {
      setFileError('The file is not UTF-8 text')
    }
  }
  const submit = async () => {
    if (text.trim() === '' || add.isPending) return
    const adding = add.mutateAsync({ id: prize.id, text })
    const isAdded = await reportOutcome(
      adding.then((answer) => setVerdicts(answer.verdicts)),
      {
        done: 'All lines were read',
        failureTitle: 'Error adding codes',
        fallback: 'No code was added',
      },
    )
    // What was pasted meanwhile has not been sent.
    if (isAdded) setText((now) => (now === text ? '' : now))
  }
  const left = verdicts.filter(({ verdict }) => verdict !== 'added')
  return (
    <Form noValidate onSubmit={submit} aria-label="Add codes" className={part}>
      <TextAreaField
        label="Codes"
        hint="One per line. They are encrypted; only their winners will see them."
        rows={6}
        {...verbatim}
        {...entered(text, setText)}
      />
      <FileDrop
        label="Or import a text file"
        kind={codeFile}
        onChange={(file) => void read(file)}
        error={fileError}
        onError={setFileError}
      />
      <Button type="submit" disabled={text.trim() === ''} isPending={add.isPending}>
        {add.isPending ? 'Adding...' : 'Add codes'}
      </Button>
      <div role="status" className="text-sm">
        {verdicts.length > 0 && (
          <p className="font-semibold">
            {plural(verdicts.length - left.length, 'code', 'codes')} added
          </p>
        )}
        <ul className="max-h-48 list-none overflow-y-auto p-0 text-muted">
          {left.map(({ line, verdict }) => (
            <li key={line}>
              Line {formatNumber(line)}: {codeWords[verdict]}
            </li>
          ))}
        </ul>
      </div>
    </Form>
  )
}

function change(before: number | null, after: number | null): string {
  return `Stock: ${stockText(before)} → ${stockText(after)}`
}

/** Starts from the stock as it is, and goes back to it once a total has been set. */
function SetInventory({ prize }: { readonly prize: AdminPrize }) {
  const stock = prize.inventoryQuantity
  const [draft, setDraft] = useState<{ isUnlimited: boolean; typed: number | null }>()
  const { isUnlimited, typed } = draft ?? { isUnlimited: stock === null, typed: stock ?? 0 }
  const set = useCall(adminPrizesContract.setInventory)
  const isEmptied = !isUnlimited && typed === null
  const total = isUnlimited ? null : Math.max(0, parseWhole(typed, 0))
  const submit = async () => {
    if (set.isPending || isEmptied) return
    const body = { quantity: total, expected: { quantity: stock } }
    const setting = set.mutateAsync({ params: { id: prize.id }, body })
    const isSet = await reportOutcome(setting, {
      done: 'Inventory updated successfully',
      failureTitle: 'Error updating inventory',
      fallback: 'Failed to update inventory',
    })
    if (isSet) setDraft((now) => (now === draft ? undefined : now))
  }
  return (
    <Form noValidate onSubmit={submit} aria-label="Set Total Inventory" className={part}>
      <CheckboxField
        label="Unlimited Stock"
        isOn={isUnlimited}
        onChange={(isOn) => setDraft({ isUnlimited: isOn, typed })}
      />
      <NumberField
        label="Total quantity"
        unit="units in total"
        min={0}
        value={typed}
        onChange={(next) => setDraft({ isUnlimited, typed: next })}
        disabled={isUnlimited}
        error={isEmptied ? 'Quantity must be 0 or more' : undefined}
        hint={total === stock ? 'Nothing changes.' : change(stock, total)}
      />
      <Button
        type="submit"
        tone="secondary"
        isPending={set.isPending}
        disabled={isEmptied || total === stock}
      >
        {set.isPending ? 'Setting...' : 'Set Total Inventory'}
      </Button>
    </Form>
  )
}

const grid = 'grid list-none grid-cols-[repeat(auto-fill,minmax(min(100%,21rem),1fr))] gap-4 p-0'

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
  return (
    <RecordPanel
      headingId="prizes-heading"
      heading="Prize Management"
      name="prize"
      addLabel="Add Prize"
      query={prizes}
      what="prizes"
      skeleton={Array(6).fill('h-80')}
      className={grid}
      deletedLink={<DeletedLink action="prize.delete">Deleted prizes</DeletedLink>}
      dialog={(props, rows) => (
        <PrizeDialog {...props} prizes={rows} defaultTotalPacks={newPrizeTotalPacks} />
      )}
    >
      {(list) => <PrizeList {...list} />}
    </RecordPanel>
  )
}

function PrizeList({ rows: prizes, onEdit }: RecordListProps<AdminPrize>) {
  const [stocked, setStocked] = useSearchValue('stock', 'push')
  const filters = usePrizeFilters(prizes)
  const deleted = useDeletion('prize.delete', filters.shown, {
    headingId: 'prizes-heading',
    scope: JSON.stringify([filters.search, filters.pack, filters.state]),
    nameOf,
  })
  const stockedPrize = prizes.find((prize) => String(prize.id) === stocked)
  return (
    <>
      {prizes.length === 0 && deleted.rows.length === 0 ? (
        <EmptyCard
          picture={<Gift />}
          title="No prizes found"
          description="Click Add Prize to create your first prize."
        />
      ) : (
        <PrizeFilters filters={filters} isEmpty={deleted.rows.length === 0} />
      )}
      <KeptCards label="Prizes" deleted={deleted} className={grid}>
        {(prize) => (
          <PrizeCard
            prize={prize}
            chances={realChances(prize, prizes)}
            onEdit={() => onEdit(prize)}
            onInventory={() => setStocked(String(prize.id))}
            onDelete={() => void deleted.remove(prize)}
          />
        )}
      </KeptCards>
      {stockedPrize && (
        <InventoryDialog key={stocked} prize={stockedPrize} onClose={() => setStocked('')} />
      )}
    </>
  )
}

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
  const isNarrow = useNarrow()
  const [isFolded, setFolded] = useState(search === '' && pack === '' && state === '')
  const set = [pack, state].filter((value) => value !== '').length
  return (
    <div className="grid gap-3">
      {isNarrow && (
        <div className="justify-self-end">
          <FiltersButton count={set} isFolded={isFolded} onFold={setFolded} />
        </div>
      )}
      {(!isNarrow || !isFolded) && (
        <div className="flex flex-wrap items-end gap-3">
          <TableSearch
            label="Search prizes"
            placeholder="Name"
            value={search}
            onChange={(text) => change({ search: text }, true)}
          />
          <PackTypeSelect
            fieldClassName="grow sm:max-w-60"
            placeholder="All pack types"
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
      )}
      <p role="status" className="text-sm text-muted">
        Showing {formatNumber(shown.length)} of {plural(total, 'prize', 'prizes')}
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
