// The command menu of the app: screens, tabs of the panel, users, and a few actions.

import { useNavigate } from '@tanstack/react-router'
import {
  Eye,
  EyeOff,
  History,
  Keyboard as KeyboardIcon,
  LogOut,
  Scale,
  Search,
  Shield,
  Ticket,
  UserRound,
} from 'lucide-react'
import { useState } from 'react'
import { tabWord } from '../compat/admin-tabs.ts'
import { useUserSuggestions } from '../features/people/users-queries.ts'
import { useIsStaff, useSession } from '../features/session/queries.ts'
import { useDebounced } from '../lib/debounced.ts'
import { streamerMode, useStreamerMode } from '../lib/streamer-mode.ts'
import { shownTabs } from '../screens/admin.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { type CommandGroup, type CommandItem, CommandMenu } from '../ui/command-menu.tsx'
import { navPlaces } from './nav-links.ts'

/** How long after the last letter users are looked for, in milliseconds. */
const searchDelayMs = 200

export interface AppCommandMenuProps {
  readonly onClose: () => void
  readonly onHelp: () => void
}

export function AppCommandMenu({ onClose, onHelp }: AppCommandMenuProps) {
  const [search, setSearch] = useState('')
  const isStaff = useIsStaff()
  const text = search.trim()
  const screens = useScreens()
  const tabs = useTabs(isStaff)
  const people = usePeople(text)
  const actions = useActions(onHelp)
  const groups: CommandGroup[] = [
    { heading: 'Users', items: people.items },
    { heading: 'Screens', items: screens },
    { heading: 'Admin Panel', items: tabs },
    { heading: 'Actions', items: actions },
  ]
  return (
    <CommandMenu
      onClose={onClose}
      search={search}
      onSearch={setSearch}
      placeholder={isStaff ? 'Find a place, a user, an action' : 'Find a place or an action'}
      groups={groups}
      isSearching={people.isSearching}
    />
  )
}

function useScreens(): CommandItem[] {
  const navigate = useNavigate()
  const { user } = useSession()
  const places = [
    ...(user ? navPlaces : navPlaces.filter(({ to }) => to === '/leaderboard')),
    ...(user
      ? ([
          { to: '/profile', label: 'Profile Settings', Icon: UserRound },
          { to: '/history', label: 'History', Icon: History },
        ] as const)
      : []),
    { to: '/fairness', label: 'Fairness', Icon: Scale } as const,
  ]
  return places.map(({ to, label, Icon }) => ({
    id: `screen ${to}`,
    label,
    icon: <Icon aria-hidden="true" />,
    onSelect: () => void navigate({ to }),
  }))
}

function useTabs(isStaff: boolean): CommandItem[] {
  const navigate = useNavigate()
  if (!isStaff) return []
  return shownTabs.map((tab) => ({
    id: `tab ${tab.id}`,
    label: tab.label,
    keywords: [tabWord(tab)],
    icon: <tab.Icon aria-hidden="true" />,
    hint: 'Admin Panel',
    onSelect: () => void navigate({ to: '/admin', search: { tab: tabWord(tab) } }),
  }))
}

/** Users that match what is typed, and the lists where more may be found; for staff only. */
function usePeople(text: string) {
  const navigate = useNavigate()
  const isStaff = useIsStaff()
  const settled = useDebounced(text, searchDelayMs)
  const { data = [], isFetching } = useUserSuggestions(settled)
  if (!isStaff || text === '') return { items: [], isSearching: false }
  const openTab = (search: Record<string, string>) => void navigate({ to: '/admin', search })
  const items: CommandItem[] = [
    ...(settled === text ? data : []).map((user) => ({
      id: `user ${user.id}`,
      label: user.displayName,
      isFound: true,
      icon: <Avatar name={user.displayName} src={user.avatar} className="size-8" />,
      hint: `@${user.username}`,
      onSelect: () => openTab({ tab: 'users', user: String(user.id) }),
    })),
    {
      id: 'search users',
      label: `Search users for "${text}"`,
      isFound: true,
      icon: <Search aria-hidden="true" />,
      onSelect: () => openTab({ tab: 'users', q: text }),
    },
    {
      id: 'search claims',
      label: `Search prize claims for "${text}"`,
      isFound: true,
      icon: <Ticket aria-hidden="true" />,
      onSelect: () => openTab({ tab: 'claims', q: text, status: 'all' }),
    },
  ]
  return { items, isSearching: isFetching || settled !== text }
}

function useActions(onHelp: () => void): CommandItem[] {
  const navigate = useNavigate()
  const { user } = useSession()
  const isStaff = useIsStaff()
  const isHiding = useStreamerMode()
  const Icon = isHiding ? Eye : EyeOff
  return [
    {
      id: 'action streamer mode',
      label: isHiding ? 'Turn streamer mode off' : 'Turn streamer mode on',
      keywords: ['hide', 'privacy'],
      icon: <Icon aria-hidden="true" />,
      onSelect: () => streamerMode.set(!isHiding),
    },
    ...(isStaff
      ? [
          {
            id: 'action pending claims',
            label: 'Handle pending prize claims',
            keywords: ['approve'],
            icon: <Shield aria-hidden="true" />,
            onSelect: () => void navigate({ to: '/admin', search: { tab: 'claims' } }),
          },
        ]
      : []),
    {
      id: 'action shortcuts',
      label: 'List keyboard shortcuts',
      keywords: ['help', 'keys'],
      keys: '?',
      icon: <KeyboardIcon aria-hidden="true" />,
      onSelect: onHelp,
    },
    ...(user
      ? [
          {
            id: 'action log out',
            label: 'Log out',
            keywords: ['sign out', 'leave'],
            icon: <LogOut aria-hidden="true" />,
            onSelect: () => void navigate({ to: '/logout' }),
          },
        ]
      : []),
  ]
}
