// The notices of the last months, below the bell.

import { kindRules, type Notice, type NoticeKind, screenOf } from '@redpack/contract'
import { Link } from '@tanstack/react-router'
import {
  Bell,
  BellOff,
  CheckCheck,
  CircleCheck,
  Clock,
  Coins,
  KeyRound,
  type LucideIcon,
  MailX,
  MapPin,
  MessageSquareOff,
  MessagesSquare,
  Package,
  PackageCheck,
  PackageMinus,
  PackagePlus,
  Truck,
  Tv,
} from 'lucide-react'
import { cn } from '../../lib/class-names.ts'
import { formatList, formatNumber, formatRedCoin, plural } from '../../lib/format.ts'
import { announce } from '../../ui/feedback/live-region.tsx'
import { toastError } from '../../ui/feedback/outcome.ts'
import { DataState, Empty } from '../../ui/feedback/state.tsx'
import { Button, LinkButton } from '../../ui/form/button.tsx'
import { Moment } from '../../ui/media/moment.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { useNotices, useReadNotices } from './notice-queries.ts'

interface NoticesDialogProps {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
}

export function NoticesDialog({ isOpen, onOpenChange }: NoticesDialogProps) {
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} title="Notices" shape="bar">
      <NoticesList onLeave={() => onOpenChange(false)} />
    </Dialog>
  )
}

interface NoticesListProps {
  /** Called when a notice leads somewhere else. */
  readonly onLeave: () => void
}

function NoticesList({ onLeave }: NoticesListProps) {
  return (
    <DataState
      query={useNotices()}
      what="your notices"
      title="Your notices could not be loaded"
      skeleton={['h-14', 'h-14', 'h-14']}
      className="grid gap-3"
      isBrief
    >
      {({ notices, unreadCount }) => (
        <>
          {/* Above the list: below it, 50 notices away, nobody finds it. */}
          <div className="mb-4 flex flex-wrap items-center justify-between gap-2">
            {unreadCount > 0 && <MarkAsRead newest={notices[0]?.at} />}
            <LinkButton to="/profile" tone="ghost" onClick={onLeave}>
              Notification settings
            </LinkButton>
          </div>
          {notices.length === 0 ? (
            <Empty
              picture={<BellOff />}
              title="Nothing new"
              description="Prize updates and rewards appear here."
            />
          ) : (
            <ol className="list-none divide-y divide-line border-y border-line p-0">
              {notices.map((notice) => (
                <NoticeRow key={notice.id} notice={notice} onLeave={onLeave} />
              ))}
            </ol>
          )}
        </>
      )}
    </DataState>
  )
}

function NoticeRow({ notice, onLeave }: { readonly notice: Notice; readonly onLeave: () => void }) {
  const { text, Icon, to } = noticeWords(notice)
  return (
    <li>
      <Link
        to={to}
        onClick={onLeave}
        className="flex min-h-14 items-center gap-3 px-2 py-2 text-ink no-underline hover:bg-raised"
      >
        <Icon className="size-6 flex-none text-muted" />
        <span className="min-w-0 flex-1">
          <span className={cn('block break-words', notice.isUnread && 'font-semibold')}>
            {text}
          </span>
          <Moment at={notice.at} className="text-sm text-muted" />
        </span>
        {notice.isUnread && (
          <span className="size-2 flex-none rounded-full bg-primary">
            <span className="sr-only">Unread</span>
          </span>
        )}
      </Link>
    </li>
  )
}

function MarkAsRead({ newest }: { readonly newest: string | undefined }) {
  const read = useReadNotices()
  if (newest === undefined) return null
  const mark = () =>
    read.mutate(newest, {
      onSuccess: () => announce('All notices are marked as read'),
      onError: (error) => toastError(error, 'The notices could not be marked as read'),
    })
  return (
    <Button icon={CheckCheck} tone="secondary" onClick={mark} isPending={read.isPending}>
      Mark all as read
    </Button>
  )
}

const icons: Readonly<Record<NoticeKind, LucideIcon>> = {
  claim_status: Clock,
  delivery_wanted: MapPin,
  deadline_near: MapPin,
  code_ready: KeyRound,
  shipment_sent: Truck,
  delivery_asked: PackageCheck,
  shipment_returned: MapPin,
  watch_reward: Tv,
  packs_granted: PackagePlus,
  packs_removed: PackageMinus,
  red_coin_granted: Coins,
  red_coin_removed: Coins,
  email_refused: MailX,
  discord_refused: MessageSquareOff,
  discord_reward: MessagesSquare,
}
const statusIcons = { pending: Clock, processing: Package, completed: CircleCheck } as const

/** What a notice says, and where it leads: to the prizes, unless its kind says more. */
export function noticeWords(notice: Notice) {
  const { kind, subject, status, carriage } = notice
  // A newer server tells of what this page does not know yet.
  if (!(kind in icons)) {
    return { Icon: Bell, text: 'There is news for you', to: '/my-prizes' } as const
  }
  const step = kind === 'claim_status' ? status : null
  const told = { subject: subject ?? '', status: step ?? carriage ?? '', amount: amountOf(notice) }
  const Icon = step === null ? icons[kind] : statusIcons[step]
  return { Icon, text: kindRules[kind].bell(told), to: screenOf(kind) }
}

/** A completion may pay packs, RedCoin, both, or nothing but the fame. */
function amountOf({ kind, subject, packs, redCoin }: Notice): string {
  const count = Math.abs(packs)
  const isOfType = subject !== null && kind !== 'watch_reward'
  const some = isOfType ? `${formatNumber(count)} × ${subject}` : plural(count, 'pack', 'packs')
  const parts = [
    ...(count > 0 ? [some] : []),
    ...(redCoin === 0 ? [] : [formatRedCoin(Math.abs(redCoin))]),
  ]
  return parts.length === 0 ? 'a reward' : formatList(parts)
}
