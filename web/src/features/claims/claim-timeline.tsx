// What has happened to a claim, step by step, oldest first.

import type { Claim, ClaimStep } from '@redpack/contract'
import {
  Circle,
  CircleCheck,
  Clock,
  Eraser,
  type LucideIcon,
  MapPin,
  Package,
  Trophy,
} from 'lucide-react'
import { plural } from '../../lib/format.ts'
import { Disclosure } from '../../ui/layout/disclosure.tsx'
import { Moment } from '../../ui/media/moment.tsx'

interface StepWords {
  readonly text: string
  readonly Icon: LucideIcon
}

const statusWords: Readonly<Record<Claim['status'], StepWords>> = {
  pending: { text: 'Pending', Icon: Clock },
  processing: { text: 'Processing', Icon: Package },
  completed: { text: 'Completed', Icon: CircleCheck },
}

const unknownStatus: StepWords = { text: 'Status changed', Icon: Circle }

/** What one step is called; `status` decides where it is the status that changed. */
export function stepWords({ kind, status }: Pick<ClaimStep, 'kind' | 'status'>): StepWords {
  if (kind === 'created') return { text: 'Won', Icon: Trophy }
  if (kind === 'delivery_saved') return { text: 'Delivery details saved', Icon: MapPin }
  if (kind === 'delivery_erased') return { text: 'Delivery details erased', Icon: Eraser }
  return (status && statusWords[status]) || unknownStatus
}

export function ClaimTimeline({ steps }: { readonly steps: readonly ClaimStep[] }) {
  return (
    <Disclosure summary={`Timeline (${plural(steps.length, 'step', 'steps')})`}>
      <ol aria-label="Timeline" className="list-none p-0">
        {steps.map((step, index) => {
          const { text, Icon } = stepWords(step)
          return (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever added at the end
              key={index}
              className="relative flex gap-3 pb-3 not-last:before:absolute not-last:before:start-[0.6875rem] not-last:before:top-7 not-last:before:bottom-0 not-last:before:border-s not-last:before:border-line"
            >
              <Icon aria-hidden="true" className="mt-0.5 size-6 flex-none text-muted" />
              <div className="min-w-0">
                <p className="break-words">{text}</p>
                <p className="text-sm text-muted">
                  <Moment at={step.at} />
                </p>
              </div>
            </li>
          )
        })}
      </ol>
    </Disclosure>
  )
}
