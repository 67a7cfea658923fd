// Manage Prize Inventory: what is in stock, adding to it, and setting it anew.

import { type AddCodesResponse, type AdminPrize, adminPrizesContract } from '@redpack/contract'
import { type FormEvent, type ReactNode, useState } from 'react'
import { formatNumber, plural } from '../../lib/format.ts'
import { useIdempotentCall } from '../../lib/use-call.ts'
import { reportOutcome } from '../../ui/feedback/outcome.ts'
import { Button } from '../../ui/form/button.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { TextAreaField, TextField } from '../../ui/form/text-field.tsx'
import { CheckboxField } from '../../ui/form/toggle-fields.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { ActiveBadge } from './prize-card.tsx'
import { stockText } from './prize-words.ts'
import { parseWhole } from './record-form.ts'

export interface InventoryDialogProps {
  readonly prize: AdminPrize
  readonly onClose: () => void
}

/** Open as long as it is mounted; give it the prize's id as key. */
export function InventoryDialog({ prize, onClose }: InventoryDialogProps) {
  const [opened] = useState(prize.inventoryQuantity)
  const stock = prize.inventoryQuantity
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Manage Prize Inventory"
      description={prize.name}
    >
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
          <AddCodes prize={prize} />
        ) : (
          <>
            <AddInventory prize={prize} />
            <SetInventory prize={prize} />
          </>
        )}
      </div>
    </Dialog>
  )
}

function Figure({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1 rounded-control border border-line p-3">
      <dt className="text-sm text-muted">{term}</dt>
      <dd className="font-display text-xl font-semibold tabular-nums">{children}</dd>
    </div>
  )
}

const part = 'grid gap-3 border-t border-line pt-4'

function AddInventory({ prize }: { readonly prize: AdminPrize }) {
  const [typed, setTyped] = useState<number | null>(null)
  const add = useIdempotentCall(adminPrizesContract.addInventory)
  const stock = prize.inventoryQuantity
  const quantity = parseWhole(typed, 0)
  const canAdd = stock !== null && quantity > 0
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!canAdd || add.isPending) return
    const adding = add.mutateAsync({ params: { id: prize.id }, body: { quantity } })
    const isAdded = await reportOutcome(adding, {
      done: 'Inventory added successfully',
      failureTitle: 'Error adding inventory',
      fallback: 'Failed to add inventory',
    })
    if (isAdded) setTyped(null)
  }
  return (
    <form noValidate onSubmit={submit} aria-label="Add Inventory" className={part}>
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
    </form>
  )
}

const codeWords = {
  added: 'added',
  empty: 'empty line',
  twice: 'twice in the file',
  known: 'known already',
  too_long: 'too long',
} as const

/** Codes as they are pasted or read from a file: none of them is shown again. */
function AddCodes({ prize }: { readonly prize: AdminPrize }) {
  const [text, setText] = useState('')
  const [verdicts, setVerdicts] = useState<AddCodesResponse['verdicts']>([])
  const add = useIdempotentCall(adminPrizesContract.addCodes)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '' || add.isPending) return
    const body = new FormData()
    body.set('file', new File([text], 'codes.txt', { type: 'text/plain' }))
    const adding = add.mutateAsync({ params: { id: prize.id }, body })
    const isAdded = await reportOutcome(
      adding.then((answer) => setVerdicts(answer.verdicts)),
      {
        done: 'Every line was read',
        failureTitle: 'Error adding codes',
        fallback: 'No code was added',
      },
    )
    if (isAdded) setText('')
  }
  const left = verdicts.filter(({ verdict }) => verdict !== 'added')
  return (
    <form noValidate onSubmit={submit} aria-label="Add codes" className={part}>
      <TextAreaField
        label="Codes"
        hint="One in each line. They are encrypted, and nobody but their winners sees them again."
        rows={6}
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <TextField
        label="Or take them from a text file"
        type="file"
        accept=".txt,.csv,text/plain"
        onChange={(event) => void event.target.files?.[0]?.text().then(setText)}
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
    </form>
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
  const set = useIdempotentCall(adminPrizesContract.setInventory)
  const isEmptied = !isUnlimited && typed === null
  const total = isUnlimited ? null : Math.max(0, parseWhole(typed, 0))
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (set.isPending || isEmptied) return
    const body = { quantity: total, expected: { quantity: stock } }
    const setting = set.mutateAsync({ params: { id: prize.id }, body })
    const isSet = await reportOutcome(setting, {
      done: 'Inventory updated successfully',
      failureTitle: 'Error updating inventory',
      fallback: 'Failed to update inventory',
    })
    if (isSet) setDraft(undefined)
  }
  return (
    <form noValidate onSubmit={submit} aria-label="Set Total Inventory" className={part}>
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
    </form>
  )
}
