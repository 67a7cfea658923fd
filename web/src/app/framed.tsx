// The bar above a screen, and the screen's own place below it.

import { type LinkProps, useNavigate } from '@tanstack/react-router'
import { WifiOff } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useIsStaff, useSession } from '../features/session/queries.ts'
import { useOnline } from '../lib/online.ts'
import { pressOnce } from '../ui/form/one-press.ts'
import { lazyComponent, useLazy } from '../ui/overlay/lazy-component.tsx'
import { listenForShortcuts, useShortcut } from '../ui/overlay/shortcuts.ts'
import { NavBar } from './nav-bar.tsx'
import { navPlaces } from './nav-links.tsx'
import { useRealtimeUpdates } from './realtime-updates.ts'

const commandMenu = lazyComponent(() => import('./command-menu.tsx'), 'AppCommandMenu')
const shortcutHelp = lazyComponent(() => import('./shortcut-help.tsx'), 'ShortcutHelp')
const suspensionBanner = lazyComponent(
  () => import('../features/people/suspension-banner.tsx'),
  'SuspensionBanner',
)

/** Where two keys lead staff: G, then this one. */
const staffPlaces = [
  { key: 'a', tab: 'overview', label: 'Go to Admin Panel' },
  { key: 'u', tab: 'users', label: 'Go to Users' },
  { key: 'c', tab: 'claims', label: 'Go to Prize Claims' },
  { key: 't', tab: 'audit', label: 'Go to Audit Log' },
] as const

type Opened = 'palette' | 'help' | undefined

/** Listens as long as it is on the page; draws only what was opened. */
function Keyboard() {
  const [opened, setOpened] = useState<Opened>()
  const isStaff = useIsStaff()
  const close = () => setOpened(undefined)
  const AppCommandMenu = useLazy(commandMenu, opened === 'palette', close)
  const ShortcutHelp = useLazy(shortcutHelp, opened === 'help', close)
  useShortcut({
    keys: 'mod+k',
    label: 'Open the command menu',
    group: 'Everywhere',
    run: () => setOpened('palette'),
  })
  useShortcut({
    keys: '?',
    label: 'Show keyboard shortcuts',
    group: 'Everywhere',
    run: () => setOpened('help'),
  })
  useEffect(pressOnce, [])
  // Last, so that what was pressed early finds everything above on offer.
  useEffect(listenForShortcuts, [])
  return (
    <>
      {navPlaces.map(({ letter, to, label }) => (
        <PlaceKey key={letter} keys={`g ${letter}`} label={`Go to ${label}`} to={to} />
      ))}
      {isStaff &&
        staffPlaces.map(({ key, tab, label }) => (
          <PlaceKey key={key} keys={`g ${key}`} label={label} to="/admin" tab={tab} />
        ))}
      {opened === 'palette' && AppCommandMenu && (
        <AppCommandMenu onClose={close} onHelp={() => setOpened('help')} />
      )}
      {opened === 'help' && ShortcutHelp && <ShortcutHelp onClose={close} />}
    </>
  )
}

interface PlaceKeyProps {
  readonly keys: string
  readonly label: string
  readonly to: LinkProps['to']
  readonly tab?: string
}

function PlaceKey({ keys, label, to, tab }: PlaceKeyProps) {
  const navigate = useNavigate()
  useShortcut({
    keys,
    label,
    group: 'Places',
    run: () => {
      if (tab === undefined) void navigate({ to })
      else void navigate({ to: '/admin', search: { tab } })
    },
  })
  return null
}

const lookEveryMs = 20_000

/** Looks own openings up in the public log. */
function useOwnEntries(): void {
  const userId = useSession().user?.id
  useEffect(() => {
    if (userId === undefined) return
    const control = new AbortController()
    const look = () => {
      import('../features/fairness/own-entries.ts')
        .then(({ lookUpOwn }) => lookUpOwn(userId, control.signal))
        .catch(() => undefined)
    }
    const timer = setInterval(look, lookEveryMs)
    return () => {
      clearInterval(timer)
      control.abort()
    }
  }, [userId])
}

export function Framed({ children }: { readonly children: ReactNode }) {
  useRealtimeUpdates()
  useOwnEntries()
  return (
    <>
      <a
        href="#main"
        className="button button-primary sr-only focus:not-sr-only focus:fixed focus:start-3 focus:top-3 focus:z-toast"
      >
        Skip to content
      </a>
      <NavBar />
      <OfflineBar />
      <Suspension />
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto w-full max-w-page px-4 pt-6 pb-12 sm:px-6 sm:pt-8"
      >
        {children}
      </main>
      <Keyboard />
    </>
  )
}

function Suspension() {
  const isSuspended = (useSession().user?.suspension ?? null) !== null
  const SuspensionBanner = useLazy(suspensionBanner, isSuspended, () => undefined)
  const isComing = isSuspended && !SuspensionBanner
  return (
    <div role="status">
      {isComing && <p className="px-4 py-3 font-semibold">Your account is suspended</p>}
      {SuspensionBanner && <SuspensionBanner />}
    </div>
  )
}

function OfflineBar() {
  const isOnline = useOnline()
  return (
    <div role="status">
      {!isOnline && (
        <p className="flex items-center justify-center gap-2 border-b border-warning bg-raised px-4 py-2 text-center font-semibold">
          <WifiOff className="size-5 flex-none" />
          You are offline. What you see may be out of date.
        </p>
      )}
    </div>
  )
}
