// Shipping, a view of the Prize Claims tab: what is to be packed and sent, by what is to be done.

import {
  type AdminShipment,
  type ShipmentCounts,
  type ShipmentState,
  shipmentsCountedMax,
  unsentStates,
} from '@redpack/contract'
import { claimHitsMax } from '@redpack/contract/limits'
import { FileUp, PackageOpen, Truck } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { formatDateTime, formatNumber, plural } from '../../lib/format.ts'
import { useStreamerMode } from '../../lib/streamer-mode.ts'
import { Empty } from '../../ui/feedback/state.tsx'
import { Button, LinkButton } from '../../ui/form/button.tsx'
import { entered, TextField } from '../../ui/form/text-field.tsx'
import { PanelHeader } from '../../ui/layout/section.tsx'
import { showAmongNeighbours } from '../../ui/layout/tab-strip.ts'
import { Moment } from '../../ui/media/moment.tsx'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import { useQuestion } from '../../ui/overlay/question.tsx'
import { useFreshText } from '../../ui/overlay/typed-confirm-dialog.tsx'
import type { DataColumn } from '../../ui/table/columns.tsx'
import { DataTable, pagedByServer } from '../../ui/table/data-table.tsx'
import type { Untick } from '../../ui/table/selection.tsx'
import { useTableView } from '../../ui/table/table-view.ts'
import { ClaimDialog, ClaimOpener } from './claims-panel.tsx'
import {
  type AskedShipments,
  CourierFileDialog,
  CouriersDialog,
  SentDialog,
} from './ship-dialogs.tsx'
import { PrintDialog } from './ship-print.tsx'
import { shipViews, useMoveShipments, useShipments } from './ship-queries.ts'
import { viewOfTab } from './ship-views.ts'
import { CarriageLine, isCarried, StateBadge, shipmentName, stateWords } from './ship-words.tsx'

const usual = { filters: { show: 'ready' } }
const noRows: readonly AdminShipment[] = []
type Opened = 'file' | 'couriers' | AskedShipments

export function ShippingPanel() {
  const [view, changeView] = useTableView(usual)
  const show = view.filters.show ?? 'ready'
  const shipments = useShipments({ show, search: view.search, page: view.page })
  const { data } = shipments
  const [opened, open] = useState<Opened>()
  const [read, setRead] = useState<AdminShipment>()
  const [printed, setPrinted] = useState(noRows)
  const [extended, extend] = useState<AskedShipments>({ shipments: noRows })
  const close = () => open(undefined)
  const closePrint = useCallback(() => setPrinted(noRows), [])
  const acts = useMoveShipments()
  const move = async ({ shipments, onDone }: AskedShipments, state: ShipmentState) => {
    const done = await acts.move(shipments, { state })
    if (done) onDone?.(done)
  }
  const [askDelivered, deliveredQuestion] = useQuestion((asked: AskedShipments) => ({
    title: `Mark ${plural(asked.shipments.length, 'prize', 'prizes')} as delivered`,
    description: 'This completes the claims and cannot be undone.',
    confirmLabel: 'Mark as delivered',
    tone: 'primary',
    onConfirm: () => move(asked, 'delivered'),
  }))
  // Names of controls change with it.
  useStreamerMode()
  const columns = useMemo(() => columnsWith(setRead, (row) => open({ shipments: [row] })), [])
  return (
    <section aria-labelledby="shipping-title" className="min-w-0">
      <PanelHeader id="shipping-title" title="Shipping" className="mb-4">
        <span className="flex flex-wrap gap-2">
          <LinkButton icon={PackageOpen} to="." search={viewOfTab('packing')}>
            Packing session
          </LinkButton>
          <Button icon={FileUp} tone="secondary" onClick={() => open('file')}>
            Courier files
          </Button>
          <Button icon={Truck} tone="secondary" onClick={() => open('couriers')}>
            Couriers
          </Button>
        </span>
      </PanelHeader>
      <ViewChoice
        show={show}
        counts={data?.counts}
        onChange={(next) => changeView({ filters: { ...view.filters, show: next } })}
      />
      <DataTable
        label="Shipments"
        columns={columns}
        rows={data?.shipments}
        rowId={({ claimId }) => claimId}
        rowName={shipmentName}
        // Its one filter stands above, outside of what the button Filters folds.
        view={{ ...view, filtersSet: 0 }}
        onViewChange={changeView}
        {...pagedByServer(shipments)}
        errorTitle="Error loading shipments"
        search={{ label: 'Search shipments', placeholder: 'Claim ID, user or prize' }}
        hitsMax={view.search !== '' && claimHitsMax}
        empty={<Empty picture={<Truck />} title="Nothing here" />}
        onOpen={setRead}
        bulk={(rows, onDone) => (
          <BulkActions
            {...{ rows, onDone }}
            isPending={acts.isPending}
            onMove={(asked, state) => void move(asked, state)}
            onDeliver={askDelivered}
            onSend={open}
            onExtend={extend}
            onPrint={setPrinted}
          />
        )}
      />
      {read && (
        <ClaimDialog
          claim={{ ...read, id: read.claimId, prizeName: read.prize.name }}
          onClose={() => setRead(undefined)}
        />
      )}
      {opened === 'file' && <CourierFileDialog onClose={close} />}
      {opened === 'couriers' && <CouriersDialog onClose={close} />}
      {typeof opened === 'object' && <SentDialog {...opened} onClose={close} />}
      {printed.length > 0 && <PrintDialog shipments={printed} onClose={closePrint} />}
      {deliveredQuestion}
      <DeadlineQuestion {...extended} onClose={() => extend({ shipments: noRows })} acts={acts} />
    </section>
  )
}

const viewNames: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(stateWords).map(([state, { staff }]) => [state, staff])),
  overdue: 'Overdue',
  mine: 'Mine',
  all: 'All',
}

interface ViewChoiceProps {
  readonly show: string
  readonly counts: ShipmentCounts | undefined
  readonly onChange: (show: string) => void
}

function ViewChoice({ show, counts, onChange }: ViewChoiceProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => showAmongNeighbours(list.current, show), [show])
  return (
    // biome-ignore lint/a11y/useSemanticElements: a set of fields is for a form
    <div
      ref={list}
      role="group"
      aria-label="Show"
      className="mb-4 flex gap-2 max-sm:overflow-x-auto max-sm:py-1 sm:flex-wrap"
    >
      {shipViews.map((name) => {
        const count = counts?.[name as keyof ShipmentCounts]
        return (
          <Button
            key={name}
            data-tab={name}
            tone="secondary"
            aria-pressed={show === name}
            className="flex-none whitespace-nowrap px-3 text-sm"
            onClick={() => onChange(name)}
          >
            {viewNames[name]}{' '}
            {/* Its room is kept, so that nothing moves when the counts arrive. */}
            {name !== 'all' && (
              <span className="inline-block min-w-[2ch] tabular-nums">
                {count !== undefined && formatNumber(count)}
                {count === shipmentsCountedMax && '+'}
              </span>
            )}
          </Button>
        )
      })}
    </div>
  )
}

type OnRow = (row: AdminShipment) => void

function columnsWith(onOpen: OnRow, onSend: OnRow): readonly DataColumn<AdminShipment>[] {
  return [
    {
      id: 'claimId',
      header: 'Claim ID',
      value: ({ claimId }) => claimId,
      cell: (row) => <ClaimOpener claimId={row.claimId} onOpen={() => onOpen(row)} />,
    },
    {
      id: 'user',
      header: 'Winner',
      value: ({ user }) => user.username,
      cell: ({ user }) => <span className="block max-w-52 truncate">{user.displayName}</span>,
    },
    {
      id: 'prize',
      header: 'Prize',
      value: ({ prize }) => prize.name,
      cell: ({ prize }) => (
        <span className="block min-w-32 max-w-64 wrap-anywhere">{prize.name}</span>
      ),
    },
    {
      id: 'state',
      header: 'State',
      value: ({ state }) => state,
      cell: (shipment) => <StateBadge shipment={shipment} />,
    },
    {
      id: 'deadline',
      header: 'Deadline',
      value: (row) => (isUnsent(row) && row.deadline) || '',
      cell: (row) =>
        isUnsent(row) && row.deadline !== null ? (
          <Moment at={row.deadline} className="whitespace-nowrap" />
        ) : (
          <span className="text-muted">–</span>
        ),
    },
    {
      id: 'courier',
      header: 'Courier',
      value: ({ trackingNumber }) => trackingNumber ?? '',
      cell: (shipment) =>
        isCarried(shipment) ? (
          <CarriageLine {...shipment} />
        ) : (
          <span className="text-muted">–</span>
        ),
    },
    {
      id: 'handler',
      header: 'Handler',
      value: ({ handler }) => handler?.displayName ?? '',
      cell: ({ handler }) => handler?.displayName ?? <span className="text-muted">–</span>,
    },
    {
      id: 'actions',
      header: 'Actions',
      isFixed: true,
      cell: (shipment) => {
        const [word, said] = shipment.state === 'sent' ? ['Number', 'Number of'] : ['Send', 'Send']
        return (
          canSend(shipment) && (
            <Button
              icon={Truck}
              tone="secondary"
              className="px-3 text-sm"
              aria-label={`${said} ${shipmentName(shipment)}`}
              onClick={() => onSend(shipment)}
            >
              {word}
            </Button>
          )
        )
      },
    },
  ]
}

const canSend = ({ state }: AdminShipment) => ['ready', 'packed', 'sent'].includes(state)
const isUnsent = ({ state }: AdminShipment) => unsentStates.includes(state)
/** Where an address was asked for again, the deadline may have ended. */
const mayBeExtended = (row: AdminShipment) =>
  row.state === 'address_wanted' || (isUnsent(row) && row.deadline !== null)

type Ask = (asked: AskedShipments) => void

interface BulkActionsProps {
  readonly rows: readonly AdminShipment[]
  readonly onDone: Untick<AdminShipment>
  readonly isPending: boolean
  readonly onMove: (asked: AskedShipments, state: ShipmentState) => void
  readonly onDeliver: Ask
  readonly onSend: Ask
  readonly onExtend: Ask
  readonly onPrint: (rows: readonly AdminShipment[]) => void
}

/** Each act is offered for those of the rows that allow it. */
function BulkActions({ rows, onDone, isPending, onMove, onPrint, ...ask }: BulkActionsProps) {
  const inState = (...states: readonly string[]) =>
    rows.filter(({ state }) => states.includes(state))
  const asking = (act: Ask) => {
    return (shipments: readonly AdminShipment[]) => act({ shipments, onDone })
  }
  const move = (state: ShipmentState) => asking((asked) => onMove(asked, state))
  const offers = [
    ['Print', inState('ready', 'packed', 'returned'), onPrint],
    ['Mark as packed', inState('ready', 'returned'), move('packed')],
    ['Mark as sent', inState('ready', 'packed'), asking(ask.onSend)],
    ['Mark as delivered', inState('sent', 'packed', 'returned'), asking(ask.onDeliver)],
    ['Mark as returned', inState('sent'), move('returned')],
    ['Back to packing', inState('packed', 'sent'), move('ready')],
    ['Ask for an address', inState('returned'), move('address_wanted')],
    ['Extend deadline', rows.filter(mayBeExtended), asking(ask.onExtend)],
  ] as const
  return offers.map(
    ([label, fitting, act]) =>
      fitting.length > 0 && (
        <Button key={label} tone="secondary" isPending={isPending} onClick={() => act(fitting)}>
          {label} {formatNumber(fitting.length)}
        </Button>
      ),
  )
}

interface DeadlineQuestionProps extends AskedShipments {
  readonly onClose: () => void
  readonly acts: ReturnType<typeof useMoveShipments>
}

const dayMs = 86_400_000

function DeadlineQuestion({ shipments, onDone, onClose, acts }: DeadlineQuestionProps) {
  const [day, setDay] = useFreshText(shipments.length > 0)
  const count = formatNumber(shipments.length)
  const end = day === '' ? undefined : new Date(Date.parse(day) + dayMs - 1000)
  const confirm = async () => {
    if (end === undefined) return
    const done = await acts.extend(shipments, end.toISOString())
    if (!done) return
    onDone?.(done)
    onClose()
  }
  return (
    <ConfirmDialog
      isOpen={shipments.length > 0}
      onOpenChange={onClose}
      title={shipments.length === 1 ? 'Extend the deadline' : `Extend ${count} deadlines`}
      description="The winner can give an address until the end of this day, in UTC. A deadline is never shortened."
      confirmLabel="Extend"
      tone="primary"
      canConfirm={end !== undefined}
      onConfirm={() => void confirm()}
      isPending={acts.isPending}
    >
      <TextField
        label="Last day"
        type="date"
        hint={end && `Until ${formatDateTime(end.toISOString())}`}
        {...entered(day, setDay)}
      />
    </ConfirmDialog>
  )
}
