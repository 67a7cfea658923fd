// How draws stay fair, for everyone; for players their seeds, their openings and the proofs.

import { PageNumber } from '@redpack/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { AlarmList } from '../features/fairness/alarm-list.tsx'
import { DrawLogCard } from '../features/fairness/draw-log-card.tsx'
import { Explanation } from '../features/fairness/explanation.tsx'
import { ObservedCard } from '../features/fairness/observed-card.tsx'
import { OpeningsList } from '../features/fairness/openings-list.tsx'
import { ProofFileCard } from '../features/fairness/proof-file-card.tsx'
import { SeedCard } from '../features/fairness/seed-card.tsx'
import { useSession } from '../features/session/queries.ts'
import { Card } from '../ui/card.tsx'
import { PageHeading } from '../ui/page-heading.tsx'

export function FairnessScreen() {
  const { status, user } = useSession()
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const openPage = (next: number) => {
    void navigate({
      to: '.',
      search: (previous) => ({ ...previous, page: next === 1 ? undefined : next }),
      resetScroll: false,
    })
  }
  const turnLog = (draws: number | undefined) => {
    void navigate({
      to: '.',
      search: (previous) => ({ ...previous, draws }),
      resetScroll: false,
    })
  }
  return (
    <>
      <PageHeading
        title="Fairness"
        description="Every draw can be computed again, by you, in your own browser"
      />
      <div className="grid gap-6">
        <AlarmList userId={user?.id ?? null} hasSeen />
        <Explanation />
        {user && (
          <>
            <SeedCard userId={user.id} />
            <OpeningsList page={PageNumber.parse(search.page)} onPageChange={openPage} />
          </>
        )}
        {status === 'unauthenticated' && (
          <Card>
            <p>Sign in to see your own seeds and to verify the packs you opened.</p>
          </Card>
        )}
        <ProofFileCard />
        <ObservedCard />
        <DrawLogCard
          upTo={typeof search.draws === 'number' ? search.draws : undefined}
          onTurn={turnLog}
        />
      </div>
    </>
  )
}
