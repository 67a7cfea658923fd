// What is shown of a claim wherever it stands: its name, how far it has come, and what to do.

import type { Claim, ClaimStep, UserPrize } from '@redpack/contract'
import {
  Circle,
  CircleCheck,
  Clock,
  Eraser,
  KeyRound,
  type LucideIcon,
  MapPin,
  Package,
  Trophy,
} from 'lucide-react'
import { plural } from '../../../lib/format.ts'
import { streamerMode } from '../../../lib/streamer-mode.ts'
import { Badge, type BadgeProps } from '../../../ui/feedback/state.tsx'
import { LongText } from '../../../ui/layout/long-text.tsx'
import { Disclosure } from '../../../ui/layout/section.tsx'
import { Moment } from '../../../ui/media/moment.tsx'

/** A claim is named by its Claim ID; without one by its number. */
export function claimIdOf({ claimId, id }: Pick<UserPrize, 'claimId'> & { id: number | string }) {
  return claimId || `PR-${id}`
}

/** What it is called where no cover can stand: in the names of controls and in messages. */
export function spokenClaim(claimId: string, prizeName: string, username: string): string {
  return streamerMode.isOn() ? `${prizeName} of ${username}` : claimId
}

interface StatusLook {
  readonly tone: NonNullable<BadgeProps['tone']>
  readonly Icon: LucideIcon
}

const looks: Readonly<Record<string, StatusLook>> = {
  completed: { tone: 'success', Icon: CircleCheck },
  processing: { tone: 'info', Icon: Package },
  pending: { tone: 'warning', Icon: Clock },
}

const otherLook: StatusLook = { tone: 'idle', Icon: Circle }

/** Green, blue and yellow for the three statuses that are known, grey for any other. */
export function StatusBadge({ status }: { readonly status: string }) {
  const { tone, Icon } = (Object.hasOwn(looks, status) && looks[status]) || otherLook
  return (
    <Badge tone={tone} icon={<Icon />} className="uppercase">
      {status}
    </Badge>
  )
}

export function ClaimInstructions({ text }: { readonly text: string }) {
  return (
    <div>
      <h4 className="text-sm font-semibold text-muted">How to Claim</h4>
      <LongText text={text} className="mt-1" />
    </div>
  )
}

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
function stepWords({ kind, status }: Pick<ClaimStep, 'kind' | 'status'>): StepWords {
  if (kind === 'created') return { text: 'Won', Icon: Trophy }
  if (kind === 'delivery_saved') return { text: 'Delivery details saved', Icon: MapPin }
  if (kind === 'code_shown') return { text: 'Code shown to the winner', Icon: KeyRound }
  if (kind === 'deadline_near') return { text: 'Reminded of the deadline', Icon: Clock }
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
              <Icon className="mt-0.5 size-6 flex-none text-muted" />
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
