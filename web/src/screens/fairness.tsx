// How draws stay fair, for everyone; for players their openings and what was withheld; and the log.

import { TwitchSignIn } from '../features/account/twitch-sign-in.tsx'
import { AlarmList, WithheldList } from '../features/fairness/alarm-list.tsx'
import { DeliveryRecordCard } from '../features/fairness/delivery-record.tsx'
import { DrawLogCard } from '../features/fairness/draw-log-card.tsx'
import { Explanation } from '../features/fairness/explanation.tsx'
import { ObservedCard } from '../features/fairness/observed-card.tsx'
import { OpeningsList, type OpeningsListProps } from '../features/fairness/openings-list.tsx'
import { useChain, useFairOpenings } from '../features/fairness/queries.ts'
import { ProofFileCard } from '../features/fairness/verification-report.tsx'
import { SessionUnknown } from '../features/session/gates.tsx'
import { useSession } from '../features/session/queries.ts'
import { useOnceTrue } from '../lib/once-true.ts'
import { DataState } from '../ui/feedback/state.tsx'
import { CopyButton } from '../ui/form/copy-button.tsx'
import { Card, CardHeader, PageHeading } from '../ui/layout/section.tsx'
import { Tabs } from '../ui/layout/tabs.tsx'
import { useTableView } from '../ui/table/table-view.ts'

/** Without a tab, the one that suits whoever looks. */
const viewDefaults = { filters: { tab: '' } }
const tabs = ['how', 'mine', 'log']

export function FairnessScreen() {
  const { status, user, error } = useSession()
  const [{ page, filters }, change] = useTableView(viewDefaults)
  const tab = tabs.find((known) => known === filters.tab) ?? (user ? 'mine' : 'how')
  const paging = {
    page,
    onPageChange: (next: number, isCorrection?: boolean) => change({ page: next }, isCorrection),
  }
  const mine = user ? (
    <Mine userId={user.id} {...paging} />
  ) : error ? (
    <SessionUnknown error={error} />
  ) : (
    status === 'unauthenticated' && (
      <Card>
        <p className="mb-4">Sign in to see your openings, each checked by your browser.</p>
        <TwitchSignIn>Login with Twitch</TwitchSignIn>
      </Card>
    )
  )
  return (
    <>
      <PageHeading
        title="Fairness"
        description="Your browser checks every opening before the pack tears"
      />
      <div className="mb-6 empty:hidden">
        <AlarmList userId={user?.id ?? null} hasSeen />
      </div>
      <Tabs
        label="Fairness"
        value={tab}
        onChange={(value) => change({ filters: { tab: value } })}
        tabs={[
          { value: 'how', label: 'How', content: <How /> },
          { value: 'mine', label: 'Mine', content: mine },
          { value: 'log', label: 'Log', content: <Log {...paging} /> },
        ]}
      />
    </>
  )
}

function Log(paging: OpeningsListProps) {
  return (
    <div className="grid gap-6">
      <DeliveryRecordCard />
      <DrawLogCard {...paging} />
    </div>
  )
}

function How() {
  return (
    <div className="grid gap-6">
      <Explanation />
      <ProofFileCard />
      <ObservedCard />
    </div>
  )
}

function Mine({ userId, page, onPageChange }: OpeningsListProps & { readonly userId: number }) {
  const chain = useChain(userId)
  const openings = useFairOpenings(page)
  // How tall the list gets is known with its answer: what is below waits.
  const isWhole = useOnceTrue(!chain.isPending && !openings.isPending)
  return (
    <div className="grid gap-6">
      <OpeningsList page={page} onPageChange={onPageChange} />
      <div hidden={!isWhole} className="grid gap-6">
        <NextOpening userId={userId} />
        <WithheldList userId={userId} />
      </div>
    </div>
  )
}

function NextOpening({ userId }: { readonly userId: number }) {
  const chain = useChain(userId)
  return (
    <Card>
      <CardHeader
        title="Your next opening"
        description="The site has already fixed its seed. This is the fingerprint; the opening reveals the seed itself."
      />
      <DataState query={chain} what="the commitment" skeleton="h-16">
        {({ chainId, index, commitment }) => (
          <dl>
            <dt className="text-sm text-muted">
              Commitment, chain {chainId}, index {index}
            </dt>
            <dd className="flex items-center gap-2">
              <code className="min-w-0 font-mono text-sm break-all">{commitment}</code>
              <CopyButton text={commitment} label="Copy commitment" />
            </dd>
          </dl>
        )}
      </DataState>
    </Card>
  )
}
