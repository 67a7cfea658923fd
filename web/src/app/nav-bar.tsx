// The bar at the top of every screen but the first.

import type { SessionUser } from '@redpack/contract'
import { Link } from '@tanstack/react-router'
import { Bell, EyeOff, History, LogOut, Menu as MenuIcon, Shield, UserRound } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { TwitchSignIn } from '../features/account/twitch-sign-in.tsx'
import { Coin } from '../features/ledger/coin.tsx'
import { useNotices } from '../features/people/notice-queries.ts'
import { isStaff, useSession, useShownBalance } from '../features/session/queries.ts'
import { brand } from '../lib/brand.ts'
import { cn } from '../lib/class-names.ts'
import { formatNumber, formatRedCoin, plural } from '../lib/format.ts'
import { streamerMode, useStreamerMode } from '../lib/streamer-mode.ts'
import { announce } from '../ui/feedback/live-region.tsx'
import { IconButton } from '../ui/form/button.tsx'
import { Avatar } from '../ui/media/avatar.tsx'
import { Masked } from '../ui/media/masked.tsx'
import { RollingNumber } from '../ui/media/rolling-number.tsx'
import { useDialogOpen } from '../ui/overlay/dialog-shell.ts'
import { lazyComponent, useLazy } from '../ui/overlay/lazy-component.tsx'
import { Menu } from '../ui/overlay/menu.tsx'
import { navPlaces, ShopLink } from './nav-links.tsx'

/** More than this is shown as this and a plus. */
const shownMax = 9

const noticesDialog = lazyComponent(
  () => import('../features/people/notices-dialog.tsx'),
  'NoticesDialog',
)

export function NoticesBell() {
  const { data } = useNotices()
  const [isOpen, setOpen] = useState(false)
  const NoticesDialog = useLazy(noticesDialog, isOpen, () => setOpen(false))
  const unread = data?.unreadCount ?? 0
  const isDialogOpen = useDialogOpen()
  const known = useRef<number | undefined>(undefined)
  useEffect(() => {
    // A reveal comes before the notice of what it shows.
    if (data === undefined || isDialogOpen) return
    const before = known.current
    known.current = unread
    if (before !== undefined && unread > before) {
      announce(`${plural(unread - before, 'new notice', 'new notices')}`)
    }
  }, [data, unread, isDialogOpen])
  return (
    <>
      <IconButton
        {...noticesDialog.intent}
        label={unread === 0 ? 'Notices' : `Notices, ${formatNumber(unread)} unread`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
        className="relative flex-none"
      >
        <Bell />
        {unread > 0 && (
          <span
            aria-hidden="true"
            className="absolute start-[calc(50%+0.25rem)] top-1 z-1 grid h-4 min-w-4 place-items-center rounded-full bg-primary px-1 text-[0.6875rem] leading-none font-bold text-primary-label"
          >
            {unread > shownMax ? `${shownMax}+` : unread}
          </span>
        )}
      </IconButton>
      {NoticesDialog && <NoticesDialog isOpen={isOpen} onOpenChange={setOpen} />}
    </>
  )
}

const navLinkLook =
  'inline-flex min-h-11 flex-none items-center gap-1.5 whitespace-nowrap rounded-control px-1.5 font-display text-sm font-semibold text-muted no-underline hover:bg-raised hover:text-ink aria-[current=page]:bg-raised aria-[current=page]:text-ink aria-[current=page]:shadow-[inset_0_-3px_0_var(--primary-graphic)] xl:px-2.5 2xl:text-base'

const navSheet = lazyComponent(() => import('./nav-sheet.tsx'), 'NavSheet')

export function NavBar() {
  const session = useSession()
  const [isSheetOpen, setSheetOpen] = useState(false)
  const NavSheet = useLazy(navSheet, isSheetOpen, () => setSheetOpen(false))
  const { user } = session
  return (
    <header className="on-card sticky top-0 z-nav border-b border-line bg-surface text-ink">
      <div className="mx-auto flex min-h-16 max-w-page items-center gap-1.5 px-3 sm:gap-3 sm:px-6">
        {user && (
          <IconButton
            {...navSheet.intent}
            label="Open menu"
            aria-haspopup="dialog"
            aria-expanded={isSheetOpen}
            onClick={() => setSheetOpen(true)}
            className="flex-none min-[68.75rem]:hidden"
            icon={MenuIcon}
          />
        )}
        <BrandLink />
        <nav
          aria-label="Main"
          className="hidden min-w-0 flex-1 overflow-x-auto min-[68.75rem]:block"
        >
          <ul className="flex items-center gap-0.5 p-1">
            {user &&
              navPlaces.map(({ to, label }) => (
                <li key={label}>
                  <Link to={to} className={navLinkLook}>
                    {label}
                  </Link>
                </li>
              ))}
            {user && isStaff(user.role) && (
              <li>
                <Link to="/admin" className={navLinkLook}>
                  <Shield className="size-4" />
                  Admin
                </Link>
              </li>
            )}
            <li>
              <ShopLink className={navLinkLook} />
            </li>
          </ul>
        </nav>
        <div className="ms-auto flex min-w-0 items-center gap-2 sm:flex-none sm:gap-3">
          {user && <BalanceChip />}
          {user && <NoticesBell />}
          {user && <UserMenu user={user} />}
          {/* Whoever cannot be recognised without a network is no visitor. */}
          {session.status === 'unauthenticated' && !session.error && (
            <>
              {/* Visitors have no menu on small screens, so that what they may see stands here. */}
              <ShopLink className={cn(navLinkLook, 'min-[68.75rem]:hidden')} />
              {/* One is enough where the screen has its own. */}
              <TwitchSignIn className="[body:has(main_.button-twitch)_&]:hidden">
                <span className="sm:hidden">Login</span>
                <span className="hidden sm:inline">Login with Twitch</span>
              </TwitchSignIn>
            </>
          )}
        </div>
      </div>
      {user && NavSheet && (
        <NavSheet role={user.role} isOpen={isSheetOpen} onOpenChange={setSheetOpen} />
      )}
    </header>
  )
}

function BrandLink() {
  return (
    <Link
      to="/"
      className="flex min-h-11 flex-none items-center gap-2 rounded-control font-display text-xl font-bold text-ink no-underline"
    >
      <img src="/art/brand-mark.svg" alt="" width={36} height={36} className="size-9" />
      <span className="sr-only sm:not-sr-only min-[68.75rem]:max-xl:sr-only">{brand.name}</span>
    </Link>
  )
}

/** An answered opening has its dialog on screen by then, in milliseconds. */
const announcementDelayMs = 300

export function BalanceChip() {
  const balance = useShownBalance()
  const isDialogOpen = useDialogOpen()
  const isMasked = useStreamerMode()
  const known = useRef(balance)
  useEffect(() => {
    // A reveal comes before the balance that it leads to.
    if (isDialogOpen || known.current === balance) return
    const timer = window.setTimeout(() => {
      known.current = balance
      announce(isMasked ? 'Your balance has changed' : `Your balance is ${formatRedCoin(balance)}`)
    }, announcementDelayMs)
    return () => window.clearTimeout(timer)
  }, [balance, isDialogOpen, isMasked])
  return (
    <p className="flex min-h-9 min-w-0 items-center gap-1.5 rounded-[1.125rem] border border-line bg-raised px-2.5 max-[22.5rem]:px-1 font-display text-sm leading-4 font-bold sm:whitespace-nowrap sm:px-3">
      <Coin className="max-[22.5rem]:hidden" />
      <span className="min-w-0 text-center">
        <Masked what="Balance" className="leading-4 max-sm:[&>svg]:hidden">
          <RollingNumber value={balance} />
        </Masked>{' '}
        RedCoin
      </span>
    </p>
  )
}

function UserMenu({ user }: { readonly user: SessionUser }) {
  const isHiding = useStreamerMode()
  return (
    <Menu
      label={`Account of ${user.displayName}`}
      triggerClassName="grid size-11 flex-none place-items-center rounded-full"
      trigger={<Avatar name={user.displayName} src={user.avatar} />}
      header={
        <>
          <span className="block font-semibold wrap-anywhere">{user.displayName}</span>
          <span className="block text-sm text-muted wrap-anywhere">@{user.username}</span>
        </>
      }
      groups={[
        [
          { label: 'Profile', to: '/profile', icon: <UserRound /> },
          { label: 'History', to: '/history', icon: <History /> },
        ],
        [
          {
            label: 'Streamer mode',
            icon: <EyeOff />,
            isChecked: isHiding,
            onChange: streamerMode.set,
          },
        ],
        [{ label: 'Logout', to: '/logout', icon: <LogOut /> }],
      ]}
    />
  )
}
