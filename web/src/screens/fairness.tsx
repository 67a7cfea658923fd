// How draws stay fair, for everyone; for players their openings and what was withheld; and the log.

import { useNavigate, useSearch } from '@tanstack/react-router'
import { TwitchSignIn } from '../features/account/twitch-sign-in.tsx'
import { AlarmList, WithheldList } from '../features/fairness/alarm-list.tsx'
import { DeliveryRecordCard } from '../features/fairness/delivery-record.tsx'
import { DrawLogCard } from '../features/fairness/draw-log-card.tsx'
import { Explanation } from '../features/fairness/explanation.tsx'
import { ObservedCard } from '../features/fairness/observed-card.tsx'
import { OpeningsList, type OpeningsListProps } from '../features/fairness/openings-list.tsx'
import { useChain, useFairOpenings } from '../features/fairness/queries.ts'
import { ProofFileCard } from '../features/fairness/verification-report.tsx'
import { useSession } from '../features/session/queries.ts'
import { useOnceTrue } from '../lib/once-true.ts'
import { pageNumberOf } from '../lib/search-value.ts'
import { DataState } from '../ui/feedback/state.tsx'
import { CopyButton } from '../ui/form/copy-button.tsx'
import { Card, CardHeader, PageHeading } from '../ui/layout/section.tsx'
import { Tabs } from '../ui/layout/tabs.tsx'

type Tab = 'how' | 'mine' | 'log'

export function FairnessScreen() {
  const { status, user } = useSession()
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const go = (change: { tab?: Tab; page?: number | undefined }, replace = false) =>
    void navigate({
      to: '.',
      search: (previous) => ({ ...previous, ...change }),
      resetScroll: false,
      replace,
    })
  const tab = (search.tab as Tab | undefined) ?? (user ? 'mine' : 'how')
  const paging = {
    page: pageNumberOf(search.page),
    onPageChange: (page: number, isCorrection?: boolean) =>
      go({ page: page === 1 ? undefined : page }, isCorrection),
  }
  const mine = user ? (
    <Mine userId={user.id} {...paging} />
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
        onChange={(value) => go({ tab: value as Tab, page: undefined })}
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
