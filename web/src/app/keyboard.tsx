// The keys of the whole app: the command menu, the list of shortcuts, and the ways to places.

import { type LinkProps, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useIsStaff } from '../features/session/queries.ts'
import { listenForShortcuts, useShortcut } from '../ui/overlay/shortcuts.ts'

const AppCommandMenu = lazy(async () => ({
  default: (await import('./command-menu.tsx')).AppCommandMenu,
}))
const ShortcutHelp = lazy(async () => ({
  default: (await import('./shortcut-help.tsx')).ShortcutHelp,
}))

/** Where two keys lead: G, then this one. */
const places = [
  { key: 'd', to: '/dashboard', label: 'Go to Dashboard' },
  { key: 'i', to: '/inventory', label: 'Go to My Inventory' },
  { key: 'p', to: '/my-prizes', label: 'Go to My Prizes' },
  { key: 's', to: '/store', label: 'Go to Store' },
  { key: 'w', to: '/twitch-streams', label: 'Go to Twitch Rewards' },
  { key: 'l', to: '/leaderboard', label: 'Go to Leaderboard' },
] as const

const staffPlaces = [
  { key: 'a', tab: 'overview', label: 'Go to Admin Panel' },
  { key: 'u', tab: 'users', label: 'Go to Users' },
  { key: 'c', tab: 'claims', label: 'Go to Prize Claims' },
  { key: 't', tab: 'audit', label: 'Go to Audit Log' },
] as const

type Opened = 'palette' | 'help' | undefined

/** Listens as long as it is on the page; draws only what was opened. */
export function Keyboard() {
  const [opened, setOpened] = useState<Opened>()
  const isStaff = useIsStaff()
  useShortcut({
    keys: 'mod+k',
    label: 'Open the command menu',
    group: 'Everywhere',
    run: () => setOpened('palette'),
  })
  useShortcut({
    keys: '?',
    label: 'List the shortcuts',
    group: 'Everywhere',
    run: () => setOpened('help'),
  })
  // Last, so that what was pressed early finds everything above on offer.
  useEffect(listenForShortcuts, [])
  return (
    <>
      {places.map(({ key, to, label }) => (
        <PlaceKey key={key} keys={`g ${key}`} label={label} to={to} />
      ))}
      {isStaff &&
        staffPlaces.map(({ key, tab, label }) => (
          <PlaceKey key={key} keys={`g ${key}`} label={label} to="/admin" tab={tab} />
        ))}
      <Suspense fallback={null}>
        {opened === 'palette' && (
          <AppCommandMenu onClose={() => setOpened(undefined)} onHelp={() => setOpened('help')} />
        )}
        {opened === 'help' && <ShortcutHelp onClose={() => setOpened(undefined)} />}
      </Suspense>
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
