// The Overview tab: the figures of the product and what is going on, then the health of the server.

import {
  type AdminStats,
  adminLogContract,
  adminOverviewContract,
  type BooksSummary,
  type LogFault,
  type LogState,
  type LogWitnessState,
} from '@redpack/contract'
import { commandLine } from '@redpack/contract/command-line'
import { queryOptions, useQuery } from '@tanstack/react-query'
import {
  Activity,
  PackageOpen,
  RotateCcw,
  RotateCw,
  ScrollText,
  ServerCog,
  ShieldCheck,
  TriangleAlert,
} from 'lucide-react'
import { endpointQuery, useEndpoint } from '../../lib/endpoint-query.ts'
import { formatClock, formatDateTime, formatDay, formatNumber, plural } from '../../lib/format.ts'
import { useCall } from '../../lib/use-call.ts'
import { staffErrorMs, toastDone, toastError } from '../../ui/feedback/outcome.ts'
import { Badge, DataState, Skeleton } from '../../ui/feedback/state.tsx'
import { Button, LinkButton } from '../../ui/form/button.tsx'
import { Card, CardHeader, Disclosure, Fact, PanelHeader } from '../../ui/layout/section.tsx'
import { Moment } from '../../ui/media/moment.tsx'
import { useQuestion } from '../../ui/overlay/question.tsx'
import { PlainTable } from '../../ui/table/plain-table.tsx'
import { useObserved } from '../fairness/queries.ts'
import { useStaffPowers } from '../session/queries.ts'
import { useEconomyFlow } from './economy-queries.ts'
import { RedCoinPerDay, ShareBar, usualDays } from './flow-card.tsx'
import { StatCards } from './stat-cards.tsx'

/** How long statistics are fresh and how long they are kept, in milliseconds. */
const statsFreshMs = 30_000
const statsKeptMs = 60_000
const statsRetries = 2

export const adminStatsQuery = queryOptions({
  ...endpointQuery(adminOverviewContract.stats, { shows: ['overview'] }),
  staleTime: statsFreshMs,
  gcTime: statsKeptMs,
  retry: statsRetries,
})

const logStateMs = 10_000

export function OverviewPanel() {
  const stats = useQuery(adminStatsQuery)
  const { data, error, isFetching, dataUpdatedAt } = stats
  const { data: flow, refetch: refetchFlow } = useEconomyFlow(usualDays)
  const refetch = () => Promise.all([stats.refetch(), refetchFlow()])
  return (
    <section aria-labelledby="overview-heading" className="grid grid-cols-1 gap-6">
      <PanelHeader id="overview-heading" title="Overview">
        {data && (
          <div className="flex flex-wrap items-center gap-3">
            <p className={error ? 'text-sm text-warning' : 'text-sm text-muted'}>
              {error && 'The last update failed. '}As of {formatClock(dataUpdatedAt)}
            </p>
            <Button
              icon={RotateCw}
              tone="secondary"
              onClick={() => void refetch()}
              isPending={isFetching}
            >
              Refresh
            </Button>
          </div>
        )}
      </PanelHeader>
      <DataState
        query={{ ...stats, refetch }}
        what="statistics"
        skeleton={[
          <StatCards key="cards" stats={undefined} flow={undefined} />,
          <div key="boxes" className="grid grid-cols-1 gap-6 xl:grid-cols-2">
            <Skeleton className="h-72 w-full" />
            <Skeleton className="h-72 w-full" />
          </div>,
        ]}
        className="grid grid-cols-1 gap-6"
        description="The server did not send the statistics."
        isOnPage
        isBrief
      >
        {(data) => (
          <>
            <BooksAlarm books={data.books} />
            <StatCards stats={data} flow={flow} />
            <div className="grid grid-cols-1 gap-6 xl:grid-cols-2">
              <ActivityMonitor stats={data} />
              {flow && (
                <Card>
                  <RedCoinPerDay days={flow.days} />
                </Card>
              )}
            </div>
            <LatestOpenings openings={data.recentOpenings} />
            <DrawAlarm />
            <LogCard />
            <ServerHealth serverHealth={data.serverHealth} books={data.books} />
            <ResetStatistics totalPacks={data.totalPackOpenings} />
          </>
        )}
      </DataState>
    </section>
  )
}

/** A line: the books have an alarm of their own, and without a server there is no overview. */
function ServerHealth({ serverHealth, books }: Pick<AdminStats, 'serverHealth' | 'books'>) {
  return (
    <Card>
      <CardHeader
        level={3}
        title="Server Health"
        icon={ServerCog}
        action={
          <LinkButton to="." search={{ tab: 'server' }} tone="secondary">
            Details
          </LinkButton>
        }
      />
      <dl className="flex flex-wrap gap-x-6 text-sm [&>div]:gap-x-2 [&>div]:border-0 [&>div]:py-1">
        <Fact term="Books">
          <BooksResult books={books} />
        </Fact>
        <Fact term="Uptime">{uptimeText(serverHealth.uptime)}</Fact>
        <Fact term="Memory">{memoryText(serverHealth.memoryUsage)}</Fact>
        <Fact term="Node version">{serverHealth.nodeVersion}</Fact>
        <Fact term="Platform">{serverHealth.platform}</Fact>
        <Fact term="CPU">{cpuText(serverHealth.cpuUsage)}</Fact>
      </dl>
    </Card>
  )
}

function BooksResult({ books }: Pick<AdminStats, 'books'>) {
  const text = booksText(books)
  if (text === undefined) return 'Not checked yet'
  return <Badge tone={books.drift === 0 ? 'success' : 'danger'}>{text}</Badge>
}

/** Nothing while it is not known: the overview says enough about servers that do not answer. */
export function DrawAlarm() {
  const { data } = useObserved()
  if (!data) return null
  const outside = data.packTypes.flatMap(({ name, prizes }) =>
    prizes
      .filter(({ isOutside }) => isOutside)
      .map((prize) => ({ id: prize.prizeId, text: `${prize.name} in ${name}` })),
  )
  const isQuiet = outside.length === 0
  return (
    <Card role="group" aria-label="Fairness of draws" className={isQuiet ? '' : 'border-warning'}>
      <CardHeader
        title="Fairness of draws"
        icon={isQuiet ? ShieldCheck : TriangleAlert}
        iconClassName={isQuiet ? 'size-5 text-success' : 'size-5 text-warning'}
        description={isQuiet && 'OK: the draws fit the published chances.'}
        action={
          <LinkButton to="/fairness" tone="secondary">
            See the figures
          </LinkButton>
        }
      />
      {!isQuiet && (
        <>
          <p>
            These prizes are won more or less often than published. With fair draws, the chance that
            this alarm ever shows is at most 1 in 100:
          </p>
          <ul className="mt-2 list-disc ps-5">
            {outside.map(({ id, text }) => (
              <li key={`${id} ${text}`}>{text}</li>
            ))}
          </ul>
        </>
      )}
    </Card>
  )
}

/** Across the page: in half of it every cell took two lines, beside a card of half the height. */
function LatestOpenings({ openings }: { readonly openings: AdminStats['recentOpenings'] }) {
  return (
    <Card>
      <CardHeader level={3} title="Latest openings" icon={PackageOpen} />
      {openings.length === 0 ? (
        <p className="text-muted">No packs were opened yet.</p>
      ) : (
        <PlainTable label="Latest openings" heads={['When', 'User', 'Pack', 'Prize']}>
          {openings.map(({ id, createdAt, username, packTypeName, prizeName }) => (
            <tr key={id}>
              <td>
                <Moment at={createdAt} className="whitespace-nowrap" />
              </td>
              <td>{username}</td>
              <td>{packTypeName}</td>
              <td>{prizeName ?? <span className="text-muted">None</span>}</td>
            </tr>
          ))}
        </PlainTable>
      )}
    </Card>
  )
}

function ActivityMonitor({ stats }: { readonly stats: AdminStats }) {
  return (
    <Card>
      <CardHeader level={3} title="Activity Monitor" icon={Activity} />
      <dl>
        <Fact term="Recent activity (24h pack openings)">{formatNumber(stats.recentActivity)}</Fact>
        <Fact term="Win rate today">
          <PercentBar percent={winRatePercent(stats)} />
        </Fact>
        <Fact term="Average RedCoins per user">{formatNumber(averageRedCoins(stats))}</Fact>
        <Fact term="Store purchases today">{formatNumber(stats.storePurchasesToday)}</Fact>
        <Fact term="New user growth (7d)">
          <PercentBar percent={growthPercent(stats)} />
        </Fact>
      </dl>
    </Card>
  )
}

/** The figure in words, with a bar beside it for the eye. */
function PercentBar({ percent }: { readonly percent: number }) {
  return (
    <span className="flex items-center gap-3">
      <ShareBar share={Math.min(1, percent / 100)} className="h-2 w-24" fill="fill-chart-up" />
      <span className="min-w-12 text-end">{formatNumber(percent)}%</span>
    </span>
  )
}

type Counts = Pick<
  AdminStats,
  'totalUsers' | 'activeUsers' | 'totalRedCoins' | 'packsOpenedToday' | 'prizesClaimedToday'
>

function shareOf(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0
}

/** Prizes claimed today of packs opened today, in whole percent; 0 while none was opened. */
export function winRatePercent({ prizesClaimedToday, packsOpenedToday }: Counts): number {
  return Math.round(shareOf(prizesClaimedToday, packsOpenedToday) * 100)
}

/** Whole RedCoins per user; 0 without users. */
export function averageRedCoins({ totalRedCoins, totalUsers }: Counts): number {
  return Math.round(shareOf(totalRedCoins, totalUsers))
}

/** New users of the last 7 days of all users, in whole percent; 0 without users. */
export function growthPercent({ activeUsers, totalUsers }: Counts): number {
  return Math.round(shareOf(activeUsers, totalUsers) * 100)
}

/** 3725 seconds read '1 hour 2 minutes'. */
export function uptimeText(seconds: number): string {
  const minutes = Math.max(0, Math.floor(seconds / 60))
  const hours = plural(Math.floor(minutes / 60), 'hour', 'hours')
  return `${hours} ${plural(minutes % 60, 'minute', 'minutes')}`
}

/** '182 / 512 MB'. */
export function memoryText({ used, total }: AdminStats['serverHealth']['memoryUsage']): string {
  return `${formatNumber(used)} / ${formatNumber(total)} MB`
}

/** '1,200 ms user / 300 ms system'. */
export function cpuText({ user, system }: AdminStats['serverHealth']['cpuUsage']): string {
  return `${formatNumber(user)} ms user / ${formatNumber(system)} ms system`
}

/** What the check of the books last found; undefined before the first check. */
export function booksText({ drift }: Pick<AdminStats['books'], 'drift'>): string | undefined {
  if (drift === null) return undefined
  return drift === 0 ? 'OK' : `${plural(drift, 'check', 'checks')} failed`
}

/** Nothing while all is well: the health of the server says that. */
export function BooksAlarm({ books }: { readonly books: BooksSummary }) {
  const sentences = booksTroubles(books)
  if (sentences.length === 0) return null
  return (
    <Card role="group" aria-label="Check the books" className="border-warning">
      <CardHeader
        level={3}
        title="Check the books"
        icon={TriangleAlert}
        iconClassName="size-5 text-warning"
      />
      <ul className="grid gap-2">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Card>
  )
}

/** What is wrong and what to do, a sentence or two each. */
function booksTroubles({ drift, checkedAt, failingSince, isOverdue }: BooksSummary): string[] {
  const troubles: string[] = []
  if (drift !== null && drift > 0) {
    troubles.push(
      `${plural(drift, 'check', 'checks')} of the books failed. Run "` +
        `${commandLine('verify-economy')}" on the server: it names the rows. Back up before you ` +
        'change anything.',
    )
  }
  if (failingSince !== null) {
    troubles.push(
      `Part of the books has not been checked since ${formatDateTime(failingSince)}. The ` +
        'Economy tab says which and why. The server keeps trying.',
    )
  }
  if (isOverdue) {
    const last =
      checkedAt === null
        ? 'The books have never been fully checked'
        : `The books were last checked on ${formatDateTime(checkedAt)}`
    troubles.push(
      `${last}, so errors would go unnoticed. See overview-check-books in the Jobs tab ` +
        `and the server log, and run "${commandLine('verify-economy')}" in the meantime.`,
    )
  }
  return troubles
}

function ResetStatistics({ totalPacks }: { readonly totalPacks: number }) {
  const { mutate: reset } = useCall(adminOverviewContract.resetOpenings)
  const { mayActOnEverybody } = useStaffPowers()
  const [ask, question] = useQuestion(() => ({
    title: 'Reset Total Packs to 0?',
    description: `Removes ${plural(totalPacks, 'opening', 'openings')} from all totals and activity lists. This cannot be undone. Balances, packs and prize claims stay.`,
    confirmLabel: 'Reset Total Packs to 0',
    onConfirm: () =>
      reset(
        {},
        {
          onSuccess: ({ deletedCount }) =>
            toastDone(`${plural(deletedCount, 'pack opening', 'pack openings')} reset`),
          onError: (error) =>
            toastError(error, 'Failed to reset pack openings count', { duration: staffErrorMs }),
        },
      ),
  }))
  return (
    <Card>
      <CardHeader
        level={3}
        title="Reset Statistics"
        description="Sets the number of opened packs back to 0 for everyone."
      />
      <Button icon={RotateCcw} tone="danger" onClick={() => ask()} disabled={!mayActOnEverybody}>
        Reset Total Packs to 0
      </Button>
      {!mayActOnEverybody && (
        <p className="mt-2 text-sm text-muted">Only a super user can do this.</p>
      )}
      {question}
    </Card>
  )
}

const troubleTexts: Readonly<Record<LogFault, string>> = {
  no_key: 'The signing key is missing. Set LOG_SIGNING_KEY and restart.',
  key_changed:
    'The signing key has changed. Set LOG_SIGNING_KEY to the old ' +
    `key and restart. If the old key is lost, run "${commandLine('renew-log')}" and publish the ` +
    'new key.',
  history_lost:
    'It has fewer entries than were signed: an older backup was restored. Restore the newest ' +
    `backup. If there is none, run "${commandLine('renew-log')}" and explain it in public.`,
  inconsistent:
    'Its entries differ from those that were signed: someone changed the database. Run ' +
    `"${commandLine('verify-economy')}" to see which, and restore a backup. Do not renew the log until ` +
    'you know what happened.',
}

/** Nothing while it is not known: the overview says enough about servers that do not answer. */
export function LogCard() {
  const { data } = useEndpoint(adminLogContract.state, { shows: [], refetchInterval: logStateMs })
  if (!data) return null
  const { trouble, setAside, witnesses, discord, waiting, entries } = data
  const hasProblem = [...witnesses, discord].some((each) => each?.problem)
  const isOk = trouble === null && setAside === 0 && !hasProblem
  const now = waiting === 0 ? 'Nothing' : plural(waiting, 'event', 'events')
  const facts = (
    <dl>
      <Fact term="Entries">{formatNumber(entries)}</Fact>
      <Fact term="Waiting">
        {setAside === 0 ? now : `${now}; ${formatNumber(setAside)} cannot be logged`}
      </Fact>
      <Fact term="Signed">{signedText(data)}</Fact>
      <Fact term="Key">{keyText(data)}</Fact>
      {witnesses.map((witness) => (
        <Fact key={witness.name} term={`Witness ${witness.name}`}>
          {witnessText(witness)}
        </Fact>
      ))}
      {discord && <Fact term="Discord">{discordText(discord)}</Fact>}
    </dl>
  )
  return (
    <Card role="group" aria-label="Public log" className={isOk ? '' : 'border-warning'}>
      <CardHeader
        level={3}
        title="Public log"
        icon={ScrollText}
        action={
          <Badge tone={isOk ? 'success' : 'warning'}>{isOk ? 'OK' : 'Needs attention'}</Badge>
        }
      />
      {trouble && (
        <p className="mb-2">
          The log is no longer signed. Packs can still be opened. {troubleTexts[trouble]}
        </p>
      )}
      {isOk ? <Disclosure summary={`Signed: ${signedText(data)}`}>{facts}</Disclosure> : facts}
    </Card>
  )
}

function signedText({ checkpoint, entries }: LogState): string {
  if (checkpoint === null) return 'Not yet'
  const { size, signedAt } = checkpoint
  const first = size === 1 ? 'The first entry' : `The first ${formatNumber(size)} entries`
  const what = size === entries ? 'All entries' : first
  return `${what}, ${formatDateTime(signedAt)}`
}

function keyText({ key, changes }: LogState) {
  const [last] = changes
  const what = last?.reason === 'new_log' ? 'A new log began' : 'The key was changed'
  return (
    <span className="grid justify-items-end gap-1">
      {key === null ? 'None yet' : <code className="text-sm break-all">{key}</code>}
      {last && (
        <span className="text-sm font-normal text-muted">
          {what} at entry {formatNumber(last.fromSize)}, {formatDateTime(last.at)}
        </span>
      )}
    </span>
  )
}

function witnessText({ cosignedAt, seenSize, problem }: LogWitnessState): string {
  const last =
    cosignedAt === null
      ? 'Has never cosigned'
      : `Cosigned ${plural(seenSize, 'entry', 'entries')}, ${formatDateTime(cosignedAt)}`
  return problem === null ? last : `${problem}. ${last}.`
}

function discordText({ postedDay, problem }: NonNullable<LogState['discord']>): string {
  const last = postedDay === null ? 'Not posted yet' : `Posted for ${formatDay(postedDay)}`
  return problem === null ? last : `${problem}. ${last}.`
}
