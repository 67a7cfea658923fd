// What staff ask and say about shipments.

import {
  type AdminShipment,
  adminShipmentsContract,
  type ChangeShipmentsResponse,
  type QueryInput,
  type ShipmentCounts,
  type ShipmentState,
  shipmentStates,
} from '@redpack/contract'
import { adminPageMax } from '@redpack/contract/limits'
import { keepPreviousData } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { emptyPage, useEndpoint } from '../../lib/endpoint-query.ts'
import { plural } from '../../lib/format.ts'
import { useCall } from '../../lib/use-call.ts'
import { toastDone, toastFailed } from '../../ui/feedback/outcome.ts'
import { shipmentName, stateWords } from './ship-words.tsx'

/** How often what is open asks again while it is seen, in milliseconds. */
export const shipmentsPollMs = 5_000
export const shipmentsPageSize = 50

/** What the table shows: a state, what is overdue, what the caller ships, or everything. */
export const shipViews = [
  ...['address_wanted', 'ready', 'packed', 'overdue', 'mine', 'sent', 'returned'],
  ...['delivered', 'declined', 'lapsed', 'all'],
] as const

export interface ShipmentsView {
  /** One of `shipViews`, or `in_hand` for what the caller has packed; else it is everything. */
  readonly show: string
  readonly search: string
  readonly page: number
}

const isState = (show: string): show is ShipmentState =>
  shipmentStates.some((state) => state === show)

function queryOf({
  show,
  search,
  page,
}: ShipmentsView): QueryInput<typeof adminShipmentsContract.list> {
  return {
    ...(isState(show) && { state: show }),
    ...(show === 'overdue' && { overdue: 'true' }),
    ...(show === 'mine' && { handler: 'me' }),
    ...(show === 'in_hand' && { handler: 'me', state: 'packed' }),
    ...(search !== '' && { search }),
    page,
    limit: shipmentsPageSize,
  }
}

export function useShipments(view: ShipmentsView) {
  return useEndpoint(adminShipmentsContract.list, {
    shows: ['claims'],
    options: { query: queryOf(view) },
    empty: { shipments: [], counts: {} as ShipmentCounts, ...emptyPage },
    placeholderData: keepPreviousData,
    // No socket tells staff of what players win.
    refetchInterval: shipmentsPollMs,
  })
}

/**
 * What is to be packed: what the caller has packed and not sent, then what is ready. One question
 * after the other, ready first: what is packed meanwhile stands in the second answer. Asked at
 * once, it could stand in neither and seem gone.
 */
export function usePackingList() {
  return useEndpoint(adminShipmentsContract.list, {
    shows: ['claims'],
    key: ['packing'],
    ask: async (signal) => {
      // As many as there can be: what is in hand must not fall behind the end of a page.
      const ask = (show: string) => {
        const query = { ...queryOf({ show, search: '', page: 1 }), limit: adminPageMax }
        return call(adminShipmentsContract.list, { query, signal })
      }
      const ready = await ask('ready')
      const mine = await ask('in_hand')
      const shipments = [...mine.shipments, ...ready.shipments]
      return { shipments, left: mine.total + ready.total }
    },
    refetchInterval: shipmentsPollMs,
  })
}

export function useCouriers() {
  return useEndpoint(adminShipmentsContract.couriers, { shows: ['claims'], empty: [] })
}

export interface Move {
  readonly state: ShipmentState
  readonly courier?: string | null
  readonly trackingNumber?: string | null
}

/**
 * Moves shipments on or changes their deadline, says what became of them, and gives those that
 * were changed; undefined for none. `tell` says that all went well.
 */
export function useMoveShipments(tell: (text: string) => void = toastDone) {
  const change = useCall(adminShipmentsContract.change)
  const send = async (
    shipments: readonly AdminShipment[],
    body: Move | { readonly deadline: string },
    done: string,
  ): Promise<readonly AdminShipment[] | undefined> => {
    try {
      const claimIds = shipments.map(({ claimId }) => claimId)
      const answer = await change.mutateAsync({ body: { claimIds, ...body } })
      const changed = report(answer, shipments, (count) =>
        tell(`${plural(count, 'shipment', 'shipments')}: ${done}`),
      )
      if (changed.length === 0) return undefined
      return shipments.filter(({ claimId }) => changed.includes(claimId))
    } catch (error) {
      toastFailed('Error', error, 'Nothing was changed. Please try again.')
      return undefined
    }
  }
  return {
    move: (shipments: readonly AdminShipment[], move: Move) =>
      send(shipments, move, stateWords[move.state].staff),
    extend: (shipments: readonly AdminShipment[], deadline: string) =>
      send(shipments, { deadline }, 'new deadline'),
    isPending: change.isPending,
  }
}

/** @returns the Claim IDs of what was changed */
function report(
  { verdicts }: ChangeShipmentsResponse,
  shipments: readonly AdminShipment[],
  onWhole: (count: number) => void,
): readonly string[] {
  const changed = verdicts.flatMap((verdict) => (verdict.changed ? [verdict.claimId] : []))
  const told = verdicts.flatMap(({ claimId, ...verdict }) => {
    const text = verdict.changed ? verdict.remark : (verdict.reason ?? 'not changed')
    if (text === undefined) return []
    const shipment = shipments.find((each) => each.claimId === claimId)
    return [`${shipment ? shipmentName(shipment) : claimId}: ${text}`]
  })
  if (told.length === 0) {
    onWhole(changed.length)
    return changed
  }
  const text = [`${changed.length} of ${verdicts.length} changed.`, ...told].join('\n')
  const isWhole = changed.length === verdicts.length
  toastFailed(isWhole ? 'Please check' : 'Not everything was changed', new Error(text), text)
  return changed
}
