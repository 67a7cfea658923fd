// The command menu of the app: screens, tabs of the panel, users, and a few actions.

import { useLocation, useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import {
  CornerDownLeft,
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
import { type ReactNode, useEffect, useState } from 'react'
import { tabWord } from '../compat/admin-tabs.ts'
import { useIsStaff, useSession } from '../features/session/queries.ts'
import { useUserSuggestions } from '../features/session/shared/suggest-users.tsx'
import { useSettledText } from '../lib/settled-text.ts'
import { streamerMode, useStreamerMode } from '../lib/streamer-mode.ts'
import { shownTabs } from '../screens/admin.tsx'
import { Spinner } from '../ui/feedback/spinner.tsx'
import { Avatar } from '../ui/media/avatar.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { Keys } from '../ui/overlay/keys.tsx'
import { navPlaces } from './nav-links.tsx'

interface AppCommandMenuProps {
  readonly onClose: () => void
  readonly onHelp: () => void
}

/** Open as long as it is mounted. Choosing closes it first, so that the focus is free. */
export function AppCommandMenu({ onClose, onHelp }: AppCommandMenuProps) {
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState('')
  const { pathname } = useLocation()
  const isStaff = useIsStaff()
  const { items: users, isSearching } = usePeople(search.trim())
  const places = [
    { heading: 'Screens', items: useScreens() },
    { heading: 'Admin Panel', items: useTabs(isStaff) },
  ]
  const groups: CommandGroup[] = [
    { heading: 'Users', items: users },
    ...(pathname.startsWith('/admin') ? places.toReversed() : places),
    { heading: 'Actions', items: useActions(onHelp) },
  ]
  const shown = matchingGroups(groups, search)
  const first = shown[0]?.items[0]?.id ?? ''
  useEffect(() => setChosen(first), [first])
  const choose = (item: CommandItem) => {
    onClose()
    item.onSelect()
  }
  return (
    <Dialog
      onOpenChange={onClose}
      title="Command menu"
      isHeaderHidden
      className="mt-[12dvh] mb-auto overflow-hidden p-0"
    >
      <Command
        label="Command menu"
        loop
        shouldFilter={false}
        value={chosen}
        onValueChange={setChosen}
        className="flex max-h-[70dvh] flex-col"
      >
        <div className="flex items-center border-b border-line pe-14">
          <Command.Input
            value={search}
            onValueChange={setSearch}
            placeholder={isStaff ? 'Search pages, users and actions' : 'Search pages and actions'}
            className="min-h-16 min-w-0 flex-1 bg-transparent px-5 text-lg placeholder:text-muted focus-visible:outline-none"
          />
          {isSearching && <Spinner />}
        </div>
        <Command.List className="overflow-y-auto overscroll-contain p-2 [&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-2 [&_[cmdk-group-heading]]:text-sm [&_[cmdk-group-heading]]:text-muted">
          {shown.length === 0 && (
            <p role="status" className="px-3 py-8 text-center text-muted">
              {isSearching ? 'Searching...' : 'Nothing found'}
            </p>
          )}
          {shown.map(({ heading, items }) => (
            <Command.Group key={heading} heading={heading}>
              {items.map((item) => (
                <Command.Item
                  key={item.id}
                  value={item.id}
                  onSelect={() => choose(item)}
                  className="group flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-3 py-1.5 data-[selected=true]:bg-accent-graphic/15 data-[selected=true]:[&_.text-muted]:text-ink [&>svg]:size-5 [&>svg]:flex-none"
                >
                  {item.icon}
                  <span className="min-w-0 flex-1 truncate">{item.label}</span>
                  {item.hint && (
                    <span className="min-w-0 max-w-[45%] truncate text-sm text-muted">
                      {item.hint}
                    </span>
                  )}
                  {item.keys && <Keys keys={item.keys} />}
                  <CornerDownLeft className="invisible text-muted group-data-[selected=true]:visible" />
                </Command.Item>
              ))}
            </Command.Group>
          ))}
        </Command.List>
      </Command>
    </Dialog>
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
    icon: <Icon />,
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
    icon: <tab.Icon />,
    hint: 'Admin Panel',
    onSelect: () => void navigate({ to: '/admin', search: { tab: tabWord(tab) } }),
  }))
}

/** Users that match what is typed, and the lists where more may be found; for staff only. */
function usePeople(text: string) {
  const navigate = useNavigate()
  const isStaff = useIsStaff()
  const { settled } = useSettledText(text)
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
      icon: <Search />,
      onSelect: () => openTab({ tab: 'users', q: text }),
    },
    {
      id: 'search claims',
      label: `Search prize claims for "${text}"`,
      isFound: true,
      icon: <Ticket />,
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
      icon: <Icon />,
      onSelect: () => streamerMode.set(!isHiding),
    },
    ...(isStaff
      ? [
          {
            id: 'action pending claims',
            label: 'Handle pending prize claims',
            keywords: ['approve'],
            icon: <Shield />,
            onSelect: () => void navigate({ to: '/admin', search: { tab: 'claims' } }),
          },
        ]
      : []),
    {
      id: 'action shortcuts',
      label: 'Show keyboard shortcuts',
      keywords: ['help', 'keys'],
      keys: '?',
      icon: <KeyboardIcon />,
      onSelect: onHelp,
    },
    ...(user
      ? [
          {
            id: 'action log out',
            label: 'Logout',
            keywords: ['sign out', 'leave'],
            icon: <LogOut />,
            onSelect: () => void navigate({ to: '/logout' }),
          },
        ]
      : []),
  ]
}

export interface CommandItem {
  /** Names the item among all of them. */
  readonly id: string
  readonly label: string
  /** Other words by which it is found. */
  readonly keywords?: readonly string[]
  readonly icon?: ReactNode
  /** Stands at the end, for example where it leads. */
  readonly hint?: ReactNode
  /** The keys that do the same. */
  readonly keys?: string
  /** True for what was found elsewhere for what is typed; it is shown as it came. */
  readonly isFound?: boolean
  readonly onSelect: () => void
}

export interface CommandGroup {
  readonly heading: string
  readonly items: readonly CommandItem[]
}

/** What starts a word comes first, then what was found elsewhere, then what holds it anywhere. */
function weightOf({ label, keywords = [], isFound = false }: CommandItem, search: string): number {
  if (isFound) return 2
  const text = ` ${[label, ...keywords].join(' ')}`.toLowerCase()
  if (text.includes(` ${search}`)) return 3
  return text.includes(search) ? 1 : 0
}

/** The items that match what is typed, the best first, in groups whose best item counts. */
export function matchingGroups(groups: readonly CommandGroup[], typed: string): CommandGroup[] {
  const search = typed.trim().toLowerCase()
  const weighed = groups.map(({ heading, items }) => {
    const found = items
      .map((item) => ({ item, weight: weightOf(item, search) }))
      .filter(({ weight }) => weight > 0)
      .sort((left, right) => right.weight - left.weight)
    return { heading, items: found.map(({ item }) => item), best: found[0]?.weight ?? 0 }
  })
  return weighed.filter(({ best }) => best > 0).sort((left, right) => right.best - left.best)
}
