// The public delivery record: what the log says of everything that is sent, in one sentence.

import { deliveryWords, type Step } from '@redpack/fair/delivery-record'
import { PackageCheck } from 'lucide-react'
import { formatDay } from '../../lib/format.ts'
import { DataState } from '../../ui/feedback/state.tsx'
import { Card, CardHeader } from '../../ui/layout/section.tsx'
import { useDeliveries } from './queries.ts'

export function DeliveryRecordCard() {
  return (
    <Card>
      <CardHeader
        title="Delivery record"
        icon={PackageCheck}
        iconClassName="size-6 text-accent-text"
        description="The progress of every prize that is sent. It is counted from the log alone, so delays cannot be hidden."
      />
      <DataState query={useDeliveries()} what="the delivery record" skeleton="h-7 w-72 max-w-full">
        {(found) => (
          <p className="text-lg tabular-nums first-letter:uppercase" data-deliveries={found.won}>
            {deliveryWords(found)}.
          </p>
        )}
      </DataState>
    </Card>
  )
}

const words: Readonly<Record<Step['step'], string>> = {
  wanted: 'needed an address',
  ready: 'was ready to be sent',
  sent: 'was sent',
  delivered: 'was delivered',
  returned: 'came back',
  declined: 'was declined by its winner',
  lapsed: 'lapsed without an address',
  withdrawn: 'was withdrawn by staff',
}

/** One step in the log. */
export function shipmentWords({ opening, position, step, day, due }: Step): string {
  const what = `Pack ${position + 1} of opening ${opening.slice(-6)}`
  const deadline = due === null ? '' : `, address due ${formatDay(due)}`
  return `${what} ${words[step]} on ${formatDay(day)}${deadline}`
}
