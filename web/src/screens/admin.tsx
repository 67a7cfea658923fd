// The admin panel: one page, one tab at a time. Who may come in is asked at its gates.

import { secondFactorContract } from '@redpack/contract'
import { type Query, useQueryClient } from '@tanstack/react-query'
import {
  type AsyncRouteComponent,
  CatchBoundary,
  type ErrorComponentProps,
  Link,
  useLocation,
  useNavigate,
  useRouter,
  useSearch,
} from '@tanstack/react-router'
import {
  Bot,
  Boxes,
  CalendarClock,
  Gift,
  LayoutDashboard,
  LayoutGrid,
  type LucideIcon,
  Mail,
  MessagesSquare,
  Palette,
  Scale,
  ScrollText,
  Send,
  Server,
  ShieldCheck,
  Store,
  Ticket,
  Tv,
  UsersRound,
} from 'lucide-react'
import {
  type ComponentType,
  Suspense,
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import {
  type AdminTabId,
  type AdminTabName,
  adminTabNames,
  secondWord,
  tabOfWord,
  tabWord,
} from '../compat/admin-tabs.ts'
import { PanelReadingContext, readingAt } from '../compat/panel-reading.ts'
import { CodeForm } from '../features/account/code-form.tsx'
import { cn } from '../lib/class-names.ts'
import { answerConfirmations } from '../lib/confirmed-call.ts'
import { formatTime } from '../lib/format.ts'
import { screenCode } from '../lib/missing-code.ts'
import { useCall } from '../lib/use-call.ts'
import { SpinnerPage } from '../ui/feedback/spinner.tsx'
import { Badge, LoadErrorCard, Notice } from '../ui/feedback/state.tsx'
import { showAmongNeighbours } from '../ui/layout/tab-strip.ts'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { Menu } from '../ui/overlay/menu.tsx'

/** Stays below the bar while the page is scrolled. */
function UnreachedNote() {
  const since = useUnreachedSince()
  return (
    <div role="status" className="sticky top-18 z-2">
      {since !== undefined && (
        <Notice tone="warning" className="mb-4">
          Last updated at {formatTime(since)}. Reconnecting...
        </Notice>
      )}
    </div>
  )
}

/** A single failure between two polls is nothing to speak of, in milliseconds. */
export const unreachedAfterMs = 5_000
/** Nor is an answer that takes a while, in milliseconds. */
export const hungAfterMs = 10_000

/** When the question under way to the server was begun. */
const begunAt = new WeakMap<Query, number>()

const hangs = (query: Query) =>
  query.state.fetchStatus === 'fetching' &&
  Date.now() - (begunAt.get(query) ?? Date.now()) >= hungAfterMs

function isPolled(query: Query): boolean {
  return query.observers.some(({ options }) => {
    const { refetchInterval } = options
    return options.enabled !== false && Boolean(refetchInterval)
  })
}

/** When the oldest polled answer on screen came whose polls fail or hang since; else undefined. */
function useUnreachedSince(): number | undefined {
  const cache = useQueryClient().getQueryCache()
  const subscribe = useCallback(
    (listener: () => void) => {
      const stop = cache.subscribe((event) => {
        const action = event.type === 'updated' ? event.action.type : undefined
        // One that is asked anew meanwhile has waited since the first.
        if (action === 'fetch' && !begunAt.has(event.query)) begunAt.set(event.query, Date.now())
        if (action === 'success' || action === 'error') begunAt.delete(event.query)
        listener()
      })
      // What hangs tells nothing.
      const timer = window.setInterval(listener, unreachedAfterMs)
      return () => {
        stop()
        window.clearInterval(timer)
      }
    },
    [cache],
  )
  return useSyncExternalStore(subscribe, () => {
    const answeredAt = cache
      .findAll({ type: 'active', predicate: isPolled })
      .filter((query) => query.state.status === 'error' || hangs(query))
      .map(({ state }) => state.dataUpdatedAt)
      .filter((at) => at > 0)
    const oldest = Math.min(...answeredAt)
    return Date.now() - oldest >= unreachedAfterMs ? oldest : undefined
  })
}

interface AdminTab {
  readonly Icon: LucideIcon
  readonly Panel: AsyncRouteComponent<object>
}

export function tab<Name extends string>(
  Icon: LucideIcon,
  name: Name,
  load: () => Promise<Record<Name, ComponentType>>,
): AdminTab {
  return { Icon, Panel: screenCode(load, name) }
}

/** What stands behind each tab; its order and words are those of `adminTabNames`. */
const panels: Readonly<Record<AdminTabId, AdminTab>> = {
  overview: tab(
    LayoutDashboard,
    'OverviewPanel',
    () => import('../features/books/overview-panel.tsx'),
  ),
  prizes: tab(Gift, 'PrizesPanel', () => import('../features/catalogue/prizes-panel.tsx')),
  'pack-types': tab(
    Boxes,
    'PackTypesPanel',
    () => import('../features/catalogue/pack-types-panel.tsx'),
  ),
  distribute: tab(Send, 'DistributePanel', () => import('../features/grants/distribute-panel.tsx')),
  store: tab(Store, 'StorePanel', () => import('../features/catalogue/listings-panel.tsx')),
  'prize-claims': tab(Ticket, 'ClaimsTab', () => import('../features/claims/ship-tab.tsx')),
  'fresh-users': tab(UsersRound, 'UsersPanel', () => import('../features/people/users-panel.tsx')),
  settings: tab(Palette, 'ThemePanel', () => import('../features/settings/theme-panel.tsx')),
  'twitch-streams': tab(Tv, 'StreamsPanel', () => import('../features/watch/streams-panel.tsx')),
  'discord-bot': tab(
    MessagesSquare,
    'DiscordBotPanel',
    () => import('../features/discord-bot/shared/discord-bot.tsx'),
  ),
  'bot-credentials': tab(
    Bot,
    'BotCredentialsPanel',
    () => import('../features/twitch-bot/bot-credentials-panel.tsx'),
  ),
  messages: tab(Mail, 'MessagesPanel', () => import('../features/outbox/messages-panel.tsx')),
  jobs: tab(CalendarClock, 'JobsPanel', () => import('../features/server/jobs-panel.tsx')),
  server: tab(Server, 'ServerPanel', () => import('../features/server/server-panel.tsx')),
  audit: tab(ScrollText, 'AuditPanel', () => import('../features/audit/audit-panel.tsx')),
  security: tab(
    ShieldCheck,
    'SecurityPanel',
    () => import('../features/account/security-panel.tsx'),
  ),
  economy: tab(Scale, 'EconomyPanel', () => import('../features/books/economy-panel.tsx')),
}

type ShownTab = AdminTabName & AdminTab

/** The tabs in their order. */
export const shownTabs: readonly ShownTab[] = adminTabNames.map((name) => ({
  ...name,
  ...panels[name.id],
}))

const tabGroups = [...new Set(shownTabs.map(({ group }) => group))].map((group) => ({
  group,
  tabs: shownTabs.filter((tab) => tab.group === group),
}))

/** The panel on /admin, /admin-new and /admin-old; the address says which tab is open. */
export function AdminScreen() {
  const search = useSearch({ strict: false })
  const { pathname } = useLocation()
  const word = tabOfWord(String(search.tab))?.id
  const open = shownTabs.find(({ id }) => id === word) ?? shownTabs[0]
  if (!open) return null
  return (
    <>
      <UnreachedNote />
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-[13rem_minmax(0,1fr)] lg:items-start">
        <div className="min-w-0 lg:sticky lg:top-20">
          <header className="mb-2 flex items-center justify-between gap-2 lg:-mt-2">
            <h1 tabIndex={-1} className="whitespace-nowrap text-sm text-muted">
              Admin Panel
            </h1>
            <Badge tone="accent" className="whitespace-nowrap">
              Admin Access
            </Badge>
          </header>
          <TabBar open={open} />
        </div>
        <CatchBoundary getResetKey={() => open.id} errorComponent={TabError}>
          <Suspense fallback={<SpinnerPage label={`Loading ${open.label}`} />}>
            <PanelReadingContext value={readingAt(pathname)}>
              <open.Panel />
            </PanelReadingContext>
          </Suspense>
        </CatchBoundary>
      </div>
      <ConfirmIdentity />
    </>
  )
}

function TabBar({ open }: { readonly open: ShownTab }) {
  const list = useRef<HTMLUListElement>(null)
  const router = useRouter()
  useEffect(() => {
    // On a small screen the strip is longer than the window, on a low one the column higher.
    const show = () => showAmongNeighbours(list.current, open.id)
    show()
    // The router then scrolls the strip to where it was at the tab before.
    const stop = router.subscribe('onRendered', show)
    // A tablet that is turned has the strip where the column was.
    const isColumn = window.matchMedia('(min-width: 64rem)')
    isColumn.addEventListener('change', show)
    return () => {
      stop()
      isColumn.removeEventListener('change', show)
    }
  }, [open.id, router])
  return (
    <nav aria-label="Admin tabs" className="flex min-w-0 gap-2 lg:block">
      <ul
        ref={list}
        className="flex min-w-0 flex-1 gap-1 overflow-x-auto max-lg:mask-r-from-[calc(100%-2rem)] max-lg:pe-8 lg:max-h-[calc(100dvh-10rem)] lg:flex-col"
      >
        {tabGroups.map(({ group, tabs }) => (
          <li key={group} className="flex-none">
            {group && (
              <p aria-hidden="true" className="mt-0.5 px-4 text-sm text-muted max-lg:hidden">
                {group}
              </p>
            )}
            <ul aria-label={group || undefined} className="flex gap-1 lg:flex-col lg:gap-px">
              {tabs.map((tab) => (
                <li key={tab.id} className="flex-none">
                  <Link
                    to="."
                    search={{ tab: tabWord(tab) }}
                    data-tab={tab.id}
                    data-tab-other={secondWord(tab.id)}
                    aria-current={tab === open ? 'page' : undefined}
                    className={cn(
                      'flex min-h-11 items-center gap-2 rounded-control border px-4 -outline-offset-2 font-display font-semibold no-underline lg:pointer-fine:min-h-7.5',
                      tab === open
                        ? 'border-line bg-raised text-ink'
                        : 'border-transparent text-muted hover:text-ink',
                    )}
                  >
                    <tab.Icon className="size-5" />
                    {tab.label}
                  </Link>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      <div className="flex-none lg:hidden">
        <TabMenu />
      </div>
    </nav>
  )
}

/** Every tab at a glance, where the strip shows only a few of them. */
function TabMenu() {
  const navigate = useNavigate()
  return (
    <Menu
      label="All tabs"
      trigger={<LayoutGrid />}
      tone="secondary"
      groups={tabGroups.map(({ tabs }) =>
        tabs.map((tab) => ({
          label: tab.label,
          icon: <tab.Icon />,
          onSelect: () => void navigate({ to: '.', search: { tab: tabWord(tab) } }),
        })),
      )}
    />
  )
}

function TabError({ error }: ErrorComponentProps) {
  return (
    <LoadErrorCard
      title="This tab could not be shown"
      error={error}
      onRetry={() => window.location.reload()}
    />
  )
}

/** Stands in the panel and shows itself when a call waits for a confirmation. */
function ConfirmIdentity() {
  const [waiting, setWaiting] = useState<{ readonly answer: (isConfirmed: boolean) => void }>()
  const { mutate, reset, isPending, error } = useCall(secondFactorContract.confirmSession)
  useEffect(
    () =>
      answerConfirmations(
        () =>
          new Promise((resolve) => {
            reset()
            setWaiting({ answer: resolve })
          }),
      ),
    [reset],
  )
  // Whoever leaves the panel has given up.
  useEffect(() => () => waiting?.answer(false), [waiting])
  const finish = (isConfirmed: boolean) => {
    waiting?.answer(isConfirmed)
    // A late answer belongs to its own question, not to one that was asked since.
    setWaiting((now) => (now === waiting ? undefined : now))
  }
  return (
    <Dialog
      isOpen={waiting !== undefined}
      onOpenChange={(isOpen) => !isOpen && finish(false)}
      title="Confirm it's you"
      description="This affects everyone. You will not be asked again for 5 minutes."
    >
      <CodeForm
        submitLabel="Confirm"
        hint="Six digits from your authenticator app, or a recovery code."
        isPending={isPending}
        error={error}
        onCancel={() => finish(false)}
        onSubmit={(code) => mutate({ body: { code } }, { onSuccess: () => finish(true) })}
      />
    </Dialog>
  )
}
