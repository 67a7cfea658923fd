// The dialogs of Shipping: sent with a number, a courier's file, and the list of couriers.

import { zodResolver } from '@hookform/resolvers/zod'
import {
  AddCourierRequest,
  type AdminShipment,
  adminShipmentsContract,
  type Courier,
  type CourierColumn,
  type CourierFilePreview,
  type CourierFileResponse,
  courierColumns,
} from '@redpack/contract'
import { csvLine } from '@redpack/contract/csv'
import { useQuery } from '@tanstack/react-query'
import { Download, ScrollText } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { call, urlOf } from '../../lib/api.ts'
import { messageOf } from '../../lib/api-error.ts'
import { browserMemory } from '../../lib/browser-memory.ts'
import { formatNumber, plural } from '../../lib/format.ts'
import { saveFile } from '../../lib/save-file.ts'
import { useCall } from '../../lib/use-call.ts'
import { reportOutcome, toastDone, toastFailed } from '../../ui/feedback/outcome.ts'
import { DataState } from '../../ui/feedback/state.tsx'
import { Button, LinkButton } from '../../ui/form/button.tsx'
import { FileDrop } from '../../ui/form/file-drop.tsx'
import { fieldOf, showFieldErrors } from '../../ui/form/form-fields.tsx'
import { resetOnceSent } from '../../ui/form/record-form.ts'
import { SelectField, withChosen } from '../../ui/form/select-field.tsx'
import { entered, Form, TextField } from '../../ui/form/text-field.tsx'
import { CheckboxGroup } from '../../ui/form/toggle-fields.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import { Dialog, DialogActions } from '../../ui/overlay/dialog.tsx'
import { FormDialog, useDiscardQuestion } from '../../ui/overlay/form-dialog.tsx'
import { saveCsv } from '../../ui/table/csv.ts'
import { DeleteButton, KeptPlace, useDeletedRows } from '../../ui/table/deleted-rows.tsx'
import type { Untick } from '../../ui/table/selection.tsx'
import { useCouriers, useMoveShipments } from './ship-queries.ts'
import { AddressWarning, stateWords } from './ship-words.tsx'

interface CourierFieldProps {
  readonly value: string
  readonly onChange: (name: string) => void
}

export function CourierField({ value, onChange }: CourierFieldProps) {
  const { data = [] } = useCouriers()
  return (
    <SelectField
      label="Courier"
      placeholder="No courier"
      choices={withChosen(
        data.map(({ name }) => ({ value: name, label: name })),
        value,
      )}
      {...entered(value, onChange)}
    />
  )
}

/** What an act is asked for, and what unticks those that it was done to. */
export interface AskedShipments {
  readonly shipments: readonly AdminShipment[]
  readonly onDone?: Untick<AdminShipment>
}

interface SentDialogProps extends AskedShipments {
  readonly onClose: () => void
}

/** Many may share a courier; a number belongs to one. */
export function SentDialog({ shipments, onDone, onClose }: SentDialogProps) {
  const [first] = shipments
  const isOne = shipments.length === 1
  /** What is on its way is put right; what came back and goes out again gets a new number. */
  const carried = isOne && first?.state === 'sent' ? first : undefined
  const [before] = useState([carried?.courier ?? '', carried?.trackingNumber ?? ''] as const)
  const [courier, setCourier] = useState(before[0])
  const [number, setNumber] = useState(before[1])
  const { move, isPending } = useMoveShipments()
  const submit = async () => {
    const sent = { state: 'sent', courier: courier || null } as const
    const seen = carried?.trackingNumber
    const one = { trackingNumber: number || null, ...(seen && { replacesNumber: seen }) }
    const done = await move(shipments, isOne ? { ...sent, ...one } : sent)
    if (!done) return
    onDone?.(done)
    onClose()
  }
  return (
    <FormDialog
      onClose={onClose}
      title={
        isOne ? (
          <>
            {carried ? 'Tracking number of' : 'Send'}{' '}
            <Masked what="Claim ID">{first?.claimId}</Masked>
          </>
        ) : (
          `Send ${plural(shipments.length, 'prize', 'prizes')}`
        )
      }
      description={isOne ? first?.prize.name : 'You can add tracking numbers one by one later.'}
      isUnsaved={courier !== before[0] || number !== before[1]}
      onSubmit={submit}
      className="grid gap-4"
      submitLabel={carried ? 'Save' : 'Mark as sent'}
      isPending={isPending}
    >
      <AddressWarning shipments={shipments} />
      <CourierField value={courier} onChange={setCourier} />
      {isOne && (
        <TextField label="Tracking number" hint="Optional" {...entered(number, setNumber)} />
      )}
    </FormDialog>
  )
}

const verdictsMax = 200

const columnLabels: Readonly<Record<CourierColumn, string>> = {
  ...{ claimId: 'Claim ID', prize: 'Prize', name: 'Name', address: 'Address', city: 'City' },
  ...{ postalCode: 'Postal code', country: 'Country', phone: 'Phone', note: 'Note' },
  ...{ answers: 'Answers', courier: 'Courier', trackingNumber: 'Tracking number' },
}
const columnChoices = courierColumns
  .filter((value) => value !== 'claimId')
  .map((value) => ({ value, label: columnLabels[value] }))
const allChoices = columnChoices.map(({ value }) => value)
const columnsKept = 'courier-columns'
const keptColumns = {
  queryKey: [columnsKept],
  queryFn: async () =>
    ((await browserMemory.read(columnsKept)) ?? null) as readonly CourierColumn[] | null,
  // Read each time the dialog opens.
  gcTime: 0,
}

/** The file for a courier's tool; this browser remembers which columns it takes. */
function CourierExport() {
  const { data: kept } = useQuery(keptColumns)
  const [chosen, choose] = useState<readonly CourierColumn[]>()
  const columns = chosen ?? kept ?? allChoices
  const save = (state: 'ready' | 'packed') => {
    void browserMemory.change(columnsKept, () => columns)
    const query = { state, columns: ['claimId', ...columns].join() }
    saveFile(urlOf(adminShipmentsContract.file.path, {}, query))
  }
  return (
    <section aria-label="File for the courier" className="grid gap-3">
      <CheckboxGroup
        label="Columns besides the Claim ID"
        choices={columnChoices}
        values={columns}
        onChange={choose}
        empty={null}
      />
      <div className="flex flex-wrap gap-2">
        {(['ready', 'packed'] as const).map((state) => (
          <Button key={state} tone="secondary" icon={Download} onClick={() => save(state)}>
            {stateWords[state].staff} (CSV)
          </Button>
        ))}
      </div>
    </section>
  )
}

/** To a courier's tool, and back: what comes is looked at first, then applied, then the receipt. */
export function CourierFileDialog({ onClose }: { readonly onClose: () => void }) {
  const [file, setFile] = useState<File>()
  const [error, setError] = useState<string>()
  const [preview, setPreview] = useState<CourierFilePreview>()
  const [done, setDone] = useState<CourierFileResponse>()
  const apply = useCall(adminShipmentsContract.applyFile)
  const newest = useRef<File>(undefined)
  const look = async (chosen: File | undefined) => {
    newest.current = chosen
    setFile(chosen)
    setPreview(undefined)
    if (!chosen) return
    setDone(undefined)
    // What is said of a file that another one has replaced meanwhile is nobody's business.
    const isNewest = () => newest.current === chosen
    try {
      const found = await call(adminShipmentsContract.previewFile, { body: formOf(chosen) })
      if (isNewest()) setPreview(found)
    } catch (cause) {
      if (!isNewest()) return
      setError(messageOf(cause, 'The file could not be read'))
      setFile(undefined)
    }
  }
  const good = preview?.verdicts.filter(({ changed }) => changed).length ?? 0
  const send = async () => {
    if (!file || !preview) return
    try {
      const answer = await apply.mutateAsync({ body: formOf(file, preview.token) })
      toastDone(`${plural(answer.sent, 'prize', 'prizes')} marked as sent`)
      // A file that was chosen meanwhile stays chosen.
      if (newest.current !== file) return
      setDone(answer)
      await look(undefined)
    } catch (cause) {
      toastFailed('Error', cause, 'The file could not be applied')
    }
  }
  return (
    <Dialog
      onOpenChange={onClose}
      title="Courier files"
      description="Export addresses for a courier's tool, then import its tracking numbers."
    >
      <div className="grid gap-4">
        <CourierExport />
        <p className="border-t border-line pt-4 text-muted">
          The file to import needs the columns claimId, courier and trackingNumber. Its claims are
          marked as sent.
        </p>
        <FileDrop
          label="File from the courier"
          file={file}
          onChange={(chosen) => void look(chosen)}
          error={error}
          onError={setError}
        />
        {file && !preview && <p role="status">Reading the file...</p>}
        {preview && (
          <>
            <p role="status">
              {formatNumber(good)} of {plural(preview.rows.length, 'row', 'rows')} can be marked as
              sent.
            </p>
            <Told label="Rows to check" told={toldIn(preview, 'remark')} />
            <Told label="Skipped rows" told={toldIn(preview, 'reason')} />
            <DialogActions>
              <Button disabled={good === 0} isPending={apply.isPending} onClick={() => void send()}>
                Mark {formatNumber(good)} as sent
              </Button>
            </DialogActions>
          </>
        )}
        {done && <Receipt {...done} />}
      </div>
    </Dialog>
  )
}

/** It comes below what fills a phone, and the button that was pressed is gone. */
const goTo = (section: HTMLElement | null) => section?.focus()

function Receipt({ batchId, sent, skipped, leftOut = [] }: CourierFileResponse) {
  const save = () => {
    const lines = leftOut.map(({ row, claimId, reason }) => csvLine([row, claimId, reason]))
    saveCsv('courier-file-skipped', csvLine(['row', 'claimId', 'reason']) + lines.join(''))
  }
  return (
    <section aria-label="Receipt" ref={goTo} tabIndex={-1} className="grid gap-3 outline-none">
      <p className="font-semibold">
        {plural(sent, 'prize', 'prizes')} marked as sent, {plural(skipped, 'row', 'rows')} skipped.
      </p>
      <Told label="Skipped rows" told={leftOut} />
      <div className="flex flex-wrap gap-2">
        {sent > 0 && (
          <LinkButton
            icon={ScrollText}
            tone="secondary"
            to="."
            search={{ tab: 'audit', batch: batchId }}
          >
            Show in the audit log
          </LinkButton>
        )}
        {leftOut.length > 0 && (
          <Button icon={Download} tone="secondary" onClick={save}>
            Download CSV
          </Button>
        )}
      </div>
    </section>
  )
}

function formOf(file: File, token?: string): FormData {
  const form = new FormData()
  // Fields first: a reader of the form then knows them when the file arrives.
  if (token !== undefined) form.set('token', token)
  form.set('file', file, file.name)
  return form
}

type ToldRows = NonNullable<CourierFileResponse['leftOut']>

/** What the preview says of single rows. */
function toldIn({ rows, verdicts }: CourierFilePreview, what: 'remark' | 'reason'): ToldRows {
  return verdicts.flatMap(({ [what]: reason }, index) => {
    const row = rows[index]
    return reason === undefined || row === undefined ? [] : [{ ...row, reason }]
  })
}

function Told({ label, told }: { readonly label: string; readonly told: ToldRows }) {
  if (told.length === 0) return null
  const more = told.length - verdictsMax
  return (
    <ul aria-label={label} className="max-h-60 list-none overflow-y-auto p-0">
      {told.slice(0, verdictsMax).map(({ row, claimId, reason }) => (
        <li key={row} className="border-b border-line py-2 text-sm wrap-anywhere">
          Row {row},{' '}
          <span className="font-mono">
            <Masked what="Claim ID">{claimId}</Masked>
          </span>
          : {reason}
        </li>
      ))}
      {more > 0 && <li className="py-2 text-sm text-muted">And {formatNumber(more)} more</li>}
    </ul>
  )
}

type NewCourier = Pick<Courier, 'name' | 'trackingUrlTemplate'>

const emptyCourier: NewCourier = { name: '', trackingUrlTemplate: '' }

function useAddCourier(onError: (error: Error) => void = () => undefined) {
  const { isPending, mutateAsync } = useCall(adminShipmentsContract.addCourier)
  const add = (body: NewCourier) =>
    reportOutcome(mutateAsync({ body }, { onError }), {
      done: `${body.name} added`,
      failureTitle: 'Error adding courier',
      fallback: 'The courier could not be added',
    })
  return { isPending, add }
}

export function CouriersDialog({ onClose }: { readonly onClose: () => void }) {
  const couriers = useCouriers()
  const form = useForm<NewCourier>({
    resolver: zodResolver(AddCourierRequest),
    defaultValues: emptyCourier,
  })
  const { isPending, add } = useAddCourier((error) =>
    showFieldErrors(form, ['name', 'trackingUrlTemplate'], error),
  )
  const submit = form.handleSubmit(async (courier) => {
    const reset = resetOnceSent(form)
    if (await add(courier)) reset(emptyCourier)
  })
  const { isDirty } = form.formState
  const { leave, question } = useDiscardQuestion(() => isDirty, onClose, isPending)
  return (
    <Dialog
      onOpenChange={leave}
      title="Couriers"
      description="Tracking numbers become links for winners and staff. Links of prizes already sent stay when a courier is deleted."
    >
      <DataState query={couriers} what="the couriers" skeleton="h-32">
        {(list) => <CourierList couriers={list} />}
      </DataState>
      <Form noValidate onSubmit={submit} className="mt-6 grid gap-4">
        <TextField label="Name" required {...fieldOf(form, 'name')} />
        <TextField
          label="Link"
          hint="An https link with {number} where the tracking number goes"
          required
          {...fieldOf(form, 'trackingUrlTemplate')}
        />
        <Button type="submit" isPending={isPending} className="justify-self-start">
          Add courier
        </Button>
      </Form>
      {question}
    </Dialog>
  )
}

const listId = 'couriers'

interface ListedCourier {
  /** Its name: one that is added again has another number. */
  readonly id: string
  readonly courier: Courier
}

/** The couriers, each in its place until its removal can no longer be taken back. */
function CourierList({ couriers }: { readonly couriers: readonly Courier[] }) {
  const { add } = useAddCourier()
  const remove = useCall(adminShipmentsContract.removeCourier)
  const rows = useMemo(
    () => couriers.map((courier): ListedCourier => ({ id: courier.name, courier })),
    [couriers],
  )
  const deleted = useDeletedRows(rows, { headingId: listId })
  const act = (row: ListedCourier) => {
    const { id, name, trackingUrlTemplate } = row.courier
    return deleted.deleteRow(row, {
      name,
      send: () => remove.mutateAsync({ params: { id } }),
      restore: () => add({ name, trackingUrlTemplate }),
      done: `${name} deleted`,
      fallback: 'The courier could not be deleted',
    })
  }
  return (
    <ul id={listId} tabIndex={-1} aria-label="Couriers" className="list-none p-0 outline-none">
      {deleted.rows.length === 0 && <li className="text-muted">No couriers yet.</li>}
      {deleted.rows.map((row) => (
        <li key={row.id}>
          <KeptPlace line={deleted.lineOf(row)}>
            <div className="flex items-center gap-3 border-b border-line py-1">
              <span className="min-w-0 flex-1">
                <span className="block font-semibold">{row.courier.name}</span>
                <span className="block truncate text-sm text-muted">
                  {row.courier.trackingUrlTemplate}
                </span>
              </span>
              <DeleteButton label={`Delete ${row.courier.name}`} onClick={() => void act(row)} />
            </div>
          </KeptPlace>
        </li>
      ))}
    </ul>
  )
}
