// Labels and packing lists, printed by the browser. Addresses are read for it, and go with it.

import { type AdminShipment, adminClaimsContract, type ClaimReading } from '@redpack/contract'
import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { call } from '../../lib/api.ts'
import { cn } from '../../lib/class-names.ts'
import { plural } from '../../lib/format.ts'
import { toastFailed } from '../../ui/feedback/outcome.ts'
import { Button } from '../../ui/form/button.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { entered, Form } from '../../ui/form/text-field.tsx'
import { QrCode } from '../../ui/media/qr-code.tsx'
import { Dialog, DialogActions } from '../../ui/overlay/dialog.tsx'
import { answerLines, deliveryLines } from './claim-acts.tsx'
import './ship-print.css'

const formats = [
  { value: 'labels', label: 'A4 sheets of 21 labels (63.5 x 38.1 mm)' },
  { value: 'card', label: 'Labels of 105 x 148 mm' },
  { value: 'parcel', label: 'Labels of 4 x 6 inches' },
  { value: 'list', label: 'Packing list on A4' },
]
const labelsOfSheet = 21
/** Each address is one call, and staff have 600 a minute for everything that they do. */
const printedMax = 300
/** 21 labels of 63.5 x 38.1 mm, with 2.5 mm between columns. */
const sheetLook =
  'print-labels grid h-[296mm] auto-rows-[38.1mm] grid-cols-[repeat(3,63.5mm)] gap-x-[2.54mm] overflow-hidden px-[7.2mm] pt-[15.1mm] text-[9.5pt] break-after-page [page:labels]'
/** Labels on pages of their own. */
const pageLooks: Readonly<Record<string, string>> = {
  card: 'text-[16pt] break-after-page [page:card]',
  parcel: 'text-[15pt] break-after-page [page:parcel]',
}

/** A prize to be sent, with where to. */
interface Parcel extends Pick<AdminShipment, 'claimId' | 'prize' | 'user'> {
  readonly address: readonly string[]
  readonly notes: readonly string[]
}

interface PrintDialogProps {
  readonly shipments: readonly AdminShipment[]
  readonly onClose: () => void
}

export function PrintDialog({ shipments, onClose }: PrintDialogProps) {
  const [format, setFormat] = useState('labels')
  const [first, setFirst] = useState<number | null>(1)
  const [isReading, setReading] = useState(false)
  const [parcels, setParcels] = useState<readonly Parcel[]>()
  const isTooMany = shipments.length > printedMax
  const read = async () => {
    setReading(true)
    try {
      setParcels(await Promise.all(shipments.map(parcelOf)))
    } catch (error) {
      toastFailed('Error', error, 'The addresses could not be read. Please try again.')
      setReading(false)
    }
  }
  if (parcels) {
    const skipped = Math.min(Math.max((first ?? 1) - 1, 0), labelsOfSheet - 1)
    return <PrintPages {...{ parcels, format, skipped }} onPrinted={onClose} />
  }
  return (
    <Dialog
      onOpenChange={onClose}
      title={`Print ${plural(shipments.length, 'shipment', 'shipments')}`}
      description={
        isTooMany
          ? `At most ${printedMax} can be printed at once. Untick some of them.`
          : 'Your browser prints. The audit log records whose addresses were read.'
      }
    >
      <Form onSubmit={read} className="grid gap-4">
        <SelectField label="Paper" choices={formats} {...entered(format, setFormat)} />
        {format === 'labels' && (
          <NumberField
            label="First label"
            hint="Its place among the 21 on the first sheet, row by row. Earlier labels stay blank."
            min={1}
            max={labelsOfSheet}
            value={first}
            onChange={setFirst}
          />
        )}
        <DialogActions>
          <Button type="submit" isPending={isReading} disabled={isTooMany}>
            Print
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

async function parcelOf({ claimId, prize, user }: AdminShipment): Promise<Parcel> {
  const { contactInfo } = await call(adminClaimsContract.read, {
    params: { id: claimId },
    query: { for: 'label' },
  })
  return { claimId, prize, user, ...linesOf(contactInfo) }
}

/** What stands on an envelope, and what the packer must know. */
function linesOf(contactInfo: ClaimReading['contactInfo']): Pick<Parcel, 'address' | 'notes'> {
  if (contactInfo === null) return { address: [], notes: [] }
  if (typeof contactInfo === 'string') return { address: contactInfo.split('\n'), notes: [] }
  const { name, addressLines, postalCode, city, country, phone, note, answers, ...others } =
    contactInfo
  const lines = [
    name,
    ...[addressLines].flat(),
    // Older details name their lines in other ways, which no envelope goes without.
    ...deliveryLines(others).flatMap(({ value }) => value.split('\n')),
    [postalCode, city].filter(Boolean).join(' '),
    typeof country === 'string' ? country.toUpperCase() : null,
  ]
  const told = answerLines(answers).map(({ label, value }) => `${label}: ${value}`)
  return { address: lines.filter(isText), notes: [phone, note, ...told].filter(isText) }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

interface PrintPagesProps {
  readonly parcels: readonly Parcel[]
  readonly format: string
  /** Labels of the first sheet that are used already. */
  readonly skipped: number
  readonly onPrinted: () => void
}

/** Pages beside the application, there for as long as the browser's print window is open. */
function PrintPages({ parcels, format, skipped, onPrinted }: PrintPagesProps) {
  const pages = useRef<HTMLDivElement>(null)
  useEffect(() => {
    for (const label of pages.current?.querySelectorAll<HTMLElement>('.print-label') ?? [])
      fit(label)
    addEventListener('afterprint', onPrinted, { once: true })
    print()
    return () => removeEventListener('afterprint', onPrinted)
  }, [onPrinted])
  return createPortal(
    <div ref={pages} className="print-pages">
      {format === 'list' ? <PackingList parcels={parcels} /> : labelPages(parcels, format, skipped)}
    </div>,
    document.body,
  )
}

const smallestPoints = 4

/** Sets an address that is too long for its label smaller: cut off, it would lack its country. */
function fit(label: HTMLElement): void {
  for (let points = 9; points >= smallestPoints; points -= 0.5) {
    if (label.scrollHeight <= label.clientHeight) return
    label.style.fontSize = `${points}pt`
  }
}

function labelPages(parcels: readonly Parcel[], format: string, skipped: number) {
  if (format !== 'labels') {
    return parcels.map((parcel) => (
      <div key={parcel.claimId} className={pageLooks[format]}>
        <Label parcel={parcel} className="grid-cols-1" codeClassName="w-[28mm]" />
      </div>
    ))
  }
  const places = [...Array.from({ length: skipped }, () => undefined), ...parcels]
  const sheets = Array.from({ length: Math.ceil(places.length / labelsOfSheet) }, (_, sheet) =>
    places.slice(sheet * labelsOfSheet, (sheet + 1) * labelsOfSheet),
  )
  return sheets.map((labels, sheet) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: sheets are told apart by place
    <div key={sheet} className={sheetLook}>
      {labels.map((parcel, place) => (
        <Label
          key={parcel?.claimId ?? place}
          parcel={parcel}
          className="grid-cols-[1fr_auto]"
          codeClassName="w-[15mm]"
        />
      ))}
    </div>
  ))
}

interface LabelProps {
  /** Absent where a label of the sheet is used already. */
  readonly parcel: Parcel | undefined
  readonly className: string
  readonly codeClassName: string
}

function Label({ parcel, className, codeClassName }: LabelProps) {
  if (!parcel) return <div />
  const { claimId, address } = parcel
  return (
    <div
      className={cn(
        'print-label grid gap-[2mm] overflow-hidden px-[3mm] py-[2.5mm] wrap-anywhere',
        className,
      )}
    >
      <Lines lines={address} />
      <div>
        <QrCode text={claimId} label={claimId} className={codeClassName} />
        {claimId}
      </div>
    </div>
  )
}

function Lines({ lines }: { readonly lines: readonly string[] }) {
  return (
    <div>
      {lines.map((line, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two lines may say the same
        <div key={place}>{line}</div>
      ))}
    </div>
  )
}

function PackingList({ parcels }: { readonly parcels: readonly Parcel[] }) {
  return (
    <ul className="[page:list]">
      {parcels.map(({ claimId, prize, user, address, notes }) => (
        <li
          key={claimId}
          className="grid break-inside-avoid grid-cols-[6mm_20mm_1fr_1fr] gap-[4mm] border-b-[0.3mm] border-[#999] py-[3mm] wrap-anywhere"
        >
          <div className="size-[4mm] border-[0.4mm]" />
          <QrCode text={claimId} label={claimId} className="w-full" />
          <Lines lines={[prize.name, claimId, `For ${user.displayName}`, ...notes]} />
          <Lines lines={address.length > 0 ? address : ['No address yet']} />
        </li>
      ))}
    </ul>
  )
}
