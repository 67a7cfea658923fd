// The bar at the top of every screen but the first.

import { Link } from '@tanstack/react-router'
import { Menu as MenuIcon, Shield } from 'lucide-react'
import { useState } from 'react'
import { TwitchSignIn } from '../features/auth/twitch-sign-in.tsx'
import { NoticesBell } from '../features/people/notices-bell.tsx'
import { isStaff, useSession } from '../features/session/queries.ts'
import { brand } from '../lib/brand.ts'
import { cn } from '../lib/class-names.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { partOnDemand, useOnDemand } from '../ui/on-demand.tsx'
import { BalanceChip } from './balance-chip.tsx'
import { navPlaces } from './nav-links.ts'
import type { NavSheetProps } from './nav-sheet.tsx'
import { ShopLink } from './shop-link.tsx'
import { UserMenu } from './user-menu.tsx'

export const navLinkLook =
  'inline-flex min-h-11 flex-none items-center gap-1.5 whitespace-nowrap rounded-control px-1 font-display text-sm font-semibold text-muted no-underline hover:bg-raised hover:text-ink aria-[current=page]:bg-raised aria-[current=page]:text-accent-text aria-[current=page]:shadow-[inset_0_-3px_0_var(--accent-graphic)] xl:px-2.5 2xl:text-base'

const navSheet = partOnDemand<NavSheetProps>(async () => (await import('./nav-sheet.tsx')).NavSheet)

export function NavBar() {
  const session = useSession()
  const [isSheetOpen, setSheetOpen] = useState(false)
  const { Component: NavSheet, intent, ask } = useOnDemand(navSheet)
  const { user } = session
  return (
    <header className="on-card sticky top-0 z-nav border-b border-line bg-surface text-ink">
      <div className="mx-auto flex min-h-16 max-w-page items-center gap-1.5 px-3 sm:gap-3 sm:px-6">
        {user && (
          <IconButton
            {...intent}
            label="Open menu"
            aria-haspopup="dialog"
            aria-expanded={isSheetOpen}
            onClick={() => {
              ask()
              setSheetOpen(true)
            }}
            className="flex-none lg:hidden"
          >
            <MenuIcon aria-hidden="true" />
          </IconButton>
        )}
        <BrandLink />
        <nav aria-label="Main" className="hidden min-w-0 flex-1 overflow-x-auto lg:block">
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
                  <Shield aria-hidden="true" className="size-4 lg:max-xl:hidden" />
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
          {session.status === 'unauthenticated' && (
            <>
              {/* Visitors have no menu on small screens, so that what they may see stands here. */}
              <ShopLink className={cn(navLinkLook, 'lg:hidden')} />
              <TwitchSignIn>
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
      <span className="sr-only sm:not-sr-only lg:sr-only 2xl:not-sr-only">{brand.name}</span>
    </Link>
  )
}
