// The notices of the last months, below the bell.

import type { Notice } from '@redpack/contract'
import { Link, type LinkProps } from '@tanstack/react-router'
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

export interface NoticesDialogProps {
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

// What a notice says, and where it leads: to the prizes, unless it says more.
type NoticeWords = readonly [Icon: LucideIcon, text: string, to?: LinkProps['to']]

export function noticeWords({ kind, subject, status, carriage, redCoin, packs }: Notice) {
  const name = subject ?? ''
  const count = Math.abs(packs)
  const some = subject ? `${formatNumber(count)} × ${subject}` : plural(count, 'pack', 'packs')
  const coins = formatRedCoin(Math.abs(redCoin))
  const carrier = carriage ? ` with ${carriage}` : ''
  const byKind: Readonly<Record<Notice['kind'], NoticeWords>> = {
    claim_status: claimWords(name, status),
    delivery_wanted: [MapPin, `Add a delivery address for your ${name}`],
    deadline_near: [MapPin, `Give an address for your ${name} soon, or you will lose it`],
    code_ready: [KeyRound, `Your code for ${name} is in My Prizes`],
    shipment_sent: [Truck, `Your ${name} is on its way${carrier}`],
    delivery_asked: [PackageCheck, `Has your ${name} arrived? Let us know in My Prizes`],
    shipment_returned: [MapPin, `Your ${name} came back to us. Check the address`],
    watch_reward: [
      Tv,
      `You earned ${gains(packs, redCoin)} by watching ${name}`,
      '/twitch-streams',
    ],
    packs_granted: [PackagePlus, `You received ${some}`, '/inventory'],
    packs_removed: [PackageMinus, `Staff took back ${some}`, '/inventory'],
    red_coin_granted: [Coins, `You received ${coins}`, '/history'],
    red_coin_removed: [Coins, `Staff took back ${coins}`, '/history'],
    email_refused: [
      MailX,
      'Your email address refused our emails, so we stopped sending them',
      '/profile',
    ],
    discord_refused: [
      MessageSquareOff,
      'Discord refused our messages to you, so we stopped sending them',
      '/profile',
    ],
    discord_reward: [MessagesSquare, `You earned ${coins} on Discord`, '/history'],
  }
  // A newer server tells of what this page does not know yet.
  const known: NoticeWords | undefined = byKind[kind]
  const [Icon, text, to = '/my-prizes'] = known ?? [Bell, 'There is news for you']
  return { Icon, text, to }
}

function claimWords(name: string, status: Notice['status']): NoticeWords {
  if (status === 'completed') return [CircleCheck, `Your ${name} has been delivered`]
  if (status === 'processing') return [Package, `Your ${name} is being processed`]
  return [Clock, `Your ${name} is back to pending`]
}

/** A completion may pay packs, RedCoin, both, or nothing but the fame. */
function gains(packs: number, redCoin: number): string {
  const parts = [
    ...(packs > 0 ? [plural(packs, 'pack', 'packs')] : []),
    ...(redCoin > 0 ? [formatRedCoin(redCoin)] : []),
  ]
  return parts.length === 0 ? 'a reward' : formatList(parts)
}
